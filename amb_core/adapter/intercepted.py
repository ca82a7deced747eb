"""What became of a turn that was given to memory."""

from __future__ import annotations

from dataclasses import dataclass

from amb_core.memory.reports import AbsorbReport
from amb_core.models import InsightDoc

__all__ = ["Intercepted"]


@dataclass(frozen=True, slots=True)
class Intercepted:
    """What became of a turn: a report per absorbed result, how many were passed over, how many memory refused.

    Passed over are AMB's own block, `deep_retrieval` output, blank results, and what was absorbed before.
    """

    reports: tuple[AbsorbReport, ...]
    insight: InsightDoc
    skipped: int = 0
    failed: int = 0
