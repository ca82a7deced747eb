"""What a model could be shown of a long run within a token budget: the ways AMB's block is held against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from amb_agents import LocalStructure
from amb_bench.datasets import Passage, Sample
from amb_bench.memories import BankMemory, IndexMemory
from amb_core.agent_io import StructureRequest
from amb_core.protocols import Embedder
from amb_core.rendering import head_and_tail
from amb_core.text import clip_tokens, estimate_tokens
from amb_values import sentence_spans
from amb_values.text_parts import turn_spans

__all__ = ["OPPONENTS", "Show", "amb_block"]

Show = Callable[[str, int], str]
"""(question, budget in tokens) → what is shown."""
_TITLE = 100
"""Characters of a first line that may be a title."""
_GAP = "\n\n"
_CHARS_PER_TOKEN = 16
_RANKED = 200


def full_context(sample: Sample) -> Show:
    """Everything, whatever it costs: the upper bound."""
    text = _joined(sample)
    return lambda question, budget: text


def newest(sample: Sample) -> Show:
    """A recency window: the end of the transcript, cut where the budget begins."""
    text = _joined(sample)
    return lambda question, budget: clip_tokens(text[-budget * _CHARS_PER_TOKEN :][::-1], budget)[::-1]


def beginning_and_end(sample: Sample) -> Show:
    """The beginning and the end of the transcript, half of the budget each."""
    text = _joined(sample)

    def show(question: str, budget: int) -> str:
        reach = budget * _CHARS_PER_TOKEN
        if estimate_tokens(text[: 2 * reach]) <= budget:
            return head_and_tail(text, budget, None, "en")
        head = clip_tokens(text[:reach], budget // 2)
        return f"{head}\n…\n{clip_tokens(text[-reach:][::-1], budget // 2 - 2)[::-1]}"

    return show


def ranked_passages(sample: Sample) -> Show:
    """The best passages by BM25, whole; one that does not fit is passed over for the next, the first one is cut."""
    index = _index(passage for passage in sample.passages)
    texts = {passage.id: passage.text for passage in sample.passages}

    def show(question: str, budget: int) -> str:
        ranked = [texts[name] for name in index.recall(question, k=_RANKED)]
        return _filled(ranked, budget) or clip_tokens("".join(ranked[:1]), budget)

    return show


def note_file(sample: Sample) -> Show:
    """A Markdown file with notes on every passage (title and local summary); its end, as much as fits."""
    notes = []
    for passage in sample.passages:
        title, body = _titled(passage)
        summary = LocalStructure().structure(StructureRequest(content=body)).summary
        notes.append(f"## {title or passage.source}\n{summary}")
    text = _GAP.join(notes)
    return lambda question, budget: clip_tokens(text[-budget * _CHARS_PER_TOKEN :][::-1], budget)[::-1]


@dataclass(slots=True)
class _NoteLines:
    """The lines of a file of notes, each with the heading it stands under."""

    heads: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    head_of: list[int] = field(default_factory=list)

    def show(self, chosen: Sequence[int]) -> str:
        shown: list[str] = []
        last = -1
        for number in sorted(chosen):
            if self.head_of[number] != last:
                last = self.head_of[number]
                shown.append(f"## {self.heads[last]}")
            shown.append(f"- {self.lines[number]}")
        return "\n".join(shown)


def searched_note_file(sample: Sample) -> Show:
    """A Markdown file that keeps every sentence or turn as a line under its title, searched with the question.

    The lines that rank best by BM25 (each read with its heading) are shown with their headings, in file order.
    """
    file = _NoteLines()
    for passage in sample.passages:
        title, body = _titled(passage)
        heading = title or passage.source
        if file.heads[-1:] != [heading]:
            file.heads.append(heading)
        for start, end in turn_spans(body) or sentence_spans(body):
            file.lines.append(" ".join(body[start:end].split()))
            file.head_of.append(len(file.heads) - 1)
    index = _index(
        Passage(str(number), f"{file.heads[file.head_of[number]]}\n{line}", "")
        for number, line in enumerate(file.lines)
    )

    def show(question: str, budget: int) -> str:
        chosen: list[int] = []
        headed: set[int] = set()
        room = budget
        for number in map(int, index.recall(question, k=_RANKED)):
            head = file.head_of[number]
            cost = estimate_tokens(f"- {file.lines[number]}\n")
            cost += 0 if head in headed else estimate_tokens(f"## {file.heads[head]}\n")
            if cost <= room:
                room -= cost
                chosen.append(number)
                headed.add(head)
        return file.show(chosen)

    return show


def amb_block(sample: Sample, *, embedder: Embedder | None = None) -> Show:
    """The `<memory>` block of a bank that took every passage in as a tool's output."""
    bank = BankMemory(embedder=embedder)
    for passage in sample.passages:
        bank.absorb(passage)
    return lambda question, budget: bank.block(question, budget_tokens=budget)


OPPONENTS: dict[str, Callable[[Sample], Show]] = {
    "full context (no bound)": full_context,
    "newest results": newest,
    "beginning and end": beginning_and_end,
    "BM25 over passages": ranked_passages,
    "Markdown notes, the newest": note_file,
    "Markdown notes, searched": searched_note_file,
}


def _joined(sample: Sample) -> str:
    return _GAP.join(passage.text for passage in sample.passages)


def _titled(passage: Passage) -> tuple[str, str]:
    """The title line of a passage, "" without one, and the rest."""
    title, _, body = passage.text.partition("\n")
    is_title = body.strip() and len(title) <= _TITLE and not title.rstrip().endswith(tuple(".!?。！？；;…"))
    return (title.strip(), body) if is_title else ("", passage.text)


def _index(passages: Iterable[Passage]) -> IndexMemory:
    index = IndexMemory(mode="lexical", exact=True)
    for passage in passages:
        index.absorb(passage)
    return index


def _filled(texts: Iterable[str], budget: int) -> str:
    return _GAP.join(_fitting(texts, budget))


def _fitting(texts: Iterable[str], budget: int) -> Iterator[str]:
    for text in texts:
        cost = estimate_tokens(text) + 1
        if cost <= budget:
            budget -= cost
            yield text
