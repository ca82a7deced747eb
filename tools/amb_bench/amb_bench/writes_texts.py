"""Tool outputs of a given size, made of real passages; and streams with contradictions planted in them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from amb_bench.datasets import Sample, load_cmrc, load_hotpotqa, load_locomo
from amb_bench.value_changes import changed_value_pairs
from amb_core.text import clip_tokens, estimate_tokens
from amb_values import sentences

__all__ = ["GOALS", "SETS", "Output", "Planted", "early_notes", "outputs", "planted", "sample_of"]

Folder = str | os.PathLike[str] | None
SETS = ("hotpotqa", "cmrc", "locomo")
GOALS = {
    "hotpotqa": "Which people, places and works do these sources speak of, and how are they connected?",
    "cmrc": "这些资料讲了哪些人物、地点和事件，它们之间有什么联系？",
    "locomo": "What have the two speakers done, planned and liked, and when?",
}
"""What a bank over each set is for."""
_NOTE_TOKENS = 100
_PROBE = {"hotpotqa": 40, "cmrc": 12, "locomo": 30}
"""Characters a sentence needs to be asked for."""
_AROUND = 200
"""Tokens of another passage that come with a planted statement."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool returned: its text, where it is from, and a sentence of it to ask for afterwards."""

    text: str
    source: str
    probe: str


@dataclass(frozen=True, slots=True)
class Planted:
    """Two outputs, the later of which states a value otherwise than the earlier."""

    first: Output
    second: Output
    kind: str


def sample_of(name: str, *, folder: Folder) -> Sample:
    """The passages of a set; the dialogues one after the other."""
    if name == "locomo":
        turns = chain.from_iterable(sample.passages for sample in load_locomo(folder=folder))
        return Sample(name, tuple(turns), ())
    return load_cmrc(folder=folder) if name == "cmrc" else load_hotpotqa(folder=folder)


def outputs(sample: Sample, *, name: str, size: int, count: int) -> list[Output]:
    """`count` outputs of about `size` tokens from the beginning of a set, each of other passages."""
    passages = iter([passage.text for passage in sample.passages])
    return [
        Output(text, f"{name}/{size}/{number}", _probe(text, name))
        for number, text in enumerate(islice(_of_size(passages, size, name), count))
    ]


def early_notes(sample: Sample, *, name: str, count: int) -> list[Output]:
    """`count` short outputs from the end of a set, to fill a bank with."""
    passages = iter([passage.text for passage in reversed(sample.passages)])
    found = islice(_of_size(passages, _NOTE_TOKENS, name), count)
    return [Output(text, f"{name}/note/{number}", "") for number, text in enumerate(found)]


def planted(sample: Sample, *, name: str, count: int) -> list[Planted]:
    """`count` pairs from different passages; the changed statement stands among other text."""
    chinese = name == "cmrc"
    seen: set[str] = set()
    found: list[Planted] = []
    others = [passage.text for passage in reversed(sample.passages)]
    for pair in changed_value_pairs(sample, chinese=chinese, whole=True):
        if pair.conflict and pair.kind in ("number", "date", "name") and pair.a not in seen:
            seen.add(pair.a)
            number = len(found)
            around = clip_tokens(others[number], _AROUND)
            first = Output(pair.a, f"{name}/first/{number}", "")
            found.append(Planted(first, Output(f"{pair.b}\n\n{around}", f"{name}/second/{number}", ""), pair.kind))
        if len(found) == count:
            break
    return found


def _of_size(passages: Iterator[str], size: int, name: str) -> Iterator[str]:
    """Passages joined until they have `size` tokens; what is left of the last one is not used again."""
    joint = "\n" if name == "locomo" else "\n\n"
    parts: list[str] = []
    tokens = 0
    for passage in passages:
        parts.append(passage)
        tokens += estimate_tokens(passage)
        if tokens >= size:
            yield clip_tokens(joint.join(parts), size)
            parts, tokens = [], 0


def _probe(text: str, name: str) -> str:
    """A sentence from the second half: what was cut off or left out early is not asked for."""
    said: Sequence[str] = [one for one in sentences(text) if len(one) >= _PROBE[name]] or [text]
    return said[len(said) * 2 // 3 if len(said) > 1 else 0].strip()
