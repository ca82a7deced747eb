"""AMBSupervisor: long-term memory for a LangGraph supervisor, its hand-offs and what its workers bring back."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import BaseMessage, convert_to_messages
from langchain_core.runnables import ensure_config
from langchain_core.tools import BaseTool, StructuredTool

from amb_core.adapter import text_of
from amb_core.call_lock import CallLock
from amb_langgraph.supervised_worker import Placement, SupervisedWorker, asked_last, with_block
from amb_longterm import LongTermMemory, SupervisorMemory

__all__ = ["AMBSupervisor"]

_log = logging.getLogger("amb.langgraph")
_MOST = 256
"""So many users, and so many messages, are remembered at a time."""
_NOBODY = '{"error": "memory does not know whose it is; go on without it"}'
_USER_KEYS = ("user_id", "langgraph_user_id")


class AMBSupervisor(AgentMiddleware):
    """Reads before the supervisor and before each hand-off, writes after each worker; the workers keep nothing.

    With `create_supervisor`: `pre_model_hook=memory.pre_model_hook`, `tools=memory.tools` and workers wrapped by
    `memory.worker(agent)`. With `create_agent`: `middleware=[memory]`. In a graph of your own: `memory.messages(...)`
    for the supervisor's model and `add_node(name, memory.worker(agent))`.

    `user` is one user's id; without it each call's is taken from `configurable` (`user_id` or `langgraph_user_id`), and
    a thread without one is a user of its own; without a thread, too, there is no memory. `placement` is where the block
    goes: into the last message of the user, or as a system message at the head. `tools` gives the supervisor's model
    the six tools. The other `options` are SupervisorMemory's. Nothing of it stays in the graph's state.
    """

    def __init__(
        self,
        memory: LongTermMemory,
        *,
        user: str | None = None,
        workers: Mapping[str, str] | Sequence[str] = (),
        placement: Placement = "user",
        tools: bool = True,
        name: str = "AMBSupervisor",
        **options: Any,
    ) -> None:
        super().__init__()
        self._memory, self._user, self._name = memory, user, name
        self._placement: Placement = placement
        self._workers = (
            dict(workers) if isinstance(workers, Mapping) else {each: f"{each}_memories" for each in workers}
        )
        self._options = options
        self._users: dict[tuple[str, str], SupervisorMemory] = {}
        self._blocks: dict[tuple[str, str] | None, str] = {}
        self._lock = CallLock()
        SupervisorMemory(memory, user=user or "nobody", workers=self._workers, **options)  # raises for a wrong option
        self.tools: Sequence[BaseTool] = self._given_tools() if tools else ()

    @property
    def name(self) -> str:
        """What the agent knows this middleware by."""
        return self._name

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do, over all users; the runs went on without it."""
        with self._lock:
            return dict(sum((Counter(each.failures) for each in self._users.values()), start=Counter[str]()))

    # --- before the supervisor ---------------------------------------------------------------------------------------

    def messages(self, messages: Sequence[Any]) -> list[Any]:
        """The messages for the supervisor's model, with what is remembered for the user's last one."""
        given = convert_to_messages(messages)
        return with_block(given, self._block(given), placement=self._placement)

    def pre_model_hook(self, state: Any) -> dict[str, list[Any]]:
        """The `pre_model_hook` of create_supervisor and create_react_agent, which add their prompt afterwards."""
        return {"llm_input_messages": self.messages(state["messages"] if isinstance(state, dict) else state.messages)}

    def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[[Any], ModelResponse[Any]]) -> Any:
        """Put what is remembered before one model call of a `create_agent` supervisor."""
        return handler(request.override(messages=self.messages(request.messages)))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[Any], Awaitable[ModelResponse[Any]]]
    ) -> Any:
        """Put what is remembered before one model call of a `create_agent` supervisor."""
        return await handler(request.override(messages=await asyncio.to_thread(self.messages, request.messages)))

    # --- hand-offs ---------------------------------------------------------------------------------------------------

    def worker(self, agent: Any, *, name: str = "") -> Any:
        """The agent with what is remembered for its task put before it, and its result remembered afterwards.

        `name` is the worker's, by default the agent's. A Runnable: it goes into create_supervisor, into
        add_node, or is invoked in a tool of yours.
        """
        return SupervisedWorker(agent, name or agent.name, self._of_user, self._placement)

    # --- users -------------------------------------------------------------------------------------------------------

    def _block(self, messages: Sequence[BaseMessage]) -> str:
        """The block for the user's last message; one and the same for all model calls that answer it."""
        asked, memory = asked_last(messages), self._of_user()
        if asked is None or memory is None:
            return ""
        key = (memory.user, asked.id) if asked.id else None
        with self._lock:
            known = self._blocks.pop(key, None)
        block = memory.before_supervisor(text_of(asked.content)) if known is None else known
        if key is not None:
            with self._lock:
                self._blocks[key] = block
                _keep(self._blocks, _MOST)
        return block

    def _of_user(self) -> SupervisorMemory | None:
        """The memory of the user this is called for; None where nobody can tell whose it would be."""
        configured = ensure_config().get("configurable", {})
        thread = str(configured.get("thread_id") or "")
        told = next((str(configured[key]) for key in _USER_KEYS if configured.get(key)), "")
        user = self._user or told or (f"anonymous-{thread}" if thread else "")
        if not user:
            _log.warning("no memory: pass user, or user_id or thread_id in the configurable of each call")
            return None
        with self._lock:
            memory = self._users.pop((user, thread), None)
            if memory is None:
                options = {"run": thread, **self._options}
                memory = SupervisorMemory(self._memory, user=user, workers=self._workers, **options)
            self._users[user, thread] = memory
            _keep(self._users, _MOST)
        return memory

    def _given_tools(self) -> list[BaseTool]:
        """The six tools; each call goes to the namespaces of the user it is made for."""
        pattern = SupervisorMemory(self._memory, user="nobody", workers=self._workers, **self._options)

        def calling(number: int) -> Callable[..., str]:
            def call(**arguments: Any) -> str:
                memory = self._of_user()
                return _NOBODY if memory is None else memory.tools()[number](**arguments)

            return call

        return [
            StructuredTool(name=tool.name, description=tool.description, args_schema=tool.parameters, func=calling(at))
            for at, tool in enumerate(pattern.tools())
        ]


def _keep(kept: dict[Any, Any], most: int) -> None:
    """Drop what was used longest ago."""
    if len(kept) > most:
        kept.pop(next(iter(kept)))
