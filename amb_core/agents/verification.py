"""What a verification says about two contradicting values: who is supported, by how many sentences, how plainly."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.agents.alignment import same_question
from amb_core.agents.contradiction import Contradiction
from amb_core.agents.quantities import Slot, compare
from amb_core.agents.questions import claims_agree
from amb_core.agents.slot_finding import find_slots
from amb_core.agents.statements import Statement, statements
from amb_core.text import index_tokens, sentences, values

__all__ = ["Verdict", "weigh", "weigh_words"]

_CORRECTION = re.compile(
    r"\b(?:correct(?:ed|ion|s)?|revis(?:ed|ion)|amended|erratum|errata|actual(?:ly)?|in fact|mistaken(?:ly)?"
    r"|wrong(?:ly)?"
    r"|erroneous(?:ly)?|incorrect(?:ly)?|misprint|misstated|misreported|rather than|instead of|not\b.{1,40}\bbut"
    r"|confirmed|verified|contrary to)\b"
    r"|更正|勘误|订正|纠正|应为|实为|实际(?:上|为|是)|而非|而不是|误(?:写|作|报|称|记|为)|并非|有误|错误|不实|核实|确认",
    re.IGNORECASE,
)
# What stands directly after one of these is what was wrong.
_WRONG_BEFORE = re.compile(
    r"(?:\b(?:not|from|rather than|instead of|wrongly|erroneously|mistakenly|incorrectly|misreported|misstated|earlier"
    r"|previous(?:ly)?|originally|contrary to)\b[^.;,]{0,40}"
    r"|(?:并非|不是|而非|而不是|误(?:写|作|报|称|记)?(?:成|为|作)?|由|从|原(?:来|先|写|报)?)[^，。；]{0,12})$",
    re.IGNORECASE,
)
_WRONG_AFTER = re.compile(
    r"^[^.;,]{0,30}\b(?:(?:is|was|were|are) (?:wrong|incorrect|mistaken|an error|a misprint|outdated|false)|in error)\b"
    r"|^[^，。；]{0,10}(?:有误|是错误的|系误|不实|错误|不准确)",
    re.IGNORECASE,
)
_RIGHT_BEFORE = re.compile(
    r"(?:\bto\b|\bbut\b|\bis\b|更正为|应为|实为|改为|而是|确认为|为|是)[^.;,，。；]{0,12}$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which value a verification supports.

    `winner` is 0 or 1 for the first or second value, 2 for a third one, None when nothing is settled; `value` and
    `sentence` are the supported value and the first sentence that says so; `support` counts the independent
    sentences for the first, the second and the best third value; `explicit` says that a correction decided.
    """

    winner: int | None
    value: str = ""
    sentence: str = ""
    support: tuple[int, int, int] = (0, 0, 0)
    explicit: bool = False
    slot: Slot | None = None
    polarity: bool = True


@dataclass(frozen=True, slots=True)
class _Vote:
    side: int
    key: str
    value: str
    sentence: str
    explicit: bool
    slot: Slot | None
    polarity: bool = True


def weigh(pair: Contradiction, verification: str) -> Verdict:
    """What `verification` says about the two values of a contradiction."""
    votes: list[_Vote] = []
    for statement in statements(verification, topic=pair.a.subject or pair.b.subject):
        if pair.kind == "polarity":
            votes.extend(_polarity_votes(pair, statement))
        elif statement.slot is not None and statement.kind == pair.kind:
            votes.extend(_value_votes(pair, statement))
    for sentence in sentences(verification):
        votes.extend(_correction_votes(pair, sentence))
        votes.extend(_verbatim_votes(pair, sentence))
    return _count(votes)


# --- votes -----------------------------------------------------------------------------------------------------------


def _answers(statement: Statement, known: Statement) -> bool:
    """Whether a statement of the verification speaks of what `known` speaks of; looser than `same_question`."""
    if same_question(statement, known) or claims_agree(statement, known):
        return True
    if statement.chinese != known.chinese or statement.polarity != known.polarity:
        return False
    if statement.subjects and known.subjects and statement.subjects.isdisjoint(known.subjects):
        return False
    if not statement.subjects and statement.named:
        return False
    if (
        statement.scope
        and known.scope
        and not any(compare(x, y) == "same" for x in statement.scope for y in known.scope)
    ):
        return False
    wanted = {word for word in known.head | known.frame if word[0] != "="}
    shared = wanted & (statement.head | statement.frame)
    if not shared or (known.head - statement.head - statement.frame and statement.head - known.head - known.frame):
        return False
    return any(word[0] == "@" for word in shared) or len(shared) * 2 >= len(wanted)


def _fully_answers(statement: Statement, pair: Contradiction) -> bool:
    """Whether a statement with a third value surely speaks of the matter: it has all of the attribute's words."""
    if claims_agree(statement, pair.a) or claims_agree(statement, pair.b):
        return True
    plain = {word for word in pair.a.words & pair.b.words if word[0] != "="}
    return bool(plain) and plain <= statement.words


def _value_votes(pair: Contradiction, statement: Statement) -> list[_Vote]:
    if statement.slot is None or pair.a.slot is None or pair.b.slot is None:
        return []
    if not (_answers(statement, pair.a) or _answers(statement, pair.b)):
        return []
    first, second = compare(statement.slot, pair.a.slot), compare(statement.slot, pair.b.slot)
    side = {("same", "different"): 0, ("different", "same"): 1, ("different", "different"): 2}.get((first, second))
    if side is None or (side == 2 and not _fully_answers(statement, pair)):
        return []
    return [_vote(side, statement.slot, statement.sentence, explicit=False)]


def _vote(side: int, slot: Slot, sentence: str, *, explicit: bool) -> _Vote:
    key = f"{slot.low}|{slot.high}|{'/'.join(sorted(slot.keys))}" if side == 2 else str(side)
    return _Vote(side, key, slot.surface, sentence, explicit, slot)


def _polarity_votes(pair: Contradiction, statement: Statement) -> list[_Vote]:
    if statement.kind != "polarity":
        return []
    for side, known in ((0, pair.a), (1, pair.b)):
        same_words = statement.head | statement.frame == known.head | known.frame
        subject = not statement.subjects.isdisjoint(known.subjects) or not known.subjects
        told = same_words and subject and statement.polarity == known.polarity
        if told or claims_agree(statement, known):
            return [_Vote(side, str(side), known.value, statement.sentence, False, None, known.polarity)]
    return []


def _verbatim_votes(pair: Contradiction, sentence: str) -> list[_Vote]:
    """A vote of a sentence that one of the nodes has word for word."""
    for side, known in ((0, pair.a), (1, pair.b)):
        if _folded(sentence) == _folded(known.sentence):
            return [_Vote(side, str(side), known.value, sentence, False, known.slot, known.polarity)]
    return []


def _correction_votes(pair: Contradiction, sentence: str) -> list[_Vote]:
    """Votes of a sentence that corrects: "was corrected from X to Y", "not X but Y", "更正为Y"."""
    if pair.a.slot is None or pair.b.slot is None or not _CORRECTION.search(sentence):
        return []
    # "from 12 to 18" is no range here
    each = [end for slot in find_slots(sentence, values(sentence)) for end in slot.ends or (slot,)]
    found = [slot for slot in each if compare(slot, pair.a.slot) != "incomparable"]
    known = [slot for slot in found if "same" in (compare(slot, pair.a.slot), compare(slot, pair.b.slot))]
    if not known and not _speaks_of(pair, sentence):
        return []
    votes = []
    for slot in found:
        side = 0 if compare(slot, pair.a.slot) == "same" else 1 if compare(slot, pair.b.slot) == "same" else 2
        if _is_called_wrong(slot, sentence):
            continue
        if side == 2 and not _speaks_of(pair, sentence) and not known:
            continue
        votes.append(_vote(side, slot, sentence, explicit=True))
    return votes if len({vote.key for vote in votes}) == 1 else []


def _is_called_wrong(slot: Slot, sentence: str) -> bool:
    left, right = sentence[: slot.start], sentence[slot.end :]
    if _WRONG_AFTER.search(right):
        return True
    wrong, right_cue = _WRONG_BEFORE.search(left), _RIGHT_BEFORE.search(left)
    return wrong is not None and (right_cue is None or right_cue.start() <= wrong.start())


def _speaks_of(pair: Contradiction, sentence: str) -> bool:
    wanted = set(index_tokens(f"{pair.subject}"))
    return len(wanted & set(index_tokens(sentence))) * 2 >= max(1, len(wanted))


# --- counting --------------------------------------------------------------------------------------------------------


def _count(votes: Sequence[_Vote]) -> Verdict:
    """The winner by corrections where there are any, else by the number of different sentences."""
    votes = _one_side_each(votes)
    explicit = [vote for vote in votes if vote.explicit]
    for group in (explicit, votes):
        supporters: dict[str, dict[str, _Vote]] = {}
        for vote in group:
            supporters.setdefault(vote.key, {}).setdefault(_folded(vote.sentence), vote)
        ranked = sorted(supporters.values(), key=len, reverse=True)
        if ranked and (len(ranked) == 1 or len(ranked[0]) > len(ranked[1])):
            best = next(iter(ranked[0].values()))
            return Verdict(
                winner=best.side,
                value=best.value,
                sentence=best.sentence,
                support=_support(votes),
                explicit=group is explicit,
                slot=best.slot,
                polarity=best.polarity,
            )
    return Verdict(None, support=_support(votes))


def _one_side_each(votes: Sequence[_Vote]) -> list[_Vote]:
    """A sentence with one of the values says nothing of a third; one with both says nothing unless it corrects."""
    sides: dict[str, set[int]] = {}
    for vote in votes:
        sides.setdefault(_folded(vote.sentence), set()).add(vote.side)
    kept = []
    for vote in votes:
        told = sides[_folded(vote.sentence)] & {0, 1}
        if vote.explicit or (len(told) < 2 and (vote.side in told or not told)):
            kept.append(vote)
    return kept


def _support(votes: Sequence[_Vote]) -> tuple[int, int, int]:
    first, second, third = ({_folded(v.sentence) for v in votes if v.side == side} for side in (0, 1, 2))
    return len(first), len(second), len(third)


def _folded(sentence: str) -> str:
    return " ".join(sentence.casefold().split())


# --- without aligned statements --------------------------------------------------------------------------------------


def weigh_words(subject: str, said: Sequence[str], verification: str) -> Verdict:
    """The same for values that are only known as text: sentences that name the subject and one of the values.

    Used where the disagreement was found by somebody else (a model) and cannot be aligned.
    """
    wanted = set(index_tokens(subject))
    votes: list[_Vote] = []
    for sentence in sentences(verification):
        tokens = set(index_tokens(sentence))
        if wanted and len(wanted & tokens) * 2 < len(wanted):
            continue
        present = [side for side, value in enumerate(said[:2]) if _says(sentence, value)]
        explicit = bool(_CORRECTION.search(sentence))
        if len(present) == 2 and explicit:
            present = [side for side in present if not _is_called_wrong(_found(sentence, said[side]), sentence)]
        if len(present) == 1:
            side = present[0]
            votes.append(_Vote(side, str(side), said[side], sentence, explicit, None))
    return _count(votes)


def _found(sentence: str, value: str) -> Slot:
    start = max(0, sentence.casefold().find(value.casefold()))
    return Slot("name", value, start, start + len(value))


def _says(sentence: str, value: str) -> bool:
    wanted = {(item.kind, item.key) for item in values(value) if item.kind in ("number", "date", "unit")}
    if wanted:
        return wanted <= {(item.kind, item.key) for item in values(sentence)}
    return bool(value.strip()) and value.casefold().strip(" .。") in sentence.casefold()
