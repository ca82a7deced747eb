"""Graph stores: a view on the records of any record store."""

from amb_core.narrative.graph.record_graph import RecordGraph

__all__ = ["RecordGraph"]
