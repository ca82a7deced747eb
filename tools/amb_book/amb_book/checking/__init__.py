"""The consistency checker: a draft against what is settled, by rules or with a chat model.

checker.py  ConsistencyChecker, six rules in order; prompted_checker.py: with a model; findings.py: what comes out
scene.py    a draft (draft.py) beside the book (known.py): whom it names (name_index.py), and who acts or speaks
            (english.py with english_words.py, chinese.py)
frames.py   what is not told as happening here and now (draft_frame_words.py); retrospect.py: what is told as done
people.py   the dead (hearsay.py: in speech; lore_of_death.py); prison.py: captives; destroyed_things.py: things,
            places
hooks.py    hooks resolved again, or all told as settled; plans.py: steps of the plan (deeds.py, text_overlap.py)
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
