"""The states of a conflict of a bank: two statements that cannot both be true, from when found until settled.

    open → verifying → resolved     by evidence: more witnesses say so, and the notes are merged
                     → unresolved   nobody could say: both stay, and are marked as disputed
    unresolved → resolved           later evidence decides
    resolved → unresolved           later witnesses say otherwise; it is `reopened`, and evidence settles it no more

An opinion of the agent is kept with it and never ends it; an undone merge or a forgotten text puts it back or takes it
away. The other memories have disagreements of their own: long-term memory keeps both values with the record until a
person's `update` (`Disagreement`), a team marks both facts (`Fact.disputed`), a book looks them up each time (`Clash`).
"""

from __future__ import annotations

from amb_core.errors import ConflictStateError
from amb_core.memory.bank_state import is_disputed
from amb_core.models import Conflict, ConflictStatus, Opinion
from amb_core.text import detect_language

__all__ = ["give_up", "hear", "is_disputed", "move", "reopen", "require_disputed", "resolve", "verify"]

_WHY = {
    "merged": {"en": "the contradiction ended with a merge", "zh": "该矛盾随合并而消除"},
    "no conclusion": {"en": "the verification came to no conclusion", "zh": "核实没有得出结论"},
    "reopened": {"en": "later sources say otherwise, so it is open again", "zh": "后来的来源有不同说法，因此重新存疑"},
}


def require_disputed(conflict: Conflict) -> None:
    """ConflictStateError for a conflict that is resolved."""
    if not is_disputed(conflict):
        raise ConflictStateError(f"dispute {conflict.id} is settled; there is nothing left to say of it.")


def verify(conflict: Conflict) -> Conflict:
    """The conflict while evidence for it is looked for; one that is being verified stays so."""
    if not conflict.status.is_open:
        raise ConflictStateError(f"dispute {conflict.id} is {conflict.status}; only one that is open is verified.")
    return conflict.model_copy(update={"status": ConflictStatus.VERIFYING})


def resolve(conflict: Conflict, reason: str = "", *, at: float) -> Conflict:
    """The conflict as it ends at a time, with a merge where no reason is given."""
    require_disputed(conflict)
    return _told(conflict, ConflictStatus.RESOLVED, reason or _why(conflict, "merged"), at)


def give_up(conflict: Conflict, reason: str = "", *, at: float) -> Conflict:
    """The conflict when verification came to no conclusion: both notes stay, marked as disputed."""
    require_disputed(conflict)
    return _told(conflict, ConflictStatus.UNRESOLVED, reason or _why(conflict, "no conclusion"), at)


def reopen(conflict: Conflict, *, at: float) -> Conflict:
    """The conflict, whatever its state, once the witnesses have turned: disputed, and settled by no evidence again."""
    told = _told(conflict, ConflictStatus.UNRESOLVED, _why(conflict, "reopened"), at)
    return told.model_copy(update={"reopened": True})


def hear(conflict: Conflict, opinion: Opinion | None) -> Conflict:
    """The conflict with what the agent says of it, which ends nothing; None takes that back."""
    require_disputed(conflict)
    return conflict.model_copy(update={"opinion": opinion})


def move(conflict: Conflict, *node_ids: str) -> Conflict:
    """The conflict between the notes that its own went into; inside one note both values stay, and nothing is asked."""
    require_disputed(conflict)
    status = conflict.status if len(set(node_ids)) > 1 else ConflictStatus.UNRESOLVED
    return conflict.model_copy(update={"node_ids": node_ids, "status": status})


def _why(conflict: Conflict, case: str) -> str:
    return _WHY[case][detect_language(conflict.description)]


def _told(conflict: Conflict, status: ConflictStatus, reason: str, at: float) -> Conflict:
    return conflict.model_copy(update={"status": status, "resolution": reason, "settled_at": at})
