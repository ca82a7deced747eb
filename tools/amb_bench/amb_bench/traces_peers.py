"""What frameworks offer to keep requests short, as arms of a replay, where their libraries are installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from amb_core.embedders import HashingEmbedder, open_embedder
from amb_core.protocols import Embedder
from amb_core.text import estimate_tokens
from amb_replay.later_use import Used
from amb_replay.recorded_run import RecordedRun, message_text
from amb_replay.replay_arms import Arm, Moments
from amb_replay.result_passages import passages_of

__all__ = ["CONTEXT_EDITING", "PEERS", "STORE", "peers_here"]

CONTEXT_EDITING = "LangChain context editing"
STORE = "LangGraph store"
_FOUND = 60


class _ContextEditing:
    """LangChain's ClearToolUsesEdit with its defaults: above the bound old results give way to a mark, three stay."""

    def __init__(self, of: Moments) -> None:
        editing: Any = import_module("langchain.agents.middleware.context_editing")
        messages: Any = import_module("langchain_core.messages")
        self._edit, self._convert, self._run = editing.ClearToolUsesEdit, messages.convert_to_messages, of.run

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
        return sum(estimate_tokens(str(one.content) + str(getattr(one, "tool_calls", ""))) + 4 for one in messages)


class _Store:
    """A window, and what LangGraph's InMemoryStore finds among the passages of all results that fell out of it."""

    def __init__(self, of: Moments, embedder: Embedder) -> None:
        index = {"dims": embedder.dimension, "embed": lambda texts: embedder.embed(texts).tolist(), "fields": ["text"]}
        self._store: Any = import_module("langgraph.store.memory").InMemoryStore(index=index)
        self._run, self._block, self._next = of.run, of.block, 0

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Mapping[str, Any]]:
        """The window, and a block of what the store finds for the agent's newest words and result."""
        for at in range(self._next, call):
            if self._run.roles[at] == "tool":
                for number, text in enumerate(passages_of(message_text(self._run.messages[at]))):
                    self._store.put(("run",), f"{at}-{number}", {"text": text, "at": at})
        self._next = call
        run, kept = self._run, self._run.window(call, tokens)
        if len(kept) == call:
            return run.messages[:call]
        kept = run.window(call, tokens - self._block)
        left = max(tokens - run.size_of(kept), self._block // 4)
        return [*(run.messages[at] for at in kept), {"role": "user", "content": self._found(call, set(kept), left)}]

    def _found(self, call: int, kept: set[int], tokens: int) -> str:
        query = " ".join(_newest(self._run, call))
        shown: list[str] = []
        for item in self._store.search(("run",), query=query, limit=_FOUND):
            cost = estimate_tokens(item.value["text"])
            if item.value["at"] not in kept and cost <= tokens:
                shown.append(item.value["text"])
                tokens -= cost
        return "\n---\n".join(shown) or "(nothing found)"


def _newest(run: RecordedRun, call: int) -> list[str]:
    newest = {run.roles[at]: at for at in range(call)}
    return [run.flat[newest[role]].text[:600] for role in ("assistant", "tool") if role in newest]


def _store(embedder: Embedder | None) -> Callable[[Moments], Arm]:
    return lambda of: _Store(of, embedder or HashingEmbedder())


PEERS: Mapping[str, str] = {CONTEXT_EDITING: "langchain", STORE: "langgraph"}
"""The library each peer needs."""


def peers_here(embedder: str) -> dict[str, Callable[[Moments], Arm]]:
    """The peers whose library is installed; the store embeds with the embedder named, else by spelling."""
    found: dict[str, Callable[[Moments], Arm]] = {}
    if find_spec(PEERS[CONTEXT_EDITING]) is not None:
        found[CONTEXT_EDITING] = _ContextEditing
    if find_spec(PEERS[STORE]) is not None:
        found[STORE] = _store(open_embedder(embedder))
    return found
