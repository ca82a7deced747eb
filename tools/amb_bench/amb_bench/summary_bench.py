"""What of a passage survives its summary: answers to questions about it, numbers, dates and names."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path

from amb_bench.bench_metrics import mean
from amb_bench.datasets import data_folder, load_cmrc, load_hotpotqa
from amb_bench.tables import Table
from amb_core.agent_io import StructureRequest
from amb_core.agents.local_structure import LocalStructure
from amb_core.protocols import StructureAgent
from amb_core.text import entities, sentences, values

__all__ = [
    "AnswerCase",
    "Survival",
    "cmrc_cases",
    "hotpotqa_cases",
    "kept_things",
    "lead_sentences",
    "random_sentences",
    "structure_tables",
    "summaries_to_read",
    "survival",
    "survival_table",
    "things_of",
    "write_summaries",
]

Shortener = Callable[[str, int], str]

_DRAWS = 3
_KINDS = ("number", "date", "name")
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Summaries to be read</title>
<style>body {{ font: 16px/1.5 sans-serif; margin: 2em }} table {{ border-collapse: collapse }}
td {{ border-top: 1px solid #bbb; padding: .6em; vertical-align: top; white-space: pre-line }}</style></head>
<body><h1>Summaries to be read</h1><table>
{rows}
</table></body></html>
"""


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """A passage, a question about it, and the answer as it stands in the passage."""

    text: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Survival:
    """Shares that one way of shortening keeps: of answers, of numbers, dates and names each, and of these together."""

    name: str
    answers: float
    numbers: float
    dates: float
    names: float
    things: float


def hotpotqa_cases(*, folder: str | None = None) -> list[AnswerCase]:
    """The gold passages that hold the answer of their question word for word."""
    corpus = {passage.id: passage.text for passage in load_hotpotqa(folder=folder, titles="none").passages}
    rows = json.loads((data_folder(folder) / "hotpotqa" / "hotpotqa_train.json").read_text(encoding="utf-8"))
    cases = []
    for row in rows:
        for title in dict.fromkeys(title for title, _ in row["supporting_facts"]):
            text = corpus.get(title, "")
            if row["answer"].lower() not in ("yes", "no") and row["answer"] in text:
                cases.append(AnswerCase(text, row["question"], row["answer"]))
    return cases


def cmrc_cases(*, folder: str | None = None) -> list[AnswerCase]:
    """Every question of CMRC 2018 with its passage and its first answer."""
    sample = load_cmrc(folder=folder)
    texts = {passage.id: passage.text for passage in sample.passages}
    return [AnswerCase(texts[question.gold[0]], question.text, question.evidence[0]) for question in sample.questions]


def lead_sentences(text: str, length: int) -> str:
    """The first sentences of at most `length` characters together."""
    taken = ""
    for sentence in sentences(text):
        if len(taken) + len(sentence) > length:
            break
        taken += sentence + " "
    return taken.rstrip()


def random_sentences(text: str, length: int, *, seed: int = 0) -> str:
    """Sentences drawn at random that fit within `length` characters, in their order."""
    found = sentences(text)
    order = list(range(len(found)))
    random.Random(seed).shuffle(order)
    taken: list[int] = []
    for at in order:
        if sum(len(found[i]) + 1 for i in taken) + len(found[at]) <= length:
            taken.append(at)
    return " ".join(found[at] for at in sorted(taken))


def things_of(text: str) -> dict[str, set[str]]:
    """The "number", "date" and "name" strings of a text."""
    found: dict[str, set[str]] = {kind: set() for kind in _KINDS}
    for value in values(text):
        if value.kind in found:
            found[value.kind].add(value.surface)
    found["name"] |= {entity.name for entity in entities(text)}
    return found


def kept_things(text: str, shortened: str, *, kind: str = "") -> float:
    """Share of the text's numbers, dates and names (or of one kind) that the shortened text has; 1 when it has none."""
    found = things_of(text)
    wanted = found[kind] if kind else set[str]().union(*found.values())
    return mean(thing in shortened for thing in wanted) if wanted else 1.0


def survival(
    cases: Sequence[AnswerCase], *, agent: StructureAgent | None = None, with_goal: bool = False
) -> tuple[list[Survival], float, float]:
    """Rows for the agent and the baselines at the same length, the mean length kept, and the share kept whole.

    Passages that the agent keeps whole are left out of the rows.
    """
    judged = agent or LocalStructure()
    shortened: list[tuple[AnswerCase, str]] = []
    for case in cases:
        goal = case.question if with_goal else ""
        summary = judged.structure(StructureRequest(content=case.text, task_goal=goal)).summary
        if summary != case.text.strip():
            shortened.append((case, summary))
    ways: dict[str, Shortener] = {
        "first sentences": lead_sentences,
        "first characters": lambda text, length: text[:length],
    }
    ways |= {f"random sentences {seed}": partial(random_sentences, seed=seed) for seed in range(_DRAWS)}
    rows = [_row("agent", shortened)]
    rows += [_row(name, [(case, way(case.text, len(kept))) for case, kept in shortened]) for name, way in ways.items()]
    return rows, mean(len(kept) / len(case.text) for case, kept in shortened), 1 - len(shortened) / max(1, len(cases))


def _row(name: str, shortened: Sequence[tuple[AnswerCase, str]]) -> Survival:
    found = [(things_of(case.text), kept) for case, kept in shortened]

    def share(*kinds: str) -> float:
        sets = [(set[str]().union(*(things[kind] for kind in kinds)), kept) for things, kept in found]
        return mean(mean(thing in kept for thing in wanted) for wanted, kept in sets if wanted)

    answers = mean(case.answer in kept for case, kept in shortened)
    return Survival(name, answers, share("number"), share("date"), share("name"), share(*_KINDS))


def survival_table(name: str, cases: Sequence[AnswerCase], *, with_goal: bool = False) -> Table:
    """One table: the agent, and first and random sentences of the same length."""
    rows, length, whole = survival(cases, with_goal=with_goal)
    drawn = [row for row in rows if row.name.startswith("random")]
    shown = [row for row in rows if row not in drawn]
    columns = ("answers", "numbers", "dates", "names", "things")
    figures = [(row.name, *(getattr(row, column) for column in columns)) for row in shown]
    figures.append(("random sentences", *(mean(getattr(row, column) for row in drawn) for column in columns)))
    goal = "the question as goal" if with_goal else "no goal"
    title = f"structure: {name}, {goal}: {length:.0%} of the length kept; {whole:.0%} of {len(cases)} cases left whole"
    return Table(title, ("way", *columns[:-1], "all three"), tuple(figures))


def structure_tables(*, folder: str | None = None, every: int = 1) -> Iterator[Table]:
    """What survives with and without the question as goal; of CMRC also on the half its weights were not fitted on."""
    hotpotqa, cmrc = hotpotqa_cases(folder=folder), cmrc_cases(folder=folder)
    for with_goal in (False, True):
        yield survival_table("HotpotQA", hotpotqa, with_goal=with_goal)
        yield survival_table("CMRC", cmrc[::every], with_goal=with_goal)
    texts = list(dict.fromkeys(case.text for case in cmrc))
    unseen = frozenset(texts[1::2])
    held_out = [case for case in cmrc if case.text in unseen]
    yield survival_table("CMRC, the passages its weights were not fitted on", held_out[::every])


def summaries_to_read(*, folder: str | None = None, each: int = 25) -> list[tuple[str, str]]:
    """Passages with their summaries, `each` English and as many Chinese ones, spread over the sets."""
    chosen = []
    for sample in (load_hotpotqa(folder=folder), load_cmrc(folder=folder)):
        texts = [passage.text for passage in sample.passages]
        texts = [
            text for text in texts if LocalStructure().structure(StructureRequest(content=text)).summary != text.strip()
        ]
        chosen += texts[:: max(1, len(texts) // each)][:each]
    return [(text, LocalStructure().structure(StructureRequest(content=text)).summary) for text in chosen]


def write_summaries(rows: Sequence[tuple[str, str]], folder: Path) -> Path:
    """An HTML page with passages and summaries side by side; returns its path."""
    cells = "\n".join(
        f"<tr><td>{number}</td><td>{escape(text)}</td><td>{escape(short)}</td>"
        f"<td>{len(short) / max(1, len(text)):.0%}</td></tr>"
        for number, (text, short) in enumerate(rows, start=1)
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "summaries.html"
    path.write_text(_PAGE.format(rows=cells), encoding="utf-8")
    return path
