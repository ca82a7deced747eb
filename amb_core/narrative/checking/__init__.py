"""The consistency checker: a draft against what is settled, by rules or with a chat model."""

from amb_core.narrative.checking.checker import ConsistencyChecker
from amb_core.narrative.checking.findings import KINDS, Evidence, Finding, FindingKind
from amb_core.narrative.checking.prompted_checker import PromptedChecker

__all__ = ["KINDS", "ConsistencyChecker", "Evidence", "Finding", "FindingKind", "PromptedChecker"]
