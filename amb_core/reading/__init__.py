"""What a tool result is, before anybody reads its sentences: its layout, its records, and whose word it is."""

from amb_core.reading.sources import SourceIdentity, SourceSpan, identify_source, read_sources

__all__ = ["SourceIdentity", "SourceSpan", "identify_source", "read_sources"]
