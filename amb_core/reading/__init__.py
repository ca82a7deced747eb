"""What a tool result is, before anybody reads its sentences: its layout and its records.

layout.py           the layout of a text: JSON, table, log, code, prose and others
records.py          JSON and printed data as a tree; the records of machine data, with their fields
layout_passages.py  any text as passages of about one size; record_places.py: where one stands that a path names
  by layout         data_passages.py (whole records), and units, which passage_units.py joins: markup_passages.py,
                    tree_passages.py, prose_passages.py, line_passages.py
shown_parts.py      what is shown where only parts of a text are wanted: members under their keys, stretches of lines
menus.py            what of a page is navigation
outcomes.py         whether a result brought a value, or only word that its call failed
"""

from typing import TYPE_CHECKING

from amb_core.deferred import deferred
from amb_core.reading.layout import Layout, Region, detect_layout, prose_spans, read_regions
from amb_core.reading.records import TextRecord, read_records

if TYPE_CHECKING:
    from amb_agents.sources import SourceIdentity, SourceSpan, identify_source, read_sources

__all__ = [
    "Layout",
    "Region",
    "SourceIdentity",
    "SourceSpan",
    "TextRecord",
    "detect_layout",
    "identify_source",
    "prose_spans",
    "read_records",
    "read_regions",
    "read_sources",
]

_OF_SOURCES = ("SourceIdentity", "SourceSpan", "identify_source", "read_sources")
"""Whose word a text is; disputes alone ask for it."""
__getattr__ = deferred(__name__, dict.fromkeys(_OF_SOURCES, "/amb_agents.sources"), renamed={"Record": "TextRecord"})
