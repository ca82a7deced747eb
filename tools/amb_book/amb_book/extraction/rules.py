"""Patterns over sentences with marked names, and what they say when they fit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["TRADES", "Rule", "Said", "compiled"]

_MACRO = re.compile(r"@([a-z]\d?):(CS|C|L|I|G|A|T)(?![A-Za-z])")
TRADES = (
    "ferryman|ferrywoman|thief|scribe|blacksmith|smith|farmer|soldier|healer|physician|doctor|merchant|"
    "sailor|fisherman|hunter|priest|priestess|monk|nun|"
    "knight|spy|assassin|scholar|teacher|innkeeper|baker|weaver|carpenter|mason|miller|shepherd|bard|"
    "musician|painter|poet|cook|servant|guard|mercenary|"
    "lamp-maker|lampmaker|bookbinder|potter|tailor|tanner|herbalist|alchemist|wizard|witch|sorcerer|"
    "sorceress|mage|swordsman|swordswoman|archer|thief-taker|"
    "lawyer|notary|clerk|nurse|midwife|librarian|astronomer|navigator|pirate|smuggler|gravedigger|"
    "executioner|gardener|groom|stable boy|detective|journalist|clergyman|attorney|surgeon|apothecary|housekeeper|"
    "butler|valet|footman|maid|governess|steward|coachman|landlord|landlady|publican|magistrate|beadle|undertaker|"
    "banker|tradesman|boatswain|coxswain|mate|cabin-boy|quartermaster|gunner|sea-cook|squire|mercer|procurator|lackey|"
    "musketeer|guardsman|curate|rector|vicar|parson|lieutenant|ensign|captain|colonel|sergeant|postman|policeman|"
    "engineer|astronomer|artilleryman|professor|chemist|student|nobleman|gamekeeper|laundress|seamstress|milliner|"
    "wood-sawyer|wine-vendor|jailer|gaoler|turnkey|waiter|waitress|driver|pilot|actor|actress|singer|dancer|"
    "carter|plumber|electrician|accountant|barber|butcher|barista|bartender|programmer|photographer|reporter"
)
_NUMBERS = (
    "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|"
    "eight|nine))?|"
    "(?:four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
)
_CLASSES = {
    "C": r"<c\d+>",
    "CS": r"<c\d+>(?:(?:,? and |, |、|和|与|同|跟|带着|领着|随|跟着)<c\d+>)*",
    "L": r"<l\d+>",
    "G": r"<[gl]\d+>",
    "A": r"<a\d+>",
    "T": r"<[il]\d+>",
    "I": r"<i\d+>",
}


@dataclass(frozen=True, slots=True)
class Said:
    """One thing a rule says: `relation` of the group `subject` to `object`, a group or a word as it stands."""

    relation: str
    subject: str
    object: str
    attribute: str = ""

    @property
    def ends(self) -> bool:
        """Whether it says that something is over."""
        return self.relation.startswith("-")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, what it says, and how sure that is; `now` for what has to be told as holding at present."""

    pattern: re.Pattern[str]
    says: tuple[Said, ...]
    confidence: float
    now: bool = False


def compiled(rows: Iterable[tuple[str, str, float]], *, item: str = "", ability: str = "") -> tuple[Rule, ...]:
    """Rules from rows of pattern, what it says and confidence."""
    classes = {**_CLASSES, **({"I": item} if item else {}), **({"A": ability} if ability else {})}
    return tuple(_rule(pattern, says, confidence, classes) for pattern, says, confidence in rows)


def _rule(pattern: str, says: str, confidence: float, classes: dict[str, str]) -> Rule:
    told, _, flags = says.partition(" !")
    spelt = _MACRO.sub(lambda found: f"(?P<{found[1]}>{classes[found[2]]})", pattern)
    spelt = spelt.replace("AGE", _NUMBERS).replace("TRADE", f"(?:{TRADES})")
    spelt = _grouped(spelt)
    return Rule(re.compile(spelt), tuple(_said(each) for each in told.split("; ")), confidence, now=flags == "now")


def _grouped(pattern: str) -> str:
    """`@n:` before a group names that group; before anything else, what follows it up to the end or a look-ahead."""
    while (place := pattern.find("@n:")) >= 0:
        rest = pattern[place + 3 :]
        if rest.startswith("(?:"):
            pattern = f"{pattern[:place]}(?P<n>{rest[3:]}"
        else:
            end = next((at for mark in ("(?=", "(?!") if (at := rest.find(mark)) >= 0), len(rest))
            pattern = f"{pattern[:place]}(?P<n>{rest[:end]}){rest[end:]}"
    return pattern


def _said(told: str) -> Said:
    relation, subject, *others = told.split(" ")
    if relation == "HAS":
        return Said(relation, subject, others[1], others[0])
    return Said(relation, subject, others[0])
