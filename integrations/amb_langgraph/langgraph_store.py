"""AMBStore: AMB's long-term memory as the store of LangGraph, LangMem and deepagents."""

from __future__ import annotations

import asyncio
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import unquote

import numpy as np
from langgraph.store.base import (
    BaseStore,
    Embeddings,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    ensure_embeddings,
    get_text_at_path,
    tokenize_path,
)
from numpy.typing import NDArray

from amb_core import InvalidInput, LongTermMemory
from amb_longterm import MemoryHit, MemoryRecord
from amb_redaction import PatternRedactor

__all__ = ["AMBStore"]

_Namespace = tuple[str, ...]
_VALUE, _IN_TEXT, _UNFOUND = "value", "value_in_text", "unindexed"
_MOST_BESIDE = 12_000
"""Characters of JSON that stand beside the text of a record; a larger value is its text."""
_TYPE_OF = {"user_profile": "user-profile"}
_BARE = ("content", "text", "memory")
"""Fields that stand for themselves: the text of `{"content": "I like tea"}` is "I like tea"."""
_MINUTE = 60.0


class AMBStore(BaseStore):
    """A LangGraph `BaseStore` over a LongTermMemory, or one of its own: `create_agent(…, store=AMBStore(url))`.

    The namespace `("user_profile", "u1")` is AMB's `user_profile/u1`: what `remember` keeps is found here, and what is
    put here stands in `profile` and in search. A value is any JSON object and takes the place of the one before.
    A search with a `query` finds by words, with the embedder of the memory by meaning too; `score` is the similarity in
    [0, 1]. Without a query the newest come first. A memory opened here keeps values as they are, but for keys and
    passwords; one that is given redacts as it was told to. `ttl` (minutes) counts from the last `put`: reading does not
    prolong it. `index` is LangGraph's IndexConfig (`embed`, `dims`, `fields`) for a memory that is opened here.
    Raises InvalidInput for a value that is no JSON object, and for an `index` beside a memory, which has its own
    embedder. Thread-safe; async calls work in a thread.
    """

    supports_ttl = True

    def __init__(self, memory: LongTermMemory | str = "memory://", *, index: IndexConfig | None = None) -> None:
        self._owned = isinstance(memory, str)
        if index is not None and not self._owned:
            raise InvalidInput("index= is for a memory that AMBStore opens; give yours its embedder itself.")
        self._fields = tuple((index or {}).get("fields") or ())
        if isinstance(memory, str):
            embedder = None if index is None else _embedder_of(index)
            memory = LongTermMemory(memory, redactor=PatternRedactor().of_secrets, embedder=embedder)
        self.memory, self.index_config = memory, index

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations: first all that read, then all that write; of two for one key the last."""
        listed = list(ops)
        results = [None if isinstance(op, PutOp) else self._read(op) for op in listed]
        puts = {(op.namespace, op.key): op for op in listed if isinstance(op, PutOp)}
        for op in puts.values():
            self._put(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, off the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def close(self) -> None:
        """Close the memory, if it was opened here."""
        if self._owned:
            self.memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- reading -----------------------------------------------------------------------------------------------------

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                record = self._record(op.namespace, op.key)
                return None if record is None else Item(**_fields(record))
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._list(op)
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _record(self, namespace: _Namespace, key: str) -> MemoryRecord | None:
        within = _written(namespace)
        found = self.memory.get(key=key, namespace=within)
        if found is None and (other := self.memory.get(key, namespace=within)) is not None and not other.key:
            return other  # kept by `remember` or `write`, which name no key
        return found

    def _search(self, op: SearchOp) -> list[SearchItem]:
        spaces = [name for name in self._namespaces() if name[: len(op.namespace_prefix)] == tuple(op.namespace_prefix)]
        most = op.offset + op.limit
        if not op.query:
            records = [record for name in spaces for record in self.memory.records(_written(name))]
            records.reverse()  # of those put at one moment the last one first
            found: Iterable[MemoryRecord | MemoryHit] = sorted(records, key=lambda record: -record.updated_at)
        else:
            found = self._found(op.query, [_written(name) for name in spaces])
        items = (_item(each) for each in found)
        wanted = [item for item in items if all(_has(item.value, *asked) for asked in (op.filter or {}).items())]
        return wanted[op.offset : most]

    def _found(self, query: str, spaces: Sequence[str]) -> Iterator[MemoryHit]:
        """The hits of several namespaces as one list: of what comes next in each, the nearest."""
        lists: list[list[MemoryHit]] = []
        for space in spaces:
            every = max(len(self.memory.records(space)), 1)
            hits = self.memory.search(query, namespace=space, top_k=every, min_score=0.0)
            lists.append([one for hit in hits for one in (hit, *hit.older)][::-1])
        unfound: list[MemoryHit] = []
        while waiting := [hits for hits in lists if hits]:
            hit = max(waiting, key=lambda hits: hits[-1].similarity).pop()
            if hit.metadata.get(_UNFOUND):
                unfound.append(hit)
            else:
                yield hit
        yield from unfound

    def _namespaces(self) -> list[_Namespace]:
        return [_read_back(name) for name in self.memory.namespaces()]

    def _list(self, op: ListNamespacesOp) -> list[_Namespace]:
        conditions = op.match_conditions or ()
        found = [name for name in self._namespaces() if all(_matches(name, each) for each in conditions)]
        cut = sorted({name[: op.max_depth] for name in found})
        return cut[op.offset : op.offset + op.limit]

    # --- writing -----------------------------------------------------------------------------------------------------

    def _put(self, op: PutOp) -> None:
        within = _written(op.namespace)
        if op.value is None:
            record = self._record(op.namespace, op.key)
            if record is not None:
                self.memory.delete(record.id, namespace=within, why="deleted from the store")
            return
        value = _as_json(op.value)
        text = _text_of(value, self._fields if op.index is None and self._fields else op.index)
        is_large = len(json.dumps(value, ensure_ascii=False)) > _MOST_BESIDE
        labels: dict[str, Any] = {
            "type": _TYPE_OF.get(op.namespace[0], "domain-facts"),
            _VALUE: {} if is_large else value,
            _IN_TEXT: is_large,
            _UNFOUND: op.index is False,
        }
        if op.ttl is not None:
            labels["ttl"] = float(op.ttl) * _MINUTE
        known = self._record(op.namespace, op.key)
        content = json.dumps(value, ensure_ascii=False) if is_large else text or op.key
        if known is not None and not known.key:
            self.memory.update(known.id, namespace=within, content=content, metadata=labels, merge=False)
        else:
            self.memory.write(
                content, namespace=within, key=op.key, metadata=labels, history=False, why="put into the store"
            )


class _LangChainEmbedder:
    """LangChain's Embeddings as AMB's Embedder."""

    languages: frozenset[str] = frozenset()

    def __init__(self, embeddings: Embeddings, dimension: int) -> None:
        self._embeddings, self.dimension = embeddings, dimension
        self.model_id = f"langchain/{getattr(embeddings, 'model', type(embeddings).__name__)}"

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        told = [at for at, text in enumerate(texts) if text.strip()]
        if role == "query":
            found = [self._embeddings.embed_query(texts[at]) for at in told]
        else:
            found = self._embeddings.embed_documents([texts[at] for at in told]) if told else []
        for at, row in zip(told, found, strict=True):
            vector = np.asarray(row, dtype=np.float32)
            rows[at] = vector / max(float(np.linalg.norm(vector)), 1e-12)
        return rows


def _embedder_of(index: IndexConfig) -> _LangChainEmbedder:
    """What an IndexConfig embeds with; InvalidInput where it does not say."""
    given: dict[str, Any] = {**index}
    if not given.get("embed") or not given.get("dims"):
        raise InvalidInput("index= needs embed (LangChain Embeddings, or a name such as openai:…) and dims.")
    return _LangChainEmbedder(ensure_embeddings(given["embed"]), given["dims"])


# --- records as items -----------------------------------------------------------------------------------------------


def _fields(record: MemoryRecord | MemoryHit) -> dict[str, Any]:
    made = record.created_at if isinstance(record, MemoryRecord) else record.valid_from
    return {
        "namespace": _read_back(record.namespace),
        "key": record.key or record.id,
        "value": _value_of(record),
        "created_at": datetime.fromtimestamp(made, tz=UTC),
        "updated_at": datetime.fromtimestamp(record.updated_at, tz=UTC),
    }


def _item(found: MemoryRecord | MemoryHit) -> SearchItem:
    is_scored = isinstance(found, MemoryHit) and not found.metadata.get(_UNFOUND)
    return SearchItem(**_fields(found), score=found.similarity if is_scored else None)  # type: ignore[union-attr]


def _value_of(record: MemoryRecord | MemoryHit) -> dict[str, Any]:
    """The value that was put; of a record of somebody else's its text."""
    if record.metadata.get(_IN_TEXT):
        try:
            return dict(json.loads(record.content))
        except ValueError:  # a redactor has changed it
            return {"content": record.content}
    value = record.metadata.get(_VALUE)
    return dict(value) if isinstance(value, dict) else {"content": record.content}


def _as_json(value: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return dict(json.loads(json.dumps(value, allow_nan=False)))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"a value in this store is a JSON object: {error}.") from None


def _text_of(value: Mapping[str, Any], index: Sequence[str] | bool | None) -> str:
    """What a value is found by: the paths that were named, or all of it; "" for nothing."""
    if index is False:
        return ""
    if isinstance(index, Sequence):
        return "\n".join(text for path in index for text in get_text_at_path(value, tokenize_path(path)))
    if len(value) == 1 and isinstance(only := next(iter(value.values())), str) and next(iter(value)) in _BARE:
        return only
    return "\n".join(_lines(value))


def _lines(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _lines(each, f"{name} {key}".strip())
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        for each in value:
            yield from _lines(each, name)
    elif value is not None:
        yield f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"


# --- namespaces and filters -----------------------------------------------------------------------------------------


def _written(namespace: Sequence[str]) -> str:
    """A namespace as AMB writes it; what AMB cannot write in one stands as %XX."""
    return "/".join(map(_label, namespace))


def _label(label: str) -> str:
    edges = {0, len(label) - 1}
    return "".join(_escaped(char) if _is_odd(char, at in edges) else char for at, char in enumerate(label))


def _is_odd(char: str, at_edge: bool) -> bool:
    return char in "%/" or (at_edge and char.isspace()) or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escaped(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))


def _read_back(namespace: str) -> _Namespace:
    return tuple(unquote(part, errors="surrogatepass") for part in namespace.split("/"))


def _matches(namespace: _Namespace, condition: MatchCondition) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", found) for wanted, found in zip(path, part, strict=True))


def _has(value: Mapping[str, Any], name: str, wanted: Any) -> bool:
    """Whether a value has what a filter asks for under a name; `user.city` is a field of a field."""
    found: Any = value
    for part in [name] if name in value else name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return _fits(found, wanted)


def _fits(value: Any, wanted: Any) -> bool:
    """Whether a value has what a filter asks for: equal fields, nested ones too, or the operators $eq, $ne, $gt, …"""
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_compared(value, name, other) for name, other in wanted.items())
        return isinstance(value, Mapping) and all(_fits(value.get(name), other) for name, other in wanted.items())
    if isinstance(wanted, list | tuple):
        is_list = isinstance(value, list | tuple) and len(value) == len(wanted)
        return is_list and all(_fits(one, other) for one, other in zip(value, wanted, strict=True))
    return bool(value == wanted)


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, other: bool(value == other),
    "$ne": lambda value, other: bool(value != other),
    "$gt": lambda value, other: value > other,
    "$gte": lambda value, other: value >= other,
    "$lt": lambda value, other: value < other,
    "$lte": lambda value, other: value <= other,
}


def _compared(value: Any, operator: str, other: Any) -> bool:
    if operator not in _OPERATORS:
        raise ValueError(f"Unsupported operator: {operator}")
    if operator in ("$eq", "$ne"):
        return _OPERATORS[operator](value, other)
    try:  # numbers as numbers, also those written as text
        return _OPERATORS[operator](float(value), float(other))
    except (TypeError, ValueError):
        return isinstance(value, str) and isinstance(other, str) and _OPERATORS[operator](value, other)
