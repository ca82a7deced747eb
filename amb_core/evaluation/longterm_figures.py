"""The scripted sessions as figures: what memory brings, what it shows in vain, and what is kept of what users say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import mean

from amb_core.evaluation.longterm_runs import Outcome, SessionRun, only_preferences, run_sessions, run_transcripts
from amb_core.evaluation.tables import Table
from amb_core.protocols import Embedder

__all__ = ["session_tables"]

Cell = str | float
_LANGUAGES = ("en", "zh")


def session_tables(embedder: Embedder | str | None = None) -> Iterator[Table]:
    """What the second and later sessions have of the earlier ones; and what is kept of what users say."""
    run, tail = run_sessions(embedder=embedder), run_transcripts()
    users = len({each.session.user for each in run.outcomes})
    days = len({(each.session.user, each.session.day) for each in run.outcomes})
    title = f"{days} sessions of {users} users, {len(run.outcomes)} messages: what comes of memory"
    yield Table(title, ("", "AMB", "end of the transcript", "no memory"), tuple(_answering(run, tail)))
    yield Table("what users say, kept", ("", "English", "Chinese"), tuple(_keeping(run)))
    missed = [_missed(each) for each in run.of("asks") if not each.is_right]
    if missed:
        yield Table("questions that were not answered right", ("message", "not shown"), tuple(missed))


def _answering(run: SessionRun, tail: SessionRun) -> Iterator[tuple[Cell, ...]]:
    for name, where in _QUESTIONS:
        yield (
            name,
            _right(run, where),
            _right(tail, where),
            _share([not o.turn.needs for o in run.of("asks", where=where)]),
        )
    later = _QUESTIONS[0][1]
    gain = [100 * _rate(each.is_right for each in source.of("asks", where=later)) for source in (run, tail)]
    yield ("gain by earlier sessions, points", *(f"{points:+.0f}" for points in gain), "0")
    yield ("hit rate: needed words that were shown", _hits(run), _hits(tail), "0")
    for name, kinds in (("who needed some", ("asks",)), ("in all tasks", ("asks", "routine"))):
        used, given = (sum(getattr(o, what) for o in run.of(*kinds)) for what in ("used", "given"))
        yield (f"use: of memories given to workers {name}, showed in the result", f"{used} of {given}", "", "")
    yield ("tokens before an answer, mean", *(mean(o.seen for o in each.of("asks")) for each in (run, tail)), 0.0)
    yield ("  most", *(float(max(o.seen for o in each.outcomes)) for each in (run, tail)), 0.0)
    yield ("put before small talk and sums", _shown(run), _shown(tail), "")
    noise = _share([not only_preferences(each.shown) for each in run.of("else")])
    yield (
        "more than preferences, asked about something else",
        noise,
        _share([bool(o.shown) for o in tail.of("else")]),
        "",
    )
    yield ("blocks with words of another user", f"{run.foreign} of {len(run.outcomes)}", "", "")


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


def _right(run: SessionRun, where: Callable[[Outcome], bool]) -> str:
    return _share([each.is_right for each in run.of("asks", where=where)])


def _hits(run: SessionRun) -> str:
    return _share([word.casefold() in o.shown.casefold() for o in run.of("asks") for word in o.turn.needs])


def _shown(run: SessionRun) -> str:
    return _share([bool(each.shown) for each in run.of("idle")])


def _keeping(run: SessionRun) -> Iterator[tuple[Cell, ...]]:
    def row(name: str, kind: str, test: Callable[[Outcome], bool]) -> tuple[Cell, ...]:
        spoken = [run.of(kind, where=lambda o, lang=lang: o.session.language == lang) for lang in _LANGUAGES]
        return (name, *(_share([test(each) for each in one]) for one in spoken))

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


def _share(found: Sequence[bool]) -> str:
    return f"{sum(found)} of {len(found)}"
