"""All kinds of records, as they are read back and as their ids begin."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from amb_core.team.records import (
    Challenge,
    Collaboration,
    Evidence,
    Fact,
    Hop,
    Hypothesis,
    Interaction,
    Noted,
    Observation,
    OutputNote,
    PeerProfile,
    PlanItem,
    Promotion,
    Quarantined,
    ReasoningStep,
    SearchResult,
)

__all__ = ["LETTERS", "AnyRecord"]

LETTERS: dict[type[Noted], str] = {
    Hop: "h",
    Fact: "f",
    SearchResult: "q",
    Interaction: "i",
    Collaboration: "b",
    PlanItem: "p",
    Hypothesis: "y",
    Evidence: "v",
    ReasoningStep: "r",
    Challenge: "d",
    Observation: "o",
    OutputNote: "u",
    PeerProfile: "a",
    Promotion: "m",
    Quarantined: "x",
}
"""What the number of a record begins with in its id."""

AnyRecord = Annotated[
    Hop
    | Fact
    | SearchResult
    | Interaction
    | Collaboration
    | PlanItem
    | Hypothesis
    | Evidence
    | ReasoningStep
    | Challenge
    | Observation
    | OutputNote
    | PeerProfile
    | Promotion
    | Quarantined,
    Field(discriminator="kind"),
]
"""A record of any kind; its field `kind` says which."""
