"""What other libraries offer to keep requests short, as arms of a replay, where they are installed.

None of them asks a model here. LangChain's edit needs none; LangGraph's store and mem0 keep passages of tool results
under vectors of a local embedder. What mem0 does beyond that, reading facts off a text (`infer=True`), needs a model.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from amb_core.protocols import Embedder
from amb_core.text import estimate_tokens
from amb_embedders import HashingEmbedder, open_embedder
from amb_replay.later_use import Used
from amb_replay.recorded_run import RecordedRun, message_text
from amb_replay.replay import Opener
from amb_replay.replay_arms import Arm, Moments
from amb_replay.result_passages import passages_of

__all__ = ["CONTEXT_EDITING", "LANGGRAPH_STORE", "MEM0", "PEERS", "peers_here"]

CONTEXT_EDITING = "LangChain context editing"
LANGGRAPH_STORE = "LangGraph store"
MEM0 = "mem0"
PEERS: Mapping[str, str] = {CONTEXT_EDITING: "langchain", LANGGRAPH_STORE: "langgraph", MEM0: "mem0"}
"""The module each peer needs."""

_FOUND = 60


class _ContextEditing:
    """LangChain's ClearToolUsesEdit with its defaults: above the bound old results give way to a mark, three stay."""

    def __init__(self, of: Moments) -> None:
        editing: Any = import_module("langchain.agents.middleware.context_editing")
        messages: Any = import_module("langchain_core.messages")
        self._edit, self._convert, self._run = editing.ClearToolUsesEdit, messages.convert_to_messages, of.run
        self._tokens: dict[str, int] = {}

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Mapping[str, Any]]:
        """The messages before the call as the edit leaves them."""
        before = self._run.messages[:call]
        edited = self._convert([dict(message) for message in before])
        was = [message.content for message in edited]
        self._edit(trigger=tokens).apply(edited, count_tokens=self._count)
        return [
            message if new.content == old else {**message, "content": new.content}
            for message, new, old in zip(before, edited, was, strict=True)
        ]

    def _count(self, messages: Sequence[Any]) -> int:
        texts = [str(one.content) + str(getattr(one, "tool_calls", "")) for one in messages]
        for text in texts:
            if text not in self._tokens:
                self._tokens[text] = estimate_tokens(text) + 4
        return sum(self._tokens[text] for text in texts)


class _Store(Protocol):
    """A library's memory of passages, each with the place of its result."""

    def put(self, texts: Sequence[str], at: int) -> None:
        """Keep the passages of one result."""
        ...

    def search(self, query: str) -> Iterator[tuple[str, int]]:
        """The best passages with their places."""
        ...


class _LangGraphStore:
    """LangGraph's InMemoryStore."""

    def __init__(self, embedder: Embedder) -> None:
        index = {"dims": embedder.dimension, "embed": lambda texts: embedder.embed(texts).tolist(), "fields": ["text"]}
        self._store: Any = import_module("langgraph.store.memory").InMemoryStore(index=index)

    def put(self, texts: Sequence[str], at: int) -> None:
        for number, text in enumerate(texts):
            self._store.put(("run",), f"{at}-{number}", {"text": text, "at": at})

    def search(self, query: str) -> Iterator[tuple[str, int]]:
        for item in self._store.search(("run",), query=query, limit=_FOUND):
            yield item.value["text"], item.value["at"]


class _Mem0:
    """mem0 over its own vector store in memory; `infer=False`, so that no model is asked."""

    def __init__(self, embedder: Embedder) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="amb-mem0-", ignore_cleanup_errors=True)
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": self._folder.name, "OPENAI_API_KEY": "none"}
        library: Any = import_module("mem0")
        client: Any = import_module("qdrant_client").QdrantClient(":memory:")
        store = {"client": client, "embedding_model_dims": embedder.dimension}
        config = {"vector_store": {"provider": "qdrant", "config": store}, "history_db_path": ":memory:"}
        self._memory = library.Memory.from_config(config)
        self._memory.embedding_model = _Mem0Embedder(embedder)

    def put(self, texts: Sequence[str], at: int) -> None:
        for text in texts:
            self._memory.add(text, user_id="run", infer=False, metadata={"at": at})

    def search(self, query: str) -> Iterator[tuple[str, int]]:
        for item in self._memory.search(query, filters={"user_id": "run"}, top_k=_FOUND, threshold=0.0)["results"]:
            yield item["memory"], item["metadata"]["at"]


@dataclass(frozen=True, slots=True)
class _Mem0Embedder:
    """The embedder mem0 is given."""

    embedder: Embedder

    def embed(self, text: str, *_: object) -> list[float]:
        return [float(number) for number in self.embedder.embed([text])[0]]

    def embed_batch(self, texts: list[str], *_: object) -> list[list[float]]:
        return [self.embed(text) for text in texts]


class _Searches:
    """What a store that follows a run finds before each call; every call is searched once."""

    def __init__(self, run: RecordedRun, store: _Store) -> None:
        self._run, self._store, self._next = run, store, 0
        self._found: dict[int, list[tuple[str, int]]] = {}

    def before(self, call: int) -> list[tuple[str, int]]:
        """The passages found for the agent's newest words and result; calls come in order."""
        if call not in self._found:
            for at in range(self._next, call):
                if self._run.roles[at] == "tool":
                    self._store.put(list(passages_of(message_text(self._run.messages[at]))), at)
            self._next = call
            query = " ".join(_newest(self._run, call)).strip()
            self._found[call] = list(self._store.search(query)) if query else []
        return self._found[call]


@dataclass(frozen=True, slots=True)
class _WindowWithStore:
    """A window, and what a store finds among the passages of all results that fell out of it."""

    of: Moments
    searches: _Searches

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Mapping[str, Any]]:
        """The window, and behind it a block of what is found."""
        run = self.of.run
        found = self.searches.before(call)
        kept = run.window(call, tokens)
        if len(kept) == call:
            return run.messages[:call]
        kept = run.window(call, tokens - self.of.block)
        left = max(tokens - run.size_of(kept), self.of.block // 4)
        shown = []
        for text, at in found:
            cost = estimate_tokens(text)
            if at not in kept and cost <= left:
                shown.append(text)
                left -= cost
        block = "\n---\n".join(shown) or "(nothing found)"
        return [*(run.messages[at] for at in kept), {"role": "user", "content": block}]


def _newest(run: RecordedRun, call: int) -> list[str]:
    newest = {run.roles[at]: at for at in range(call)}
    return [run.flat[newest[role]].text[:600] for role in ("assistant", "tool") if role in newest]


def _opener(make: Callable[[Embedder], _Store], embedder: Embedder) -> Opener:
    """Opens arms over one store a run: an arm is opened several times until it sends as many tokens as AMB."""
    opened: list[tuple[RecordedRun, _Searches]] = []

    def open_arm(of: Moments) -> Arm:
        if not opened or opened[0][0] is not of.run:
            opened[:] = [(of.run, _Searches(of.run, make(embedder)))]
        return _WindowWithStore(of, opened[0][1])

    return open_arm


def peers_here(embedder: str) -> dict[str, Opener]:
    """The peers whose library is installed; stores embed with the embedder named, else by spelling."""
    told = open_embedder(embedder) or HashingEmbedder()
    known: dict[str, Opener] = {
        CONTEXT_EDITING: _ContextEditing,
        LANGGRAPH_STORE: _opener(_LangGraphStore, told),
        MEM0: _opener(_Mem0, told),
    }
    return {name: opener for name, opener in known.items() if find_spec(PEERS[name]) is not None}
