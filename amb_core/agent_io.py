"""What the bank asks the five agents and what they answer; validated, because answers may come from a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from pydantic import Field

from amb_core.attachments import Attachment
from amb_core.models import Conflict, Frozen, InsightDoc, Passage, PendingTask, TaskStatus, are_same_values

__all__ = [
    "AnalysisAnswer",
    "AnalysisRequest",
    "ClassificationAnswer",
    "ClassificationRequest",
    "Cluster",
    "DigestAnswer",
    "DigestRequest",
    "DigestedTopic",
    "IntegrationAnswer",
    "IntegrationRequest",
    "JudgeAnswer",
    "JudgeRequest",
    "MergeInput",
    "NodeView",
    "Passage",
    "PlanningAnswer",
    "PlanningRequest",
    "ReadingAnswer",
    "ReadingRequest",
    "Relationship",
    "Statement",
    "StatementRelation",
    "StepOutcome",
    "StructureAnswer",
    "StructureRequest",
    "Verdict",
    "are_same_values",
    "is_same_conflict",
    "with_conflicts",
]


class ClassificationRequest(Frozen):
    """Text of any length to be split by topic; the goal helps to name topics."""

    text: str
    task_goal: str = ""


class Cluster(Frozen):
    """One topic: a one-sentence `context`, keywords, and `spans` of the text in order (start, end in characters).

    `content` is exactly the text under the spans, joined by a blank line where they are not adjacent.
    """

    cluster_id: str
    context: str
    content: str
    keywords: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


class ClassificationAnswer(Frozen):
    """The clusters in text order; together they cover every non-blank character of the text exactly once.

    Only passages that say again what stands earlier in the same text, word for word, may be left out.
    """

    should_cluster: bool
    clusters: tuple[Cluster, ...]


class StructureRequest(Frozen):
    """One cluster to be condensed."""

    content: str
    context: str = ""
    keywords: tuple[str, ...] = ()
    task_goal: str = ""


class StructureAnswer(Frozen):
    """A summary of 30–50 % of the length that keeps numbers, names, dates, evidence and logic."""

    summary: str


class NodeView(Frozen):
    """A node as an agent sees it: no embedding. `text` is the raw text under the node's sources.

    `passages` are the prose in it, document by document; None where nobody has told them apart.
    """

    id: str
    summary: str
    context: str
    keywords: tuple[str, ...] = ()
    text: str = ""
    timestamp: float = 0.0
    source: str = ""
    passages: tuple[Passage, ...] | None = None


class AnalysisRequest(Frozen):
    """A new node and the existing nodes it may contradict or belong with."""

    new: NodeView
    candidates: tuple[NodeView, ...]
    task_goal: str = ""


class Relationship(Frozen):
    """How the new node stands to one candidate; only a conflict or a relation carries text."""

    existing_node: str
    relationship: Literal["conflict", "related", "unrelated"]
    reasoning: str = ""
    conflict_description: str = ""
    conflict_subject: str = ""
    conflict_values: tuple[str, ...] = ()
    context_update_new: str | None = None
    context_update_existing: str | None = None
    keywords_update_new: tuple[str, ...] | None = None
    keywords_update_existing: tuple[str, ...] | None = None


def with_conflicts(said: Iterable[Relationship], seen: Iterable[Relationship]) -> list[Relationship]:
    """What one agent said, with every conflict that another one saw: it can add one, never take one away.

    A node that is in conflict is not also merely related; one disagreement, in whatever order of words, counts once.
    What is related gets the keywords that the other one saw.
    """
    seen = tuple(seen)
    names = {one.existing_node: one for one in seen if one.relationship == "related"}
    found = [_with_keywords(one, names.get(one.existing_node)) for one in said]
    for one in seen:
        if one.relationship == "conflict" and not any(is_same_conflict(one, other) for other in found):
            found.append(one)
    clashing = {one.existing_node for one in found if one.relationship == "conflict"}
    return [one for one in found if one.relationship == "conflict" or one.existing_node not in clashing]


def _with_keywords(one: Relationship, other: Relationship | None) -> Relationship:
    if other is None or one.relationship != "related":
        return one
    found = {name: getattr(one, name) or getattr(other, name) for name in _KEYWORDS}
    return one.model_copy(update=found)


_KEYWORDS = ("keywords_update_new", "keywords_update_existing")


def is_same_conflict(a: Relationship, b: Relationship) -> bool:
    """Whether two agents mean the same disagreement with a node: each value is a part of the other's."""
    if a.existing_node != b.existing_node or a.relationship != b.relationship:
        return False
    return are_same_values(a.conflict_values, b.conflict_values)


class Statement(Frozen):
    """What somebody said, where it came from, and when (seconds since the epoch).

    A reader takes it apart: `text` is then the quote that bears it out, at `span` of what was read; `value` is what
    `attribute` of `subject` is, at a `time` in the text's own words, and not where it is `denied`. Only what is
    `said` is told as so. `speaker` says it, "" for the author of the text.
    """

    text: str
    source: str = ""
    at: float = 0.0
    span: tuple[int, int] = (0, 0)
    subject: str = ""
    attribute: str = ""
    value: str = ""
    time: str = ""
    polarity: Literal["affirmed", "denied"] = "affirmed"
    modality: Literal["said", "planned", "dreamt", "conditional"] = "said"
    speaker: str = ""


class ReadingRequest(Frozen):
    """A text to be read for a `goal` and a `question` by the rules of its `kind`; its layout not if `only_statements`.

    `known` are facts and names that need no repeating, `names` those of one and the same thing, group by group, and
    `asked` what was looked up so far. `speaker` is whose words the text is: it may be spoken of without a name, as may
    the `unnamed`.
    """

    text: str
    kind: str = "page"
    only_statements: bool = False
    goal: str = ""
    question: str = ""
    known: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    asked: tuple[str, ...] = ()
    speaker: str = ""
    unnamed: tuple[str, ...] = ()


class ReadingAnswer(Frozen):
    """What stands in a text: topics; fields of records by their identity; statements.

    `answer` is the one to the question, as the text has it or yes or no, `answers_goal` whether it ends the goal, and
    `missing` what would have to be looked up. So many statements and answers were `dropped`, for nothing bears them
    out; the last `unread` characters were too many.
    """

    topics: tuple[Cluster, ...] = ()
    records: dict[str, dict[str, str]] = {}
    statements: tuple[Statement, ...] = ()
    answer: str = ""
    answers_goal: bool = False
    missing: tuple[str, ...] = ()
    dropped: int = 0
    unread: int = 0


StatementRelation: TypeAlias = Literal["same", "changed", "conflict", "neither"]
"""How a later statement stands to an earlier one: it says the same, it says what is so now instead, both cannot be true
at one time, or none of these: it tells of something else, or more of the same."""


class Verdict(Frozen):
    """A judgement on two statements: what both tell of, the words of each that show it, why, what would decide it.

    `probability` in [0, 1] is how probable the relation was to the model that judged; None where its endpoint does not
    say.
    """

    relation: StatementRelation = "neither"
    attribute: str = ""
    quote_earlier: str = ""
    quote_later: str = ""
    reason: str = ""
    decided_by: str = ""
    probability: float | None = None


class JudgeRequest(Frozen):
    """One later statement, and the earlier ones it is held against."""

    later: Statement
    earlier: tuple[Statement, ...]


class JudgeAnswer(Frozen):
    """A verdict for each earlier statement, in their order."""

    verdicts: tuple[Verdict, ...]


class AnalysisAnswer(Frozen):
    """One relationship per candidate, or one for each of its conflicts; conflicts first."""

    relationships: tuple[Relationship, ...]


class DigestRequest(Frozen):
    """Text to be split, condensed and compared in one go; `candidates` are the existing nodes its paragraphs find."""

    text: str
    task_goal: str = ""
    candidates: tuple[NodeView, ...] = ()


class DigestedTopic(Frozen):
    """One topic of the text, its summary, and how it stands to those candidates that it has to do with."""

    cluster: Cluster
    summary: str
    relationships: tuple[Relationship, ...] = ()


class DigestAnswer(Frozen):
    """The topics in text order, covering the text as a ClassificationAnswer does.

    `judged` are the candidates that were compared: what no relationship names stands in none. `mended` are the parts
    of the answer that could not be used and were done without a model, one word each.
    """

    topics: tuple[DigestedTopic, ...]
    judged: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()


class MergeInput(Frozen):
    """One node to be merged."""

    node: NodeView


class IntegrationRequest(Frozen):
    """Conflicting nodes and what the verification found; `verification` is raw text of one or more tool results."""

    nodes: tuple[MergeInput, ...]
    conflict: Conflict
    verification: str
    task_goal: str = ""


class IntegrationAnswer(Frozen):
    """The merged node, or `decided=False` with a `reason` when the verification settles nothing.

    `dropped` are the statements of the old nodes that the verification refuted (verbatim sentences). `evidence` are
    the sentences of the verification that decide, word for word; a decision without them, or with one that the
    verification does not contain, is refused.
    """

    decided: bool
    reason: str = ""
    summary: str = ""
    context: str = ""
    keywords: tuple[str, ...] = ()
    merge_description: str = ""
    dropped: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


class StepOutcome(Frozen):
    """How the pending step went, as seen by the interceptor.

    `decided` tells the planner whether a cross-validation settled its conflict (None for other steps);
    `answered` that the step produced the final answer. `running` says that the step still goes on (nobody closes steps
    without an outer loop): it is to be recorded only if it has brought what it was for.
    """

    status: TaskStatus
    text: str = ""
    new_node_ids: tuple[str, ...] = ()
    repeats: int = 0
    decided: bool | None = None
    answered: bool = False
    running: bool = False


class PlanningRequest(Frozen):
    """The state a plan is made from; `outcome` is None at the start and when only the state changed.

    `new_nodes` are what the last step added, `relevant` the nodes recall finds for the goal, best first.
    """

    insight: InsightDoc
    new_nodes: tuple[NodeView, ...] = ()
    relevant: tuple[NodeView, ...] = ()
    open_conflicts: tuple[Conflict, ...] = ()
    waiting: tuple[Attachment, ...] = ()
    outcome: StepOutcome | None = None


class PlanningAnswer(Frozen):
    """The next step (or none), and how the one just done is to be recorded (None when nothing was pending)."""

    pending: PendingTask | None
    completed_status: TaskStatus | None = None
    completed_context: str = ""
    gave_up: bool = False
    reasoning: str = Field(default="", description="one sentence for the receipt")
