"""AMBContext: AutoGen's model context with a memory bank behind it."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Self, Unpack

from autogen_core import Component, FunctionCall
from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import AssistantMessage, FunctionExecutionResult, LLMMessage, UserMessage
from autogen_core.tools import Workbench

from amb_autogen.bank_configs import BanksConfig, banks_config, open_banks
from amb_autogen.callers import caller_of
from amb_autogen.transcript import autogen_messages, chat_messages
from amb_core import ContextAdapter, InvalidParameter, Scope
from amb_core.adapter import AdapterOptions, BankSource, Caller, Inject, Placement, TranscriptItem
from amb_core.call_lock import CallLock
from amb_core.contributor import Entry
from amb_core.rendering import private_line, team_line
from amb_team import TeamMember

__all__ = ["AMBContext", "AMBContextConfig", "Hearing", "summary_formatter"]


class AMBContextConfig(BanksConfig):
    """What AMBContext can be built from again; see its own arguments."""

    agent: str | None = None
    run: str = ""
    placement: Placement | None = None
    merge_with_last_user: bool | None = None
    reserved_tokens: int = 0
    inject: Inject | None = None
    count_tokens: str | None = None
    scope: Scope | None = None
    sharing: bool = False
    initial_messages: list[LLMMessage] | None = None


class AMBContext(ChatCompletionContext, Component[AMBContextConfig]):
    """A model context that keeps the raw transcript, and shows the model a bounded one with the memory block.

    The options are ContextAdapter's; with `team`, what is said goes to the team's memory too, if AutoGen's names of the
    agents are the team's. Work on memory runs in a thread, off the event loop.
    """

    component_config_schema = AMBContextConfig
    component_provider_override = "amb_autogen.AMBContext"

    def __init__(
        self,
        bank: BankSource,
        *,
        initial_messages: Sequence[LLMMessage] | None = None,
        **options: Unpack[AdapterOptions],
    ) -> None:
        super().__init__(None if initial_messages is None else list(initial_messages))
        team = options.get("team")
        if isinstance(team, TeamMember):
            options.setdefault("agent", team.agent)
        self.adapter = ContextAdapter(bank, **options)
        self.bank = self.adapter.bank
        self._hearing = Hearing(self.adapter, agent=options.get("agent"))
        self._options = options
        self._in_order = CallLock()
        self._caller = Caller(run=self)
        self._benches: tuple[Workbench, ...] = ()
        self._tools_cost: int | None = None

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do; the runs went on without it."""
        return self.adapter.failures

    def adapter_of(self, scope: Scope) -> ContextAdapter:
        """The adapter, which is the same for whoever the agent works for."""
        return self.adapter

    async def add_message(self, message: LLMMessage) -> None:
        """Keep the message as it is; a tool result is memory when this returns, and what was said the team's.

        Raises ScopeMixed, with nothing taken in, when the bank is not for this conversation.
        """
        await super().add_message(message)
        self._caller = caller_of(self)
        await asyncio.to_thread(self._taken_in)
        if isinstance(message, AssistantMessage) and isinstance(message.content, str):
            self.adapter.gate.answered(message.content, self._caller.run)

    async def clear(self) -> None:
        """Empty the transcript; memory keeps what it has."""
        await super().clear()
        self.adapter.gate.begin_again(self._caller.run)
        self.adapter.begin_transcript()
        self._hearing.begin()

    async def get_messages(self) -> list[LLMMessage]:
        """The messages for the next model call: old results condensed, the block in its place."""
        self._caller = caller_of(self)
        return await asyncio.to_thread(self._request, await self._schema_tokens())

    def offer(self, benches: Sequence[Workbench]) -> None:
        """Name the workbenches whose tools go with each request; their definitions count towards its bound."""
        self._benches, self._tools_cost = tuple(benches), None

    async def _schema_tokens(self) -> int:
        if self._tools_cost is None:
            schemas = [await bench.list_tools() for bench in self._benches]
            self._tools_cost = self.adapter.count.request([], tools=schemas) if self._benches else 0
        return self._tools_cost

    def _taken_in(self) -> list[dict[str, Any]]:
        with self._in_order:
            mates = getattr(getattr(self.adapter.team, "team", None), "agents", ())
            chat = chat_messages(list(self._messages), mates=mates)
            self.adapter.meet(chat, self._caller)
            self.adapter.intercept_context(chat)
            self._hearing.listen(list(self._messages))
            return chat

    def _request(self, beside: int) -> list[LLMMessage]:
        chat = self._taken_in()  # what came by load_state or initial_messages, or was refused before
        with self._in_order:
            return autogen_messages(self.adapter.prepare(chat, reserved_tokens=beside, caller=self._caller))

    def _to_config(self) -> AMBContextConfig:
        if self._options.get("share") or callable(self._options.get("count_tokens")):
            raise InvalidParameter("a component config cannot name the functions `share` and `count_tokens`.")
        if self._options.get("team"):
            raise InvalidParameter("a component config cannot name a team's memory; detach it first, and attach again.")
        given = {**self._options, **banks_config(self.adapter), "initial_messages": self._initial_messages}
        return AMBContextConfig.model_validate(given)

    @classmethod
    def _from_config(cls, config: AMBContextConfig) -> Self:
        bank, shared = open_banks(config)
        options = {name: getattr(config, name) for name in set(type(config).model_fields) - {"bank", "shared"}}
        return cls(bank, shared=shared, **options)


def summary_formatter(
    context: AMBContext, *, form: str = "{result}"
) -> Callable[[FunctionCall, FunctionExecutionResult], str]:
    """A `tool_call_summary_formatter` that names the notes a result went into (`[n12] topic`) instead of repeating it.

    Without it an agent that ends its turn on a tool call sends the raw result to all its team-mates. A short result
    stays as it is; of one that memory could not take, the beginning and end are shown. Of one that is not shared, no
    more than that there is one. Where each agent has a bank of its own and the team a memory, the mates get the one
    fact of it that bears on the task. `form` is an agent's own `tool_call_summary_format`, with this as its result; not
    in such a team, where each line names its call itself.
    """

    def summary(call: FunctionCall, result: FunctionExecutionResult) -> str:
        item = TranscriptItem("result", result.content, (result.call_id,), call.name)
        text, team = context.adapter.short_form(item, for_team=True), context.adapter.team
        if isinstance(team, TeamMember) and text in (team_line(call.name, "en"), team_line(call.name, "zh")):
            return team.gist(result.content) or text  # each says of which call it is, and mates know such a line
        told = {"tool_name": call.name, "arguments": call.arguments, "is_error": result.is_error}
        return form.format(result=text, **told)

    return summary


_STANDS_FOR_A_RESULT = re.compile(
    "|".join(
        re.escape(line("TOOL", language)).replace("TOOL", r"[^\n]+")
        for line in (team_line, private_line)
        for language in ("en", "zh")
    )
)
"""The lines by which mates learn of a result; nobody said them."""


class Hearing:
    """Tells the team of what is said, each message once, however often the transcript is gone through.

    What `agent` says is its own note; what AutoGen handed over of another's thoughts is nobody's to pass on.
    """

    def __init__(self, adapter: ContextAdapter, *, agent: str | None) -> None:
        self._adapter, self._agent = adapter, agent
        self._told: Counter[tuple[str, str, str]] = Counter()

    def begin(self) -> None:
        """The transcript begins anew."""
        self._told.clear()

    def listen(self, messages: Sequence[LLMMessage]) -> None:
        """Go through a transcript; nothing without a team."""
        if self._adapter.team is None:
            return
        met: Counter[tuple[str, str, str]] = Counter()
        for message in messages:
            text = _words(message)
            if not text or not isinstance(message, AssistantMessage | UserMessage):
                continue
            key = (message.type, message.source, text)
            met[key] += 1
            if met[key] <= self._told[key]:
                continue
            self._told[key] += 1
            if isinstance(message, UserMessage):
                self._adapter.on_entry(Entry("agent", text, sender=message.source))
            elif message.source == self._agent:
                self._adapter.on_entry(Entry("agent", text))


def _words(message: LLMMessage) -> str:
    """What a message says, without its tool calls and pictures."""
    if isinstance(message, AssistantMessage):
        said = message.content if isinstance(message.content, str) else ""
        return "\n".join(filter(None, [message.thought, said]))
    if isinstance(message, UserMessage):
        told = [message.content] if isinstance(message.content, str) else message.content
        said = "\n".join(part for part in told if isinstance(part, str))
        return "\n".join(line for line in said.splitlines() if not _STANDS_FOR_A_RESULT.fullmatch(line))
    return ""
