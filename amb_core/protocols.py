"""Every protocol of AMB on one page; the contracts they promise are published in `amb_contracts`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

if TYPE_CHECKING:
    from amb_core import agent_io
    from amb_core.chat_io import ChatReply, ChatRequest

__all__ = [
    "Agents",
    "AnalysisAgent",
    "Capabilities",
    "Changed",
    "ChatModel",
    "ClassificationAgent",
    "Clock",
    "DigestAgent",
    "Embedder",
    "FollowedStore",
    "Hit",
    "IntegrationAgent",
    "Judge",
    "NativeSearch",
    "PagedStore",
    "PlanningAgent",
    "Query",
    "Reader",
    "Record",
    "RecordQuery",
    "RecordStore",
    "Redaction",
    "Redactor",
    "Retriever",
    "Scrubbing",
    "SharedStore",
    "StructureAgent",
]


class Clock(Protocol):
    """Tells the time in seconds since the epoch (UTC); the bank never calls the system clock itself."""

    def now(self) -> float: ...


# --- embedding and retrieval -----------------------------------------------------------------------------------------


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors of unit length.

    Equal texts give equal rows whatever else is in the batch. `languages` are ISO 639-1 codes it was trained for
    (empty = any); retrieval weighs the vectors down for a query in another language.
    """

    @property
    def model_id(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def languages(self) -> frozenset[str]: ...

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> NDArray[np.float32]:
        """Float32 array of shape [len(texts), dimension], rows of unit length (a blank text gives a zero row)."""
        ...


@dataclass(frozen=True, slots=True)
class Query:
    """One search: `k` best hits; `alpha` is the weight of the lexical score in [0, 1]; `exclude` ids never come back.

    `exact` leaves out all expansion (links, neighbours), as the search for conflict candidates wants it.
    """

    text: str
    k: int = 5
    alpha: float = 0.4
    mode: Literal["hybrid", "lexical", "dense", "rrf"] = "hybrid"
    exclude: Collection[str] = frozenset()
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: `score` in [0, 1] (1 = best of this query), its parts, and why it is here.

    `via` is the id of the hit that led here when the result was reached over a link, else None.
    """

    id: str
    score: float
    lexical: float = 0.0
    dense: float = 0.0
    via: str | None = None
    reason: str = ""


class Retriever(Protocol):
    """Finds ids for a query, best first; nothing indexed gives an empty list; equal scores are ordered by age."""

    def search(self, query: Query) -> list[Hit]: ...


# --- storage ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Record:
    """One stored value. `data` must be JSON; any text in it survives unchanged (NUL, quotes, lone surrogates).

    Times are seconds since the epoch; `expires_at` hides the record from then on.
    """

    namespace: str
    id: str
    data: Mapping[str, JsonValue]
    created_at: float = 0.0
    updated_at: float = 0.0
    expires_at: float | None = None


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """Which records of one namespace to return: `where` compares top-level fields of `data` for equality.

    `within` does the same one level down: `{"metadata": {"type": "fact"}}` compares a field of the object `metadata`.
    Every field must match, and nothing in it is a wildcard; 1 equals 1.0, true is not 1, and a missing field equals
    nothing, not even None. `limit` counts matching readable records; a negative one is an InvalidParameter. `now` hides
    what has expired by then, the moment itself included; `newest_first` turns the order (insertion order) round.
    """

    namespace: str
    where: Mapping[str, JsonValue] = field(default_factory=dict)
    limit: int | None = None
    newest_first: bool = False
    now: float | None = None
    within: Mapping[str, Mapping[str, JsonValue]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a store promises beyond the contract's core.

    `durable`: what was committed is there after closing and opening again. `concurrent`: threads may share the store
    and, if it is durable, several openings of one place see each other's commits. `serial`: what a transaction has read
    is not changed by another one before it ends, so that a key can be unique; false where several processes may write
    to one server at once.
    """

    durable: bool
    concurrent: bool
    native_search: bool = False
    serial: bool = True


class RecordStore(Protocol):
    """A transactional log of records in namespaces.

    Namespaces are opaque, case-sensitive strings compared whole. `get` and `delete` of a missing id are no error.
    All writes inside `transaction()` become visible together or, when the block raises, not at all; an inner block
    commits with the outermost one; a write outside is its own transaction. Order is insertion order (an update keeps a
    record's place, a record put again after `delete` goes to the end). Data that is not JSON, a key that is no text and
    a time that is no finite number are an InvalidParameter: `checked_record` of `amb_core.stores` raises it. A record
    that cannot be read back hides no other: `search` leaves it out, `damaged` names it, and `get` raises StoreCorrupt.
    Errors of the store are `StoreError`s.
    """

    @property
    def capabilities(self) -> Capabilities: ...

    def put(self, records: Sequence[Record], *, keep_history: bool = False) -> None:
        """Insert or replace all of them or none; `keep_history` keeps the replaced versions readable by `history`."""

    def get(self, namespace: str, id: str) -> Record | None: ...

    def delete(self, namespace: str, ids: Sequence[str]) -> int:
        """Delete records with their history; returns how many there were."""
        ...

    def search(self, query: RecordQuery) -> list[Record]: ...

    def history(self, namespace: str, id: str) -> list[Record]:
        """Replaced versions that were kept, oldest first, the current one not included."""
        ...

    def damaged(self, namespace: str) -> list[str]: ...

    def namespaces(self, prefix: str = "") -> list[str]:
        """The namespaces that hold records and begin with `prefix`, taken literally; in the order of their letters."""
        ...

    def count(self, namespace: str, *, now: float | None = None) -> int:
        """How many records there are, damaged ones included, without reading them; `now` leaves out the expired."""
        ...

    def transaction(self) -> AbstractContextManager[None]: ...

    def close(self) -> None:
        """Release files; calling twice is no error; any other call afterwards raises StoreError."""


@runtime_checkable
class Scrubbing(Protocol):
    """What a store with files offers besides: making sure that nothing deleted is left in them."""

    def scrub(self, *, vacuum: bool = True) -> None:
        """Overwrite or rewrite the files until no deleted text is in any of them.

        `vacuum` rewrites them whole; without it a store may do less, as far as it finds the same. StoreError inside a
        transaction; StoreLocked while somebody else reads. What a disk keeps of freed blocks is beyond a program.
        """


@dataclass(frozen=True, slots=True)
class Changed:
    """What has changed in a space: the records as they are now, and what was deleted, up to the change `number`."""

    number: int
    records: tuple[Record, ...]
    deleted: tuple[tuple[str, str], ...]
    """Namespace and id."""


@runtime_checkable
class FollowedStore(Protocol):
    """A store that several processes write to, one at a time; StoreGone where what was there is deleted by another."""

    def change_number(self) -> int:
        """What tells the newest change from every earlier one; inside a transaction with those of it."""
        ...

    def changes_after(self, number: int, *, prefix: str) -> Changed | None:
        """The changes after a number in namespaces that begin so, as one moment saw them.

        None when not all of them are known any more, or no list of them is kept.
        """

    def may_be_ahead(self, number: int) -> bool:
        """Whether there may be a later change: what was heard, or half a second after the last look, asked for."""
        ...


@runtime_checkable
class SharedStore(FollowedStore, Protocol):
    """A followed store whose changes are numbered in the order of their commits, and that says who digests what."""

    def queue(self, waiting: list[str], done: list[str], *, claimed: bool) -> None:
        """Say which entries wait to be digested, at once `claimed` by this store or not, and which no longer do."""

    def claim_next(self) -> str | None:
        """Have the entry for this store to digest that waits longest and nobody has; None when there is none."""

    def claim(self, entry: str) -> bool:
        """Have an entry for this store to digest; False while another one has it, or when it failed too often."""
        ...


@runtime_checkable
class NativeSearch(Protocol):
    """What a store with `capabilities.native_search` offers besides: ranking by its engine, for sizes beyond a machine.

    The engine finds a record by the text in its field `content` and the vector in its field `embedding` (base64 of
    little-endian float32), where its data have these.
    """

    def search_natively(
        self, query: RecordQuery, *, text: str, vector: NDArray[np.float32] | None = None
    ) -> list[tuple[Record, float]]:
        """The `query.limit` best of the records that `query` allows, best first, with a score that only ranks."""
        ...


@runtime_checkable
class PagedStore(Protocol):
    """What a store offers besides whose namespaces are beyond a machine's memory: none has to be read at once."""

    def pages(self, query: RecordQuery) -> Iterator[list[Record]]:
        """What `search` finds, in its order, some at a time; the caller may change those it has."""
        ...

    def expired(self, namespace: str, *, now: float, limit: int) -> list[str]:
        """At most so many ids of records whose time has passed by `now`, the moment itself included."""
        ...


# --- privacy ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without what nobody should keep; `found` counts what was taken out, by kind."""

    text: str
    found: Mapping[str, int] = field(default_factory=dict)


class Redactor(Protocol):
    """Takes personal data and secrets out of a text before it is kept; a redacted text comes back unchanged."""

    def redact(self, text: str) -> Redaction: ...


# --- chat models -----------------------------------------------------------------------------------------------------


@runtime_checkable
class ChatModel(Protocol):
    """A chat model behind some endpoint; thread-safe, one call at a time per thread.

    `endpoint` names where it lives (a URL, or a word for one without): what is learnt about it, such as which answer
    formats it understands, is remembered under endpoint and model.
    """

    @property
    def model(self) -> str: ...
    @property
    def endpoint(self) -> str: ...

    def complete(self, request: ChatRequest) -> ChatReply:
        """One answer; retries included. ModelUnavailable when none came, ModelRefused when asking again is no use."""
        ...


# --- the five agents -------------------------------------------------------------------------------------------------


class ClassificationAgent(Protocol):
    """Splits text into topics; text over the agent's window is split at paragraph, then sentence boundaries first."""

    def classify(self, request: agent_io.ClassificationRequest) -> agent_io.ClassificationAnswer: ...


class StructureAgent(Protocol):
    """Condenses one cluster to 30–50 % of its length; adds nothing that the content does not say."""

    def structure(self, request: agent_io.StructureRequest) -> agent_io.StructureAnswer: ...


class AnalysisAgent(Protocol):
    """Judges how a new node stands to each candidate: conflict before related before unrelated."""

    def analyse(self, request: agent_io.AnalysisRequest) -> agent_io.AnalysisAnswer: ...


class IntegrationAgent(Protocol):
    """Merges conflicting nodes: verified beats newer beats older; every number, date and name occurs in a source."""

    def integrate(self, request: agent_io.IntegrationRequest) -> agent_io.IntegrationAnswer: ...


class PlanningAgent(Protocol):
    """Decides the one next step: conflict → waiting attachment → next step → nothing."""

    def plan(self, request: agent_io.PlanningRequest) -> agent_io.PlanningAnswer: ...


class DigestAgent(Protocol):
    """Classification, structure and analysis of one text in one call; what does not fit is left to the three roles."""

    def fits(self, request: agent_io.DigestRequest) -> bool: ...

    def digest(self, request: agent_io.DigestRequest) -> agent_io.DigestAnswer: ...


class Reader(Protocol):
    """Reads a text: its topics, its records, and statements, each with the words that bear it out.

    What the text does not bear out is left out and counted. Raises a ModelError when it cannot read.
    """

    def read(self, request: agent_io.ReadingRequest) -> agent_io.ReadingAnswer: ...


class Judge(Protocol):
    """Says how a later statement stands to each of some earlier ones; raises a ModelError when it cannot."""

    def judge(self, request: agent_io.JudgeRequest) -> agent_io.JudgeAnswer: ...


@dataclass(frozen=True, slots=True)
class Agents:
    """Five roles, and one call for three of them; mix local and model-driven ones freely (`dataclasses.replace`).

    With `digest` a text that fits is taken in with one call, and the first three roles do the rest.
    """

    classification: ClassificationAgent
    structure: StructureAgent
    analysis: AnalysisAgent
    integration: IntegrationAgent
    planning: PlanningAgent
    digest: DigestAgent | None = None
