"""The consistency checker: a draft against what is settled, by rules or with a chat model.

checker.py      ConsistencyChecker, the rules in order; prompted_checker.py: with a model; findings.py: what comes out
scene.py        a draft (draft.py) beside the book (known.py): whom it names (naming.py, titled_names.py, described.py,
                item_names.py, sex.py), who acts (english.py, chinese.py), where it plays (standing.py), who speaks
                (speakers.py), and its sentences with names as signs (marked.py)
frames.py       what is not told as happening here and now; looking_back.py: what is told as done
people.py       the dead (hearsay.py: in speech; lore_of_death.py); limits.py, wounds.py, prison.py: what a state allows
places.py       two places at once; besieged.py; destroyed.py
things.py       whose a thing is (holding.py); skills.py: abilities (effects.py: by what they do)
kin.py          relations: claims.py, roles.py, kin_said.py read them, kinship.py judges them; traits.py: properties
hooks.py        riddles; plans.py: steps of the plan; both by deeds.py and content.py, whatever the words
"""

from amb_book.checking.checker import ConsistencyChecker
from amb_book.checking.findings import KINDS, Evidence, Finding, FindingKind
from amb_book.checking.prompted_checker import PromptedChecker

__all__ = ["KINDS", "ConsistencyChecker", "Evidence", "Finding", "FindingKind", "PromptedChecker"]
