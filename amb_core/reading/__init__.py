"""What a tool result is, before anybody reads its sentences: its layout, its records, and whose word it is."""

from amb_core.reading.layout import Layout, Region, detect_layout, prose_spans, read_regions
from amb_core.reading.records import Record, read_records
from amb_core.reading.sources import SourceIdentity, SourceSpan, identify_source, read_sources

__all__ = [
    "Layout",
    "Record",
    "Region",
    "SourceIdentity",
    "SourceSpan",
    "detect_layout",
    "identify_source",
    "prose_spans",
    "read_records",
    "read_regions",
    "read_sources",
]
