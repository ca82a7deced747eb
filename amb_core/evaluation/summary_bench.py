"""What of a passage survives its summary: answers to questions about it, numbers, dates and names.

`python -m amb_core.evaluation.summary_bench [DATA]` prints the table, and summaries to be read.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from amb_core.agent_io import StructureRequest
from amb_core.agents.local_structure import LocalStructure
from amb_core.evaluation.datasets import data_folder, load_cmrc
from amb_core.evaluation.metrics import mean
from amb_core.protocols import StructureAgent
from amb_core.text import detect_language, entities, sentences, values

__all__ = [
    "AnswerCase",
    "Survival",
    "cmrc_cases",
    "hotpotqa_cases",
    "kept_things",
    "lead_sentences",
    "main",
    "random_sentences",
    "survival",
]

Shortener = Callable[[str, int], str]

_DRAWS = 3


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """A passage, a question about it, and the answer as it stands in the passage."""

    text: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Survival:
    """Shares of answers, and of numbers, dates and names, that one way of shortening keeps."""

    name: str
    answers: float
    things: float


def hotpotqa_cases(*, folder: str | None = None) -> list[AnswerCase]:
    """The gold passages that hold the answer of their question word for word."""
    path = data_folder(folder) / "hotpotqa"
    corpus = json.loads((path / "hotpotqa_train_corpus.json").read_text(encoding="utf-8"))
    cases = []
    for row in json.loads((path / "hotpotqa_train.json").read_text(encoding="utf-8")):
        for title in dict.fromkeys(title for title, _ in row["supporting_facts"]):
            text = "".join(corpus.get(title, [])).strip()
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


def kept_things(text: str, shortened: str) -> float:
    """Share of the text's numbers, dates and names that the shortened text has too; 1 when it has none."""
    wanted = {value.surface for value in values(text) if value.kind in ("number", "date")}
    wanted |= {entity.name for entity in entities(text)}
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
    return Survival(
        name,
        answers=mean(case.answer in kept for case, kept in shortened),
        things=mean(kept_things(case.text, kept) for case, kept in shortened),
    )


def main(arguments: Sequence[str]) -> None:
    """Print survival with and without the question as goal, and 25 summaries of either language."""
    folder = arguments[0] if arguments else None
    for name, cases in (("hotpotqa", hotpotqa_cases(folder=folder)), ("cmrc2018", cmrc_cases(folder=folder))):
        for with_goal in (False, True):
            rows, length, whole = survival(cases, with_goal=with_goal)
            goal = "the question as goal" if with_goal else "no goal"
            print(f"{name}, {goal}: {length:.0%} of the length kept, {whole:.0%} of {len(cases)} cases kept whole")
            for row in rows:
                print(f"  {row.name:24}answers {row.answers:.3f}  numbers, dates, names {row.things:.3f}")
        for case in [case for case in cases if len(sentences(case.text)) > 3][:: max(1, len(cases) // 75)][:25]:
            summary = LocalStructure().structure(StructureRequest(content=case.text)).summary
            print(f"\n[{detect_language(case.text)}] {case.text}\n  -> {summary}")


if __name__ == "__main__":
    main(sys.argv[1:])
