"""Every record type of the task memory: frozen, validated, and closed to unknown fields.

Ids are short because models have to repeat them: `n12` node, `e40` entry, `c3` conflict, `m2` merge event, `a1`
attachment. They are never reused. Timestamps are seconds since the epoch (UTC).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, JsonValue, StrictStr, ValidationError, model_validator

from amb_core.attachments import Attachment
from amb_core.errors import InvalidToolResult
from amb_core.frozen import Frozen
from amb_core.scope import Scope
from amb_core.usage import Bill, Usage

__all__ = [
    "EXTRACTION",
    "ArchivedNode",
    "BankSnapshot",
    "ClosedInsight",
    "CompletedTask",
    "Conflict",
    "ConflictStatus",
    "Digestion",
    "EmbedderIdentity",
    "EntryState",
    "Frozen",
    "Injection",
    "InsightDoc",
    "InteractionEntry",
    "Link",
    "MergeEvent",
    "Opinion",
    "Passage",
    "PendingTask",
    "QueryNode",
    "Receipt",
    "Span",
    "StepResult",
    "TaskStatus",
    "TaskType",
    "ToolResult",
    "are_same_values",
]


# --- the task state layer: Insight Doc -------------------------------------------------------------------------------


class TaskType(StrEnum):
    """What kind of step a task is; a field, never inferred from the wording of a description."""

    NORMAL = "NORMAL"
    CROSS_VALIDATE = "CROSS_VALIDATE"


class TaskStatus(StrEnum):
    """How a completed task ended."""

    SUCCESS = "success"
    FAILURE = "failure"


class CompletedTask(Frozen):
    """One finished step: what was to be done, how it ended, and one or two sentences of what was learnt.

    `gave_up` marks a failed task that was dropped for a stated reason (in `context`), so that it does not keep the
    run from ending.
    """

    type: TaskType
    description: str
    status: TaskStatus
    context: str = ""
    gave_up: bool = False


class PendingTask(Frozen):
    """The next step; `conflict_id` or `attachment_ids` say what it is about, `answers_goal` that it is the last one."""

    type: TaskType
    description: str
    conflict_id: str | None = None
    attachment_ids: tuple[str, ...] = ()
    answers_goal: bool = False


class InsightDoc(Frozen):
    """The task: its goal, the finished steps in order, at most one to do next, and what was asked `earlier`."""

    doc_id: str
    task_goal: str
    completed_tasks: tuple[CompletedTask, ...] = ()
    pending_tasks: Annotated[tuple[PendingTask, ...], Field(max_length=1)] = ()
    earlier: tuple[InsightDoc, ...] = ()

    @property
    def pending(self) -> PendingTask | None:
        """The step to do next, or None when the planner sees nothing left to do."""
        return self.pending_tasks[0] if self.pending_tasks else None


class ClosedInsight(Frozen):
    """An Insight Doc that another question has closed; it is written once, whatever follows."""

    id: str
    insight: InsightDoc


# --- the semantic layer: Query Graph ---------------------------------------------------------------------------------


class Span(Frozen):
    """Characters `start:end` of the text of one entry."""

    entry_id: str
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]


class QueryNode(Frozen):
    """One topic: a summary, a one-sentence `context` (topic), keywords, and the raw spans it was made from.

    `embedding` is little-endian float32 over summary + context + keywords, or None without an embedder. `stale` says
    that the summary drew on a statement which has been merged away or forgotten since. `refuted` are parts of the
    sources that a verification refuted: history, but no longer recalled. `links` are the ids of related nodes; inside
    the bank links are records of their own and this field is filled when a node is handed out.
    """

    id: str
    summary: str
    context: str
    keywords: tuple[str, ...] = ()
    embedding: bytes | None = Field(default=None, repr=False)
    timestamp: float
    links: tuple[str, ...] = ()
    sources: tuple[Span, ...] = ()
    refuted: tuple[Span, ...] = ()
    stale: bool = False

    @property
    def vector(self) -> NDArray[np.float32] | None:
        """The embedding as a read-only float32 array of shape [dimension], or None."""
        return None if self.embedding is None else np.frombuffer(self.embedding, dtype="<f4")

    @property
    def indexed_text(self) -> str:
        """What the embedding is computed over: summary + context + keywords."""
        return "\n".join((self.summary, self.context, " ".join(self.keywords)))


class Link(Frozen):
    """An undirected `related` edge between two nodes, with the reason it was drawn."""

    a: str
    b: str
    reason: str = ""

    def other(self, node_id: str) -> str:
        """The id at the other end of the link from `node_id`."""
        return self.b if node_id == self.a else self.a


class ConflictStatus(StrEnum):
    """open → verifying → resolved (merged) or unresolved (both kept, marked as disputed, not planned again)."""

    OPEN = "open"
    VERIFYING = "verifying"
    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"

    @property
    def is_open(self) -> bool:
        """Whether it has still to be verified: it is open, or being verified."""
        return self in (ConflictStatus.OPEN, ConflictStatus.VERIFYING)


class Opinion(Frozen):
    """What the agent at work says of a dispute: the value that `holds`, why, and the entries that it names for it.

    It was given `at` (seconds since the epoch), and counts only as long as the evidence in memory says so too.
    """

    holds: str
    because: str = ""
    entries: tuple[str, ...] = ()
    at: float = 0.0


class Conflict(Frozen):
    """A contradiction between nodes: a state with a life cycle, not an edge.

    `subject` is what the disagreement is about in few words (a good search query); `values` are the two things said,
    in the order of `node_ids`; both may be empty when the agent that found it could not name them. `found_at` is when
    it was recorded, `settled_at` when it was resolved or given up; one that is `reopened` was settled both ways.
    """

    id: str
    node_ids: tuple[str, ...]
    description: str
    status: ConflictStatus = ConflictStatus.OPEN
    resolution: str | None = None
    subject: str = ""
    values: tuple[str, ...] = ()
    found_at: float = 0.0
    settled_at: float | None = None
    reopened: bool = False
    opinion: Opinion | None = None


def are_same_values(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether two lists of values are the same ones in either order; one may write more of a unit."""
    left, right = (tuple("".join(value.casefold().split()) for value in side) for side in (a, b))
    return any(
        len(left) == len(side) and all(x in y or y in x for x, y in zip(left, side, strict=True))
        for side in (right, right[::-1])
    )


class ArchivedNode(Frozen):
    """A merged-away node with the links it had, kept so that the merge can be undone."""

    node: QueryNode
    links: tuple[Link, ...]
    event_id: str


# --- the history layer: Interaction Tree -----------------------------------------------------------------------------


class Passage(Frozen):
    """Prose of one document; `site` is whose word it is, "" for nobody's (see `amb_core.reading.sources`).

    `asked` is what its call asked for, "" where no call did: what names no subject is about that.
    """

    text: str
    document: str = ""
    site: str = ""
    asked: str = ""


class EntryState(StrEnum):
    """How far an entry has come: raw → done | failed."""

    RAW = "raw"
    DONE = "done"
    FAILED = "failed"


class InteractionEntry(Frozen):
    """Raw text as it came in, append-only.

    `metadata` has the keys `kind` ("tool" | "read" | "verification" | "recognition" | "said"), `source`, `tool`,
    `arguments`, `call_id`, `agent`, `run`, `task`. Entries of kind "said" (ids `w1`, `w2` …) are what the `speaker`
    ("agent" | "user") said at a `step`; with a `tool` they are a long argument of a call. `parent_id` is the entry this
    one repeats or belongs to. A forgotten entry
    leaves a tombstone: empty text, `forgotten=True`, and in the metadata only `call`, a one-way hash of its run, call
    and text when it came from an identified call.
    """

    entry_id: str
    text: str
    timestamp: float
    metadata: dict[str, JsonValue] = {}
    attachments: tuple[Attachment, ...] = ()
    parent_id: str | None = None
    forgotten: bool = False


class Digestion(Frozen):
    """What became of one entry: its state, the nodes made from it, and the entry it repeats, if any."""

    entry_id: str
    state: EntryState
    node_ids: tuple[str, ...] = ()
    repeat_of: str | None = None
    error: str | None = None


class MergeEvent(Frozen):
    """That some nodes became one, with everything needed to undo it.

    `conflict_ids` are the conflicts this merge settled, `evidence` the places in raw text that decided them;
    `conflicts_before` and `neighbours_before` are every conflict and other node it changed, as they were.
    """

    event_id: str
    merged_node_ids: tuple[str, ...]
    new_node_id: str
    timestamp: float
    description: str
    conflict_ids: tuple[str, ...] = ()
    evidence: tuple[Span, ...] = ()
    conflicts_before: tuple[Conflict, ...] = ()
    neighbours_before: tuple[QueryNode, ...] = ()
    undone: bool = False


# --- what goes in and out --------------------------------------------------------------------------------------------


EXTRACTION = "extracted_information"
"""The tool of results that a model quoted from others: they are kept as they are, and no model is asked about them."""


class ToolResult(Frozen):
    """What one tool call returned.

    `output` must be text (render other results to text first). `call_id` together with `run` is the idempotency key:
    the same key with the same text is taken in once. `source` defaults to the tool and its arguments. The paths of
    `attachments` are read as given, wherever on this machine they are: they must come from code, never from a model.
    Raises InvalidToolResult when a field has the wrong type or the tool name is blank.
    """

    tool: StrictStr
    output: StrictStr
    arguments: dict[str, JsonValue] = {}
    call_id: StrictStr | None = None
    agent: str | None = None
    source: str | None = None
    run: str = ""
    is_error: bool = False
    attachments: tuple[Attachment, ...] = ()

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"][:6]) or "it"
            raise InvalidToolResult(
                f"this is no tool result AMB can take: {where}: {first['msg']}. "
                "Pass ToolResult(tool=<name>, arguments=<dict>, output=<text>)."
            ) from None

    @model_validator(mode="after")
    def _tool_is_named(self) -> Self:
        if not self.tool.strip():
            raise ValueError("the tool needs a name")
        return self


class StepResult(Frozen):
    """What one step of the outer loop did: its own words, the tool calls it made, and whether it failed.

    `answer` is set by the step that produced the final answer.
    """

    text: str = ""
    tool_results: tuple[ToolResult, ...] = ()
    failed: bool = False
    answer: str | None = None


class Receipt(Frozen):
    """Why one node is in a block: its score in [0, 1], its rank (0 = best), the reason, and what it cost.

    `form` says how much of it is shown: `passage` (verbatim source text), `summary`, or `topic` (title only).
    """

    node_id: str
    rank: int
    score: float
    reason: str
    tokens: int
    form: Literal["passage", "summary", "topic"]
    disputed: bool = False
    stale: bool = False
    spans: tuple[Span, ...] = ()


class Injection(Frozen):
    """What was put into one model request, when, and why; `raw_tokens` is the same request without AMB."""

    turn: int
    timestamp: float
    query: str
    block: str
    receipts: tuple[Receipt, ...]
    prompt_tokens: int
    raw_tokens: int


class EmbedderIdentity(Frozen):
    """Which embedder made a bank's vectors."""

    model_id: str
    dimension: int


class BankSnapshot(Frozen):
    """A whole bank as one value: what `export` writes, `load` validates, and the inspector page shows."""

    format: Literal["amb-task-memory"] = "amb-task-memory"
    version: Literal[1] = 1
    insight: InsightDoc
    earlier: tuple[ClosedInsight, ...] = ()
    entries: tuple[InteractionEntry, ...] = ()
    digestions: tuple[Digestion, ...] = ()
    nodes: tuple[QueryNode, ...] = ()
    links: tuple[Link, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    merges: tuple[MergeEvent, ...] = ()
    archive: tuple[ArchivedNode, ...] = ()
    injections: tuple[Injection, ...] = ()
    waiting: tuple[Attachment, ...] = ()
    counters: dict[str, int] = {}
    embedder: EmbedderIdentity | None = None
    usage: Usage | None = None
    bills: tuple[Bill, ...] = ()
    scope: Scope | None = None

    @property
    def results(self) -> tuple[InteractionEntry, ...]:
        """The entries that tools, files and steps brought: all but what the agent and the user said."""
        return tuple(entry for entry in self.entries if entry.metadata.get("kind") != "said")

    @property
    def goals(self) -> tuple[str, ...]:
        """What was asked, oldest first; the last one is the goal of now."""
        closed = (*(doc.insight for doc in self.earlier), *self.insight.earlier)
        return (*(doc.task_goal for doc in closed), self.insight.task_goal)
