"""How much of what a team needs is read off an observation: bridge entities, answers, and what the reading costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from amb_bench.bench_metrics import mean
from amb_bench.benches import BenchOptions
from amb_bench.curator_baselines import BASELINES
from amb_bench.curator_cases import Case, chinese_cases, hotpotqa_cases
from amb_bench.tables import Table
from amb_team.curator import CuratedObservation, Curator, CuratorRequest
from amb_team.local_curator import LocalCurator
from amb_tools.hotpotqa import exact_match, f1_score

__all__ = ["CURATORS", "tables"]

CURATORS: Mapping[str, Callable[[], Curator]] = {**BASELINES, "local curator": LocalCurator}
"""What is measured, by the names in the tables."""

_HALVES = ("development", "held out")
_COLUMNS = ("curator", *(f"{half} {figure}" for half in _HALVES for figure in ("EM", "F1")))
_ASKED = {"English": "Who is the spouse of the director of the film?", "Chinese": "这部电影的导演的妻子是谁？"}
_REPEATS = 60


def tables(options: BenchOptions) -> Iterator[Table]:
    """Bridges and answers in English and Chinese, then the time; `--only` takes english, chinese, speed.

    Raises UnreadableSource when the English questions are to be used and are not there.
    """
    wanted = set(options.only) or {"english", "chinese", "speed"}
    if "english" in wanted:
        yield from _quality("HotpotQA", hotpotqa_cases(folder=options.data))
    if "chinese" in wanted:
        yield from _quality("two-hop questions in Chinese", chinese_cases())
    if "speed" in wanted:
        yield _speed(chinese_cases())


def _quality(name: str, cases: Sequence[Case]) -> Iterator[Table]:
    answers = {title: [make().curate(case.request) for case in cases] for title, make in CURATORS.items()}
    yield _bridges(name, cases, answers)
    yield _answers(name, cases, answers, "bridge")
    yield _answers(name, cases, answers, "comparison")


def _bridges(name: str, cases: Sequence[Case], answers: Mapping[str, Sequence[CuratedObservation]]) -> Table:
    chosen = _halves(cases, "first", "bridge")
    said = {title: [each.bridge_entity for each in every] for title, every in answers.items()}
    ceiling = [mean(float(cases[at].stated) for at in chosen[half]) for half in _HALVES]
    title = f"{name}: first hops, the bridge entity against the title of the other page, {_counts(chosen)} hops"
    title += f" ({ceiling[0]:.2f} and {ceiling[1]:.2f} of them name it word for word)"
    return Table(title, _COLUMNS, tuple(_rows(cases, said, chosen)))


def _answers(
    name: str,
    cases: Sequence[Case],
    answers: Mapping[str, Sequence[CuratedObservation]],
    kind: Literal["bridge", "comparison"],
) -> Table:
    chosen = _halves(cases, "final", kind)
    said = {title: [each.answer for each in every] for title, every in answers.items()}
    title = f"{name}: final hops of {kind} questions, the answer against the gold answer, {_counts(chosen)} hops"
    return Table(title, _COLUMNS, tuple(_rows(cases, said, chosen)))


def _halves(cases: Sequence[Case], hop: str, kind: str) -> dict[str, list[int]]:
    return {
        half: [at for at, case in enumerate(cases) if (case.hop, case.kind, case.half) == (hop, kind, half)]
        for half in _HALVES
    }


def _counts(chosen: Mapping[str, Sequence[int]]) -> str:
    return " + ".join(str(len(chosen[half])) for half in _HALVES)


def _rows(
    cases: Sequence[Case], said: Mapping[str, Sequence[str | None]], chosen: Mapping[str, Sequence[int]]
) -> Iterator[tuple[str | float, ...]]:
    for title, every in said.items():
        row: list[str | float] = [title]
        for half in _HALVES:
            for score in (exact_match, f1_score):
                row.append(mean(float(score(every[at] or "", cases[at].wanted)) for at in chosen[half]))
        yield tuple(row)


def _speed(cases: Sequence[Case]) -> Table:
    """CPU time for 1,000 characters of observations never seen before, of usual length and of a whole page."""
    rows: list[tuple[str | float, ...]] = []
    for language in _ASKED:
        texts = [_page_of(language, number, cases) for number in range(_REPEATS)]
        for length in (500, 10_000):
            requests = [
                CuratorRequest(
                    task="Who is the spouse of the director of the film?"
                    if language == "English"
                    else "这部电影的导演的妻子是谁？",
                    action="Search[film]",
                    observation=(text * (1 + length // len(text)))[:length],
                )
                for text in texts
            ]
            curator = LocalCurator()
            started = time.process_time()
            for request in requests:
                curator.curate(request)
            spent = (time.process_time() - started) * 1_000
            rows.append((f"{language}, {length} characters", spent / (len(requests) * length / 1_000)))
    return Table(
        "CPU time of the local curator, first reading", ("observation", "ms for 1,000 characters"), tuple(rows)
    )


def _page_of(language: str, number: int, cases: Sequence[Case]) -> str:
    if language == "Chinese":
        return f"第{number}号资料。" + "".join(
            case.request.observation for case in cases[number % 40 : number % 40 + 3]
        )
    return (
        f"Harbour Light No. {number} is a 19{number:02d} drama film directed by Anna Verhoeven and written by Tom "
        f"Adeyemi. It stars Lena Fischer as a lighthouse keeper from Bergen, Norway, who counts {number + 100} ships. "
        f"The film was released on May {number % 28 + 1}, 19{number:02d} by Northern Pictures, which was founded by "
        "Carl Lindqvist. Verhoeven was born in Antwerp and married the composer Jan Peeters in 1958 in Ghent. "
    )
