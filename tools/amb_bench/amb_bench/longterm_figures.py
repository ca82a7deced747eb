"""The scripted sessions as figures: what memory brings, what it shows in vain, and what is kept of what users say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import mean

from amb_bench.longterm_runs import Outcome, SessionRun, only_preferences, run_sessions, run_transcripts
from amb_bench.tables import Table, share
from amb_core.protocols import Embedder

__all__ = ["session_tables"]

Cell = str | float
_LANGUAGES = ("en", "zh")
_MOST_TOKENS = 400
_NONE = ("", "")


def session_tables(embedder: Embedder | str | None = None) -> Iterator[Table]:
    """What the second and later sessions have of the earlier ones; and what is kept of what users say.

    Beside it: nothing at all, and the end of the transcript of all sessions, with as many tokens as a block had on
    average and with as many as it may have.
    """
    run = run_sessions(embedder=embedder)
    usual = round(mean(each.seen for each in run.of("asks")))
    tails = [run_transcripts(tokens=tokens) for tokens in (usual, _MOST_TOKENS)]
    users = len({each.session.user for each in run.outcomes})
    days = len({(each.session.user, each.session.day) for each in run.outcomes})
    title = f"{days} sessions of {users} users, {len(run.outcomes)} messages: what comes of memory"
    columns = ("", "AMB", f"last {usual} tokens", f"last {_MOST_TOKENS}", "no memory")
    yield Table(title, columns, tuple(_answering([run, *tails])))
    yield Table("what users say, kept", ("", "English", "Chinese"), tuple(_keeping(run)))
    missed = [_missed(each) for each in run.of("asks") if not each.is_right]
    if missed:
        yield Table("questions that were not answered right", ("message", "not shown"), tuple(missed))


def _answering(runs: Sequence[SessionRun]) -> Iterator[tuple[Cell, ...]]:
    ours = runs[0]
    for name, where in _QUESTIONS:
        bare = share([not each.turn.needs for each in ours.of("asks", where=where)])
        yield (name, *(share([each.is_right for each in one.of("asks", where=where)]) for one in runs), bare)
    gains = [100 * _rate(each.is_right for each in one.of("asks", where=_later)) for one in runs]
    yield ("gain by earlier sessions, points", *(f"{points:+.0f}" for points in gains), "0")
    yield ("hit rate: needed words that were shown", *map(_hits, runs), "0")
    for name, kinds in (("who needed some", ("asks",)), ("in all tasks", ("asks", "routine"))):
        used, given = (sum(getattr(each, what) for each in ours.of(*kinds)) for what in ("used", "given"))
        yield (f"use: memories given to workers {name}, seen in the result", f"{used} of {given}", *_NONE, "")
    yield ("tokens before an answer, mean", *(mean(each.seen for each in one.of("asks")) for one in runs), "0")
    yield ("  most", *(float(max(each.seen for each in one.outcomes)) for one in runs), "0")
    yield ("something put before small talk and sums", *map(_shown, runs), "")
    noise = [not only_preferences(each.shown) for each in ours.of("else")]
    always = (share([bool(each.shown) for each in one.of("else")]) for one in runs[1:])
    yield ("more than preferences, asked about something else", share(noise), *always, "")
    yield ("blocks with words of another user", f"{ours.foreign} of {len(ours.outcomes)}", *_NONE, "")


def _later(outcome: Outcome) -> bool:
    return outcome.turn.earlier


def _spoken(language: str) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome.turn.earlier and outcome.session.language == language


_QUESTIONS: Sequence[tuple[str, Callable[[Outcome], bool]]] = (
    ("right answers that need an earlier session", _later),
    ("  English", _spoken("en")),
    ("  Chinese", _spoken("zh")),
    ("  told otherwise since", lambda outcome: outcome.turn.earlier and bool(outcome.turn.over)),
    ("right answers that need this session", lambda outcome: not outcome.turn.earlier),
)


def _hits(run: SessionRun) -> str:
    return share([word.casefold() in o.shown.casefold() for o in run.of("asks") for word in o.turn.needs])


def _shown(run: SessionRun) -> str:
    return share([bool(each.shown) for each in run.of("idle")])


def _keeping(run: SessionRun) -> Iterator[tuple[Cell, ...]]:
    def row(name: str, kind: str, test: Callable[[Outcome], bool]) -> tuple[Cell, ...]:
        def in_language(language: str) -> list[Outcome]:
            return [each for each in run.of(kind) if each.session.language == language]

        return (name, *(share([test(each) for each in in_language(language)]) for language in _LANGUAGES))

    yield row("new: kept as a record of its own", "tells", lambda o: o.status == "inserted")
    yield row("said again: no second record", "repeats", lambda o: o.status != "inserted")
    yield row("said again: no conflict made of it", "repeats", lambda o: o.status != "conflict")
    yield row("changed: only the newer holds", "changes", lambda o: o.holds)
    yield row("changed: the older and the conflict are on record", "changes", lambda o: o.recorded)
    yield row("small talk and sums: nothing kept", "idle", lambda o: not o.status)


def _missed(outcome: Outcome) -> tuple[Cell, ...]:
    missing = [word for word in outcome.turn.needs if word.casefold() not in outcome.shown.casefold()]
    return (outcome.turn.says, "; ".join(missing) or f"held to be valid: {'; '.join(outcome.turn.over)}")


def _rate(found: Iterator[bool]) -> float:
    listed = list(found)
    return sum(listed) / len(listed) if listed else 0.0
