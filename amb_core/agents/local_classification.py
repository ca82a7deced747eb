"""Splitting a text into topics without a model: lexical cohesion, how sentences open, and the visible structure."""

from collections.abc import Iterator, Sequence

from amb_core.agent_io import ClassificationAnswer, ClassificationRequest, Cluster
from amb_core.agents.chunking import chunk_spans, chunk_tokens
from amb_core.agents.repeated_units import Repeats, in_groups
from amb_core.agents.segmentation import SIZES, grouped
from amb_core.agents.text_units import Unit, is_json, lay_out
from amb_core.agents.topic_names import HeadingPath, Piece, piece_keywords, topic_of
from amb_core.settings import Settings
from amb_core.text import detect_language

__all__ = ["LocalClassification"]

_LARGEST_CHUNK = 8_000
_JSON_UNITS = 400
"""Members that are put in topics at once."""


class LocalClassification:
    """A ClassificationAgent that needs no model: deterministic, and linear in the length of the text.

    A text of up to about 200 words without search results in it is one cluster. Longer ones give clusters of roughly
    600–2,000 characters (250–900 in Chinese), cut where the words change, never over 2,500 (1,100). Each result of a
    result list is a cluster of its own. Long runs of records (rows, members, log lines) are put in groups of up to
    16,000 characters. What comes again in the same text, a paragraph or more of it, is left out there. Text over the
    window (`agent_window` × `chunk_ratio`, at most 8,000 tokens) is taken chunk by chunk; headings carry over.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._limit = min(chunk_tokens(settings or Settings()), _LARGEST_CHUNK)

    def classify(self, request: ClassificationRequest) -> ClassificationAnswer:
        """The topics of the text in order; a blank text has none."""
        text, goal = request.text, request.task_goal
        language = detect_language(text)
        pieces = list(self._pieces(text))
        spans = [_spans(text, piece.units) for piece in pieces]
        contents = ["\n\n".join(text[start:end] for start, end in parts) for parts in spans]
        words = [piece_keywords(content, goal=goal) for content in contents]
        clusters = tuple(
            Cluster(
                cluster_id=f"t{number}",
                context=topic_of(text, piece, words[number - 1], language=language, goal=goal),
                content=contents[number - 1],
                keywords=words[number - 1],
                spans=spans[number - 1],
            )
            for number, piece in enumerate(pieces, start=1)
        )
        return ClassificationAnswer(should_cluster=len(clusters) > 1, clusters=clusters)

    def _pieces(self, text: str) -> Iterator[Piece]:
        path = HeadingPath()
        repeats = Repeats(language=detect_language(text))
        for batch in self._batches(text):
            units = list(in_groups(text, repeats.fresh(text, batch)))
            if not units:
                continue
            language = detect_language(text[units[0].start : units[-1].end])
            for group in grouped(text, units, language=language):
                yield Piece(tuple(group), _titles(path, group), midway=not group[0].title)

    def _batches(self, text: str) -> Iterator[list[Unit]]:
        """Units of one chunk after the other; JSON is taken apart as a whole, because no sentence ends in it."""
        if is_json(text, 0, len(text)):
            units = lay_out(text, 0, len(text), limit=SIZES[detect_language(text)].hard)
            yield from (units[at : at + _JSON_UNITS] for at in range(0, len(units), _JSON_UNITS))
            return
        for start, end in chunk_spans(text, limit=self._limit):
            limit = SIZES[detect_language(text[start:end])].hard
            if units := lay_out(text, start, end, limit=limit):
                yield units


def _titles(path: HeadingPath, group: list[Unit]) -> tuple[str, ...]:
    """The headings over the first unit that is none; the path moves on to the end of the group."""
    titles: tuple[str, ...] | None = None
    for unit in group:
        if unit.title:
            path.enter(unit)
        if titles is None and unit.kind != "heading":
            titles = path.titles
    return path.titles if titles is None else titles


def _spans(text: str, units: Sequence[Unit]) -> tuple[tuple[int, int], ...]:
    """The stretches of text under the units: one, unless a repeat was left out between them."""
    spans: list[tuple[int, int]] = []
    for unit in units:
        if spans and not text[spans[-1][1] : unit.start].strip():
            spans[-1] = (spans[-1][0], unit.end)
        else:
            spans.append((unit.start, unit.end))
    return tuple(spans)
