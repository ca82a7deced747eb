"""The six tools of long-term memory for agents that call functions: JSON in, JSON text out, errors as advice."""

from __future__ import annotations

import inspect
import json
import logging
import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from amb_core.adapter import Tool
from amb_core.errors import AmbError, InvalidInput, StoreError, UnknownId
from amb_core.longterm.memory import LongTermMemory
from amb_core.longterm.namespaces import checked_namespace, owner_of
from amb_core.longterm.records import MemoryHit, MemoryType, Written
from amb_core.longterm.tool_schemas import DESCRIPTIONS, METADATA_KEYS, MOST_HITS, schema
from amb_core.rendering import escape

__all__ = ["memory_tools"]

_log = logging.getLogger("amb.longterm")
_READING = ("memory_search", "memory_summarize", "memory_route")
_SHOWN = 2_000
"""Characters of a memory that a search shows; summarize takes in the rest."""
_ID = re.compile(r"r[2-9a-z]{10}")
_SAID_TYPE = {"user_profile": MemoryType.USER_PROFILE, "domain_facts": MemoryType.DOMAIN_FACTS}


def memory_tools(
    memory: LongTermMemory,
    *,
    namespaces: Sequence[str] | Mapping[str, str],
    user: str | None = None,
    source: str = "supervisor",
    read_only: bool = False,
) -> list[Tool]:
    """`memory_search`, `memory_write`, `memory_update`, `memory_delete`, `memory_summarize` and `memory_route`.

    Only these namespaces exist for the model, under names without the user's id where that is the same for all of
    them, or under the names of a mapping; no argument reaches another. `user` is whom messages are routed for, by
    default the one the namespaces end with. `source` is written into the metadata of what a model remembers.
    `read_only` leaves out write, update and delete. Raises InvalidParameter for no namespace or a malformed one.
    """
    bound = _Bound(memory, _named(namespaces), user, source)
    settings = memory.settings
    made = {name: getattr(bound, name.removeprefix("memory_")) for name in DESCRIPTIONS}
    return [
        Tool(
            name,
            DESCRIPTIONS[name],
            schema(name, places=tuple(bound.places), top_k=settings.top_k, min_score=settings.min_score),
            _answering(name, function),
        )
        for name, function in made.items()
        if name in _READING or not read_only
    ]


def _named(namespaces: Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    """The namespaces under the names a model knows them by."""
    if isinstance(namespaces, Mapping):
        return {name: checked_namespace(namespace) for name, namespace in namespaces.items()} or _none()
    listed = [namespaces] if isinstance(namespaces, str) else list(dict.fromkeys(namespaces))
    owners = {owner_of(checked_namespace(namespace)) for namespace in listed}
    short = len(owners) == 1 and all("/" in namespace for namespace in listed)
    return {namespace.rpartition("/")[0] if short else namespace: namespace for namespace in listed} or _none()


def _none() -> dict[str, str]:
    checked_namespace("")  # raises: nothing is looked into without a namespace
    return {}


class _Bound:
    """The tools over some namespaces of a memory; every argument is what a model made up until it is checked."""

    def __init__(self, memory: LongTermMemory, places: dict[str, str], user: str | None, source: str) -> None:
        self._memory = memory
        self.places = places
        self._names = {namespace: name for name, namespace in places.items()}
        owners = {owner_of(namespace) for namespace in places.values() if "/" in namespace}
        self._user = user if user is not None else owners.pop() if len(owners) == 1 else ""
        self._source = source

    def search(self, query: Any = "", namespace: Any = None, top_k: Any = None, min_score: Any = None) -> Any:
        k = None if top_k is None else max(1, min(MOST_HITS, int(_number("top_k", top_k))))
        least = None if min_score is None else min(1.0, max(0.0, _number("min_score", min_score)))
        asked = _text("query", query)
        within = [*self.places.values()] if namespace is None else [self._place(namespace)]
        hits = [
            hit
            for each in within
            for hit in self._memory.search(asked, namespace=each, top_k=k, min_score=least)
        ]  # fmt: skip
        best = sorted(hits, key=lambda hit: -hit.score)[: k or self._memory.settings.top_k]
        return [self._shown(hit) for hit in best]

    def write(self, content: Any = "", namespace: Any = None, metadata: Any = None) -> Any:
        within = self._place(namespace if namespace is not None or len(self.places) > 1 else next(iter(self.places)))
        told = self._metadata(metadata)
        kind = _SAID_TYPE.get(within.partition("/")[0])
        if kind is not None:
            told.setdefault("type", kind.value)
        written = self._memory.write(
            _text("content", content), namespace=within, metadata=told, why="a model's tool call"
        )
        return _became(written)

    def update(
        self, id: Any = "", content: Any = None, metadata: Any = None, merge: Any = True, namespace: Any = None
    ) -> Any:
        name = _text("id", id)
        told = None if metadata is None else self._metadata(metadata)
        if not isinstance(merge, bool):
            raise InvalidInput("merge is true or false")
        written = self._memory.update(
            name,
            namespace=self._home(name, namespace),
            content=None if content is None else _text("content", content),
            metadata=told,
            merge=merge,
            why="a model's tool call",
        )
        return _became(written)

    def delete(self, id: Any = None, filters: Any = None, namespace: Any = None) -> Any:
        matching = _mapping("filters", filters)
        if (id is None) == (not matching):
            raise InvalidInput("pass the id of one memory, or filters with a namespace; one of the two")
        if id is not None:
            name = _text("id", id)
            gone = self._memory.delete(name, namespace=self._home(name, namespace), why="a model's tool call")
        else:
            within = self._place(namespace)
            gone = self._memory.delete(namespace=within, filters=matching, why="a model's tool call")
        return {"deleted": gone.deleted}

    def summarize(self, items: Any = (), goal: Any = "") -> Any:
        given = [items] if isinstance(items, str) else items
        if not isinstance(given, list | tuple) or not given or not all(isinstance(item, str) for item in given):
            raise InvalidInput("items is a list of ids or of texts, at least one")
        texts = [self._content(item) for item in given]
        return {"summary": escape(self._memory.summarize(texts, goal=_text("goal", goal)).summary)}

    def route(self, message: Any = "", policy: Any = "default") -> Any:
        found = self._memory.route(_text("message", message), user=self._user, policy=_text("policy", policy))
        writes = {self._names[name]: kind.value for name, kind in found.writes.items() if name in self._names}
        return {
            "should_read": found.should_read,
            "should_write": bool(writes),
            "namespaces": [self._names[name] for name in found.namespaces if name in self._names],
            "writes": writes,
            "reasons": list(found.reasons),
        }

    # --- arguments and results ---------------------------------------------------------------------------------------

    def _place(self, name: Any) -> str:
        """The namespace a model may mean: by its name here, or written out, and only one that was given."""
        if isinstance(name, str) and name in self.places:
            return self.places[name]
        if isinstance(name, str) and name in self._names:
            return name
        raise InvalidInput(f"namespace is one of {', '.join(self.places)}; pick one of these")

    def _home(self, id: str, namespace: Any) -> str:
        """Where the memory with that id is."""
        within = [*self.places.values()] if namespace is None else [self._place(namespace)]
        for each in within:
            if self._memory.get(id, namespace=each) is not None:
                return each
        raise UnknownId("memory", id)

    def _content(self, item: str) -> str:
        """The text of a memory, when the item is an id, else the item itself."""
        bare = item.strip().strip("[]")
        if not _ID.fullmatch(bare):
            return item
        record = self._memory.get(bare, namespace=self._home(bare, None))
        return "" if record is None else record.content

    def _metadata(self, metadata: Any) -> dict[str, Any]:
        given = _mapping("metadata", metadata)
        return {**{key: given[key] for key in METADATA_KEYS if given.get(key) is not None}, "source": self._source}

    def _shown(self, hit: MemoryHit) -> dict[str, Any]:
        text = hit.content if len(hit.content) <= _SHOWN else f"{hit.content[:_SHOWN]}…"
        shown = {
            "id": hit.id,
            "namespace": self._names[hit.namespace],
            "content": escape(text),
            "metadata": _escaped(hit.metadata),
            "score": round(hit.score, 3),
            "date": datetime.fromtimestamp(hit.updated_at, tz=UTC).date().isoformat(),
        }
        if hit.earlier:
            shown["before"] = escape(hit.earlier[:_SHOWN])
        if hit.disagreements:
            shown["told_differently"] = [
                {"about": escape(each.subject), "values": [*map(escape, each.values)]} for each in hit.disagreements
            ]
        return shown


def _answering(name: str, function: Callable[..., Any]) -> Callable[..., str]:
    """The tool as text; what a model made up is ignored, and what goes wrong told and never raised."""

    known = inspect.signature(function).parameters

    def answer(**arguments: Any) -> str:
        try:
            told = function(**{argument: value for argument, value in arguments.items() if argument in known})
        except UnknownId as error:
            told = {"error": f"{escape(str(error)).rstrip('.')}; look it up with memory_search and use its id"}
        except StoreError as error:
            _log.warning("%s: %s", name, error)
            told = {"error": "memory cannot be reached now, and nothing was lost; go on without it"}
        except AmbError as error:
            told = {"error": escape(str(error))}
        except Exception:  # noqa: BLE001 - an agent's run does not end because of its memory
            _log.exception("%s failed", name)
            told = {"error": "memory failed; go on without it"}
        return json.dumps(told, ensure_ascii=False)

    return answer


def _escaped(value: Any) -> Any:
    """JSON with every text in it made harmless."""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list):
        return [_escaped(each) for each in value]
    return {escape(key): _escaped(each) for key, each in value.items()} if isinstance(value, dict) else value


def _became(written: Written) -> dict[str, Any]:
    told: dict[str, Any] = {"id": written.id, "status": written.status}
    if written.redacted:
        told["redacted"] = written.redacted
    return told


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{name} is a text that says something; pass one")
    return value


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise InvalidInput(f"{name} is a number, not {value!r:.40}")
    return number


def _mapping(name: str, value: Any) -> dict[str, Any]:
    """A JSON object; some models pass it as text."""
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except ValueError:
            value = 0
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise InvalidInput(f'{name} is a JSON object, such as {{"type": "user-profile"}}')
    return value
