"""What the model-driven agents answer: every text and every list has a bound, and there is no open map."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AnalysisShape",
    "CandidateShape",
    "ClassificationShape",
    "DigestShape",
    "DigestTopicShape",
    "IntegrationShape",
    "JudgeShape",
    "LongReadingShape",
    "PairShape",
    "PlanningShape",
    "ReadingShape",
    "RelationShape",
    "StatementShape",
    "StructureShape",
    "TopicShape",
    "VerdictShape",
]

_Id = Annotated[str, Field(max_length=12)]
_Words = Annotated[str, Field(max_length=60)]
_Line = Annotated[str, Field(max_length=300)]
_Value = Annotated[str, Field(max_length=120)]
_Name = Annotated[str, Field(max_length=200)]
_Quote = Annotated[str, Field(max_length=1_500)]
_Text = Annotated[str, Field(max_length=16_000)]
"""Half of a text that fills the window."""
_Keywords = Annotated[list[_Words], Field(max_length=10)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class TopicShape(_Shape):
    """One topic: numbers of paragraphs, what they are about, and keywords."""

    paragraphs: Annotated[list[int], Field(max_length=400)]
    topic: _Line
    keywords: _Keywords = []


class ClassificationShape(_Shape):
    """The topics of one text."""

    topics: Annotated[list[TopicShape], Field(min_length=1, max_length=40)]


class StructureShape(_Shape):
    """One summary."""

    summary: Annotated[str, Field(min_length=1, max_length=16_000)]


class CandidateShape(_Shape):
    """The answers for one candidate."""

    id: _Id
    same_subject: bool
    same_attribute: bool
    incompatible: bool
    quote_new: _Line = ""
    quote_candidate: _Line = ""
    value_new: _Value = ""
    value_candidate: _Value = ""
    subject: _Value = ""
    related: bool
    reason: _Line = ""
    topic_candidate: _Line = ""


class PairShape(CandidateShape):
    """The answers for one candidate, with a topic for the new note as well."""

    topic_new: _Line = ""


class AnalysisShape(_Shape):
    """The answers for every candidate."""

    candidates: Annotated[list[PairShape], Field(max_length=24)]


class DigestTopicShape(TopicShape):
    """One topic with its summary."""

    summary: _Text = ""


class RelationShape(CandidateShape):
    """The answers for one candidate that a topic, by its place in the list from 1 on, has to do with."""

    topic: int


class DigestShape(_Shape):
    """The topics of one text, and what they have to do with candidates: one bounded list, however many topics."""

    topics: Annotated[list[DigestTopicShape], Field(min_length=1, max_length=40)]
    relations: Annotated[list[RelationShape], Field(max_length=12)] = []


class IntegrationShape(_Shape):
    """The decision and the merged note."""

    evidence: Annotated[list[_Line], Field(max_length=3)] = []
    decided: bool
    reason: _Line = ""
    summary: _Text = ""
    topic: _Line = ""
    keywords: _Keywords = []
    dropped: Annotated[list[_Line], Field(max_length=8)] = []


class PlanningShape(_Shape):
    """The judgement of the step just done, and the next one."""

    succeeded: bool = True
    learnt: _Line = ""
    give_up: bool = False
    next: Literal["search", "answer", "nothing"]
    description: _Line = ""


class StatementShape(_Shape):
    """One statement: its words first, then what they say."""

    quote: _Quote
    subject: _Name
    attribute: _Words
    value: _Line
    time: _Value = ""
    polarity: Literal["affirmed", "denied"] = "affirmed"
    modality: Literal["said", "planned", "dreamt", "conditional"] = "said"
    speaker: _Name = ""


class ReadingShape(_Shape):
    """The statements of one text; where something was asked the answer to it, and what would have to be looked up.

    They are few, so that a model which has lost its way ends soon.
    """

    statements: Annotated[list[StatementShape], Field(max_length=8)]
    answer: _Line = ""
    answers_goal: bool = False
    missing: Annotated[list[_Line], Field(max_length=5)] = []


class LongReadingShape(ReadingShape):
    """A reading shape with room for a text that has much to say."""

    statements: Annotated[list[StatementShape], Field(max_length=60)]


class VerdictShape(_Shape):
    """The answers for one earlier statement, by its number: what is asked first leads to what is asked last."""

    n: int
    about_earlier: _Value
    about_later: _Value
    only_one: bool
    quote_earlier: _Line = ""
    quote_later: _Line = ""
    relation: Literal["same", "changed", "conflict", "neither"]
    reason: _Line = ""
    decided_by: _Line = ""


class JudgeShape(_Shape):
    """The answers for the earlier statements that the later one has to do with; the others are left out."""

    verdicts: Annotated[list[VerdictShape], Field(max_length=100)]
