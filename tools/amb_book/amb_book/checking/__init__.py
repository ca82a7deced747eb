"""The consistency checker: a draft against what is settled, by rules or with a chat model.

checker.py  ConsistencyChecker, six rules in order; prompted_checker.py: with a model, scene by
            scene, with what bears on each (material.py); findings.py: what comes out
scene.py    a draft (draft.py) beside the book (known.py): whom it names, and who acts or speaks
            (english.py, chinese.py)
frames.py   what is not told as happening here and now
people.py   the dead; prison.py: captives; possessions.py: things that are somebody's no longer
hooks.py    hooks resolved again, or all told as settled; plans.py: steps told as past; text_overlap.py: the same words
"""

from amb_book.checking.checker import ConsistencyChecker
from amb_book.checking.findings import KINDS, KINDS_OF_RULES, DraftChecker, Evidence, Finding, FindingKind
from amb_book.checking.prompted_checker import PromptedChecker

__all__ = [
    "KINDS",
    "KINDS_OF_RULES",
    "ConsistencyChecker",
    "DraftChecker",
    "Evidence",
    "Finding",
    "FindingKind",
    "PromptedChecker",
]
