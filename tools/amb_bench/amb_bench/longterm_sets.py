"""Long-term memory on sets by others beside BM25, FactConsolidation and BEAM, and on statements that change others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from amb_bench.bench_metrics import recall_at
from amb_bench.datasets import data_folder, load_locomo
from amb_bench.tables import Table
from amb_core.clock import ManualClock
from amb_core.errors import AmbError, UnreadableSource
from amb_core.protocols import Embedder
from amb_longterm import LongTermMemory, LongTermSettings
from amb_longterm.sureness import Asked, sureness

__all__ = ["beam_table", "change_table", "fact_table", "sure_table"]

_PAIRS = Path(__file__).with_name("change_pairs.jsonl")
_SAID = Path(__file__).with_name("said_messages.jsonl")
_FACT = re.compile(r"(?m)^\d+\. (.*)$")
_NEAR, _DEPTH = 1, 20
"""Scores that agree to so many digits are near equal, among so many of the first."""
_SPACE = "domain_facts/u1"
_USER = "user_profile/u1"
_UNANSWERABLE = 5
"""The category of LoCoMo's questions that have no answer."""
_Sign: TypeAlias = tuple[float, float]
_Ranker = Callable[[str, int], list[tuple[int, float]]]
"""The numbers of the best texts for a question, with their scores."""


def fact_table(*, quick: bool = False) -> Table:
    """FactConsolidation of MemoryAgentBench: of several values of one thing, is the newest the first hit?"""
    columns = ("FactConsolidation", "memory first", "among five", "BM25 first", "BM25 newest first", "among five")
    rows: list[tuple[str | float, ...]] = []
    try:
        sets = json.loads(_file("fact_consolidation.json").read_text(encoding="utf-8"))
        for each in sets[:1] if quick else sets:
            rows.append(_facts(each))
    except (AmbError, ImportError) as error:
        rows.append((str(error), *("–",) * 5))
    return Table("facts told several times", columns, tuple(rows), name="longterm facts")


def beam_table(embedder: Embedder | None = None, *, quick: bool = False) -> Table:
    """BEAM: the long messages of chats, and for each question the share of its messages among the first ones."""
    columns = ("BEAM, 100K", "questions", "memory, of 5", "of 10", "BM25, of 5", "of 10")
    found: dict[str, list[tuple[float, ...]]] = {}
    try:
        chats = [line for name in sorted(_folder().glob("beam_*.jsonl")) for line in name.open(encoding="utf-8")]
        if not chats:
            raise UnreadableSource(f"no beam_*.jsonl in {_folder()}")
        for line in chats[:2] if quick else chats:
            for category, figures in _chat(json.loads(line), embedder):
                found.setdefault(category, []).append(figures)
    except (AmbError, ImportError) as error:
        return Table("long messages", columns, ((str(error), *("–",) * 5),), name="longterm beam")
    every = [figures for of_one in found.values() for figures in of_one]
    rows: list[tuple[str | float, ...]] = [(name.replace("_", " "), *_means(found[name])) for name in sorted(found)]
    return Table("long messages", columns, (*rows, ("all", *_means(every))), name="longterm beam")


def change_table(embedder: Embedder | None = None) -> Table:
    """Statements of a user that change earlier ones in free words, or something else; development figures."""
    columns = ("pairs", "of", "the newer first", "the older alone")
    rows: list[tuple[str | float, ...]] = []
    for name in ("first", "second", "third", "fourth", "fifth"):
        found = [each for language in ("en", "zh") for each in _changed(_pairs(name, language), language, embedder)]
        rows.append((name, len(found), sum(new < old for old, new in found), sum(old < 9 <= new for old, new in found)))
    alone = ((pair, language) for language in ("en", "zh") for pair in _pairs("unchanged", language))
    found = [each for pair, language in alone for each in _changed([pair], language, embedder)]
    first, older = sum(new < old for old, new in found), sum(old < 9 <= new for old, new in found)
    rows.append(("something else changed", len(found), first, older))
    return Table("told anew in free words", columns, tuple(rows), name="longterm changes")


def _changed(pairs: Sequence[dict[str, Any]], language: str, embedder: Embedder | None) -> Iterator[tuple[int, int]]:
    """The places of the old and the new statement of each pair among five hits, 9 for none, among 40 others."""
    others = [each["old"] for each in _pairs("other", language)]
    half = len(others) // 2
    with _opened(embedder, step=3_600) as memory:
        olds, news = ([each[key] for each in pairs] for key in ("old", "new"))
        _tell(memory, [*others[:half], *olds, *others[half:], *news], space=_USER, kind="user-profile")
        for each in pairs:
            hits = [hit.content for hit in memory.search(each["asked"], namespace=_USER, top_k=5)]
            old, new = (hits.index(text) if text in hits else 9 for text in (each["old"], each["new"]))
            yield old, new


def said_table() -> Table:
    """Messages of users, and what of them `remember` keeps without a model; development figures."""
    columns = ("messages", "of", "kept as they should be", "of those with something to keep", "without")
    rows: list[tuple[str | float, ...]] = []
    for name, language in product(("first", "second", "third", "fourth", "fifth"), ("en", "zh")):
        told = _pairs(name, language, _SAID)
        right = {True: 0, False: 0}
        for each in told:
            with _opened(None, step=60) as memory:
                for before in each.get("before", ()):
                    memory.remember(before, user="u1")
                known = {record.id for space in memory.namespaces() for record in memory.records(space)}
                memory.remember([{"role": "user", "content": each["text"]}], user="u1")
                there = [record for space in memory.namespaces() for record in memory.records(space)]
                kept = "\n".join(record.content for record in there if record.id not in known)
            held = all(part in kept for part in each["kept"]) and not any(part in kept for part in each["not"])
            right[bool(each["kept"])] += held and bool(each["kept"]) == bool(kept)
        rows.append((f"{name}, {language}", len(told), sum(right.values()), right[True], right[False]))
    return Table("what is kept of a message", columns, tuple(rows), name="longterm said")


def sure_table(embedder: Embedder | None = None) -> Table:
    """Questions with and without an answer: AUC of what `sure` is read off, and how many of those without an answer are
    unsure where 5, 10, 20 or 30 % of those with one are. By language statements of a user; LoCoMo's two last talks,
    whose other questions name somebody known with something that he has not done.
    """
    shares = (5, 10, 20, 30)
    columns = (
        "questions",
        "with, without an answer",
        "AUC",
        "AUC of score",
        *(f"unsure at {each} %" for each in shares),
    )
    asked = [("English", _everyday("en", embedder)), ("Chinese", _everyday("zh", embedder))]
    with suppress(AmbError):
        asked.append(("LoCoMo, two talks", _of_talks(embedder)))
    rows: list[tuple[str | float, ...]] = []
    for name, (known, unknown) in asked:
        limits = [sorted(sure for sure, _ in known)[len(known) * share // 100] for share in shares]
        curve = [100 * sum(sure < limit for sure, _ in unknown) / len(unknown) for limit in limits]
        areas = [_area(*([each[place] for each in part] for part in (known, unknown))) for place in (0, 1)]
        rows.append((name, f"{len(known)}, {len(unknown)}", *areas, *curve))
    return Table("is it known at all", columns, tuple(rows), name="longterm sure")


def _everyday(language: str, embedder: Embedder | None) -> tuple[list[_Sign], list[_Sign]]:
    """Signs of questions about statements of which half are there; of those without an answer behind the others."""
    pairs = [*_pairs("third", language), *_pairs("fourth", language)]
    others = [each["old"] for each in _pairs("other", language)]
    found: tuple[list[_Sign], list[_Sign]] = ([], [])
    for kept in (pairs[::2], pairs[1::2]):
        with _opened(embedder, step=60) as memory:
            _tell(memory, [*others, *(each["old"] for each in kept)], space=_USER, kind="user-profile")
            for each in pairs:
                found[each not in kept].append(_sign(memory, each["asked"], space=_USER))
    return found


def _of_talks(embedder: Embedder | None) -> tuple[list[_Sign], list[_Sign]]:
    found: tuple[list[_Sign], list[_Sign]] = ([], [])
    talks = json.loads(data_folder(None).joinpath("locomo", "locomo10.json").read_text(encoding="utf-8"))
    for sample, talk in [*zip(load_locomo(), talks, strict=True)][-2:]:
        with _opened(embedder, step=60) as memory:
            _tell(memory, [passage.text for passage in sample.passages], space=_SPACE)
            unanswerable = [qa["question"] for qa in talk["qa"] if qa["category"] == _UNANSWERABLE]
            for place, questions in enumerate(([each.text for each in sample.questions], unanswerable)):
                found[place].extend(_sign(memory, each, space=_SPACE) for each in questions)
    return found


def _sign(memory: LongTermMemory, question: str, *, space: str) -> _Sign:
    """How sure the surest of five hits is, and the highest score."""
    hits, asked = memory.search(question, namespace=space, top_k=5), Asked.of(question)
    sure = max((sureness(asked, hit.content, held=hit.similarity) for hit in hits), default=0.0)
    return sure, max((hit.score for hit in hits), default=0.0)


def _area(known: Sequence[float], unknown: Sequence[float]) -> float:
    """AUC: how often a question with an answer is above one without."""
    return sum((yes > no) + 0.5 * (yes == no) for yes, no in product(known, unknown)) / (len(known) * len(unknown))


def _facts(each: dict[str, Any]) -> tuple[str | float, ...]:
    facts = _FACT.findall(each["context"])
    ranked = _bm25(facts)
    counts = [0] * 5
    asked = 0
    with _opened(None, step=60) as memory:
        _tell(memory, facts, space=_SPACE)
        for question, answers in zip(each["questions"], each["answers"], strict=True):
            right = [any(answer.casefold() in fact.casefold() for answer in answers) for fact in facts]
            if not any(right):
                continue
            asked += 1
            hits = [hit.content for hit in memory.search(question, namespace=_SPACE, top_k=5)]
            ours = [right[len(facts) - 1 - facts[::-1].index(text)] for text in hits]
            found = ranked(question, _DEPTH)
            words, newest = [number for number, _ in found][:5], _newest_first(found)
            for place, is_right in enumerate(
                (
                    ours[:1],
                    ours,
                    [right[n] for n in words[:1]],
                    [right[n] for n in newest[:1]],
                    [right[n] for n in words],
                )
            ):
                counts[place] += any(is_right)
    source = str(each["source"]).removeprefix("factconsolidation_")
    return (f"{source}, {len(facts)} facts, {asked} questions", *(100 * count / max(asked, 1) for count in counts))


def _chat(chat: dict[str, Any], embedder: Embedder | None) -> Iterator[tuple[str, tuple[float, ...]]]:
    messages = [message for message in chat["messages"] if message[3].strip()]
    ids, texts = [message[0] for message in messages], [message[3] for message in messages]
    ranked, by_record = _bm25(texts), dict[str, Any]()
    with _opened(embedder, step=60) as memory:
        for name, text in zip(ids, texts, strict=True):
            by_record.setdefault(memory.write(text, namespace=_SPACE).id, name)
        for category, question, _, gold, _ in chat["questions"]:
            if not (there := {*gold} & {*ids}):
                continue
            ours = [by_record[hit.id] for hit in memory.search(question, namespace=_SPACE, top_k=10)]
            words = [ids[number] for number, _ in ranked(question, 10)]
            figures = (recall_at(found, tuple(there), k=k) for found in (ours, words) for k in (5, 10))
            yield category, tuple(100 * figure for figure in figures)


def _bm25(texts: Sequence[str]) -> _Ranker:
    """BM25 as the library bm25s has it, with stems and without English stop words."""
    library, stemmer = import_module("bm25s"), import_module("Stemmer").Stemmer("english")
    cut = partial(library.tokenize, stopwords="en", stemmer=stemmer, show_progress=False)
    index = library.BM25()
    index.index(cut(list(texts)), show_progress=False)

    def ranked(question: str, k: int) -> list[tuple[int, float]]:
        numbers, scores = index.retrieve(cut([question]), k=min(k, len(texts)), show_progress=False)
        return [(int(number), float(score)) for number, score in zip(numbers[0], scores[0], strict=True) if score > 0]

    return ranked


def _newest_first(found: Sequence[tuple[int, float]]) -> list[int]:
    """Those of near-equal scores the newest first."""
    return [number for number, _ in sorted(found, key=lambda each: (-round(each[1], _NEAR), -each[0]))]


def _opened(embedder: Embedder | None, *, step: float) -> LongTermMemory:
    clock, settings = ManualClock(1_750_000_000, step=step), LongTermSettings(max_content_chars=2_000_000)
    return LongTermMemory("memory://", embedder=embedder, clock=clock, redactor=None, settings=settings)


def _tell(memory: LongTermMemory, texts: Sequence[str], *, space: str, kind: str = "domain-facts") -> None:
    for text in texts:
        memory.write(text, namespace=space, metadata={"type": kind})


def _pairs(name: str, language: str, file: Path = _PAIRS) -> list[dict[str, Any]]:
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if (row["set"], row["language"]) == (name, language)]


def _means(figures: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return (len(figures), *(sum(column) / len(figures) for column in zip(*figures, strict=True)))


def _folder() -> Path:
    return data_folder(None).joinpath("longterm")


def _file(name: str) -> Path:
    path = _folder() / name
    if not path.is_file():
        raise UnreadableSource(f"no {name} in {path.parent}: set AMB_DATA to the folder that holds longterm/")
    return path
