"""Long-term memory over HTTP, below `/amb/memories`: JSON for programs in any language, and a page of each user.

Who serves it checks first who may ask; `amb memory serve` and the gateway do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode

from amb_core import LongTermMemory
from amb_core.errors import AmbError, InvalidInput, StoreUnreachable, UnknownId
from amb_inspector.memory_api import API, openapi_document
from amb_inspector.memory_page import api_page, user_page

__all__ = ["HEADERS", "ROOT", "DoorAnswer", "DoorRequest", "MemoryDoor", "json_answer"]

ROOT = "/amb/memories"
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'",
}
"""What every answer carries: no script runs in a page, and no other site can frame it or learn its address."""
_SHOWN = ("id", "key", "content", "metadata", "namespace", "updated_at")
_PAGE = 200
"""Records that a page or a list shows at most, the newest first."""


@dataclass(frozen=True, slots=True)
class DoorRequest:
    """One request: `path` without its query, `query` as it stands in the URL, `language` as its header has it."""

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    language: str = ""

    @property
    def asked(self) -> dict[str, str]:
        """The fields of the query, each by its last value."""
        return {name: values[-1] for name, values in parse_qs(self.query, keep_blank_values=True).items()}


@dataclass(frozen=True, slots=True)
class DoorAnswer:
    """One answer, with headers beside its type."""

    status: int
    body: bytes
    type: str = "application/json; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


class MemoryDoor:
    """Answers requests below `/amb/memories` from one LongTermMemory. Thread-safe."""

    def __init__(self, memory: LongTermMemory) -> None:
        self._memory = memory
        self._answers: dict[tuple[str, str], Callable[[DoorRequest], object]] = {
            ("GET", ""): self._list,
            ("POST", ""): self._write,
            ("POST", "/remember"): self._remember,
            ("GET", "/profile"): self._profile,
            ("GET", "/search"): self._search,
            ("GET", "/openapi.json"): lambda _: openapi_document(ROOT),
        }

    def answer(self, request: DoorRequest) -> DoorAnswer:
        """The answer; a request that cannot be is told why, in JSON."""
        part = request.path.removeprefix(ROOT).rstrip("/")
        try:
            if part == "/docs":
                return _page(api_page(ROOT, API, language=request.language))
            if part == "/page":
                return self._page(request)
            if (found := self._answers.get((request.method, part))) is not None:
                return json_answer(found(request))
            if part.count("/") == 1 and part.startswith("/") and request.path.startswith(f"{ROOT}/"):
                return json_answer(self._one(request, unquote(part[1:])))
            raise UnknownId("address", request.path)
        except UnknownId as error:
            return json_answer({"error": str(error)}, status=404)
        except StoreUnreachable as error:
            return json_answer({"error": str(error)}, status=503)
        except AmbError as error:
            return json_answer({"error": str(error)}, status=400)

    # --- for programs ------------------------------------------------------------------------------------------------

    def _list(self, request: DoorRequest) -> object:
        asked = request.asked
        if "user" not in asked and "namespace" not in asked:
            return {"namespaces": self._memory.namespaces()}
        records = self._records(asked)
        return {"memories": [record.model_dump(mode="json", include=set(_SHOWN)) for record in records]}

    def _records(self, asked: Mapping[str, str]) -> list[Any]:
        """The newest records of a user or namespace, the newest first."""
        spaces = [asked["namespace"]] if "namespace" in asked else self._spaces(asked["user"])
        found = [record for space in spaces for record in self._memory.records(space)]
        return sorted(found, key=lambda record: -record.updated_at)[:_PAGE]

    def _spaces(self, user: str) -> list[str]:
        """The namespaces that hold something of a user: `scope/user`, compared whole."""
        return [space for space in self._memory.namespaces() if space.partition("/")[2] == user]

    def _write(self, request: DoorRequest) -> object:
        told = _told(request)
        if "user" in told:
            told.setdefault("namespace", f"user_profile/{told.pop('user')}")
        content = told.pop("content", None)
        allowed = {
            name: told.pop(name) for name in ("namespace", "metadata", "key", "supersedes", "why") if name in told
        }
        if told or not isinstance(content, str) or "namespace" not in allowed:
            raise InvalidInput("a memory is content and user or namespace, with metadata, key, supersedes and why.")
        return self._memory.write(content, **allowed).model_dump(mode="json")

    def _remember(self, request: DoorRequest) -> object:
        told = _told(request)
        if set(told) != {"messages", "user"}:
            raise InvalidInput("remember takes messages (a text or a list) and user.")
        written = self._memory.remember(told["messages"], user=told["user"])
        return {"written": [each.model_dump(mode="json") for each in written]}

    def _profile(self, request: DoorRequest) -> object:
        asked = request.asked
        room = {"room": _number(asked, "room")} if "room" in asked else {}
        if not asked.get("user"):
            raise InvalidInput("a profile is of a user: /amb/memories/profile?user=ana")
        if "q" in asked:
            return {"block": self._memory.block_for(asked["q"], user=asked["user"], **room)}
        return {"block": self._memory.profile(asked["user"], **room)}

    def _search(self, request: DoorRequest) -> object:
        asked = request.asked
        where = {name: asked[name] for name in ("user", "namespace") if name in asked}
        numbers = {name: _number(asked, name) for name in ("top_k", "offset") if name in asked}
        hits = self._memory.search(asked.get("q", ""), **where, **numbers)  # type: ignore[arg-type]
        left_out = {"older", "wordings", "disagreements"}
        return {"hits": [hit.model_dump(mode="json", exclude=left_out) for hit in hits]}

    def _one(self, request: DoorRequest, id: str) -> object:
        """Get, change or delete one record."""
        if not (namespace := request.asked.get("namespace", "")):
            raise InvalidInput("name the record's namespace: ?namespace=user_profile/ana")
        if request.method == "DELETE":
            deleted = self._memory.delete(id, namespace=namespace, why=request.asked.get("why", "asked over HTTP"))
            return deleted.model_dump(mode="json")
        if request.method == "PATCH":
            told = _told(request)
            if not told or set(told) - {"content", "metadata"}:
                raise InvalidInput("a change is content, metadata or both.")
            return self._memory.update(id, namespace=namespace, merge=False, **told).model_dump(mode="json")
        record = self._memory.get(id, namespace=namespace)
        if record is None or request.method != "GET":
            raise UnknownId("memory", id)
        versions = [each.content for each in self._memory.history(id, namespace=namespace)]
        return {**record.model_dump(mode="json", exclude={"embedding"}), "history": versions}

    # --- for people --------------------------------------------------------------------------------------------------

    def _page(self, request: DoorRequest) -> DoorAnswer:
        """The page of a user, or of all; what its forms ask for is done first."""
        asked = request.asked
        if request.method == "POST":
            self._done(request)
            return DoorAnswer(303, b"", headers={"Location": f"{ROOT}/page?{urlencode(asked)}"})
        users = sorted({space.partition("/")[2] for space in self._memory.namespaces()})
        records = self._records(asked) if "user" in asked else None
        return _page(user_page(ROOT, asked, users=users, records=records, most=_PAGE, language=request.language))

    def _done(self, request: DoorRequest) -> None:
        form = {name: values[-1] for name, values in parse_qs(request.body.decode(errors="replace")).items()}
        name, namespace = form.get("id", ""), form.get("namespace", "")
        if form.get("do") == "delete":
            self._memory.delete(name, namespace=namespace, why="deleted on the page")
        elif form.get("do") == "edit" and form.get("content", "").strip():
            self._memory.update(
                name, namespace=namespace, content=form["content"], merge=False, why="edited on the page"
            )
        else:
            raise InvalidInput("the page's forms edit a memory, with a text, or delete it.")


def _told(request: DoorRequest) -> dict[str, Any]:
    try:
        told = json.loads(request.body)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise InvalidInput("the body is a JSON object.")
    return told


def _number(asked: Mapping[str, str], name: str) -> int:
    if not asked[name].isdecimal():
        raise InvalidInput(f"{name} is a number, not {asked[name]!r:.40}.")
    return int(asked[name])


def json_answer(told: object, *, status: int = 200) -> DoorAnswer:
    """An answer in JSON."""
    return DoorAnswer(status, json.dumps(told, ensure_ascii=False).encode(errors="replace"))


def _page(html: str) -> DoorAnswer:
    return DoorAnswer(200, html.encode(errors="replace"), "text/html; charset=utf-8")
