"""Where the entries of a bank are prose, and whose word each stretch of it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from amb_core.agent_io import Passage
from amb_core.models import InteractionEntry
from amb_core.reading import SourceSpan, prose_spans, read_sources

__all__ = ["passages_in", "prose_of"]


def prose_of(entry: InteractionEntry) -> tuple[SourceSpan, ...]:
    """The prose of an entry by source, in order; machine data are left out."""
    prose = prose_spans(entry.text)
    sources = read_sources(entry.metadata, entry.text) if prose else ()
    return tuple(
        SourceSpan(max(start, source.start), min(end, source.end), source.identity)
        for start, end in prose
        for source in sources
        if source.start < end and start < source.end
    )


def passages_in(
    entry: InteractionEntry, prose: Sequence[SourceSpan], spans: Iterable[tuple[int, int]]
) -> tuple[Passage, ...]:
    """The prose under some spans of an entry; `prose` is what `prose_of` says of it."""
    cut = (
        (max(start, one.start), min(end, one.end), one.identity)
        for start, end in spans
        for one in prose
        if one.start < end and start < one.end
    )
    return tuple(
        Passage(text=entry.text[start:end], document=whose.document, site=whose.site) for start, end, whose in cut
    )
