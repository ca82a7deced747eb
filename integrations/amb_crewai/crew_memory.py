"""CrewMemory: what a bank does at CrewAI's hooks."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self
from weakref import WeakValueDictionary

from crewai import Agent, Crew, Process
from crewai.hooks import HookAborted

from amb_core import ContextAdapter, InvalidParameter, Scope, ScopeMixed, ToolResult
from amb_core.adapter import AdapterOptions, BankSource, ToolMember, begin_goal
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL
from amb_core.bank_source import bank_of
from amb_core.contributor import Entry
from amb_crewai.callers import Kickoffs
from amb_crewai.coworkers import asked_of, name_of, names_in, outputs_before, request_of, same_role
from amb_crewai.tools import DeepRetrieval
from amb_crewai.transcript import Transcript, as_chat, as_crew, broke_off
from amb_longterm.longterm_tools import DESCRIPTIONS

__all__ = ["CrewMemory"]

_ROOMY = 0.6
"""Share of the budget from which on requests can be kept within a smaller window of the model."""
_OWN = frozenset({DEEP_RETRIEVAL, "search_memory", *DESCRIPTIONS})
"""Tools that search memories of which each agent has its own, and which change; one of them is CrewAI's."""
_log = logging.getLogger("amb.crewai")


class CrewMemory:
    """One bank at work in the crews and agents named, or in all that run where its hooks are heard.

    Each role has a ContextAdapter of its own. Open it with `with`; closed, all tools it gave out are back.
    `manager_of` names the crew whose manager is meant, which CrewAI may make only when the crew starts.
    """

    def __init__(
        self,
        bank: BankSource,
        targets: Sequence[Crew | Agent],
        *,
        tools: bool,
        options: AdapterOptions,
        manager_of: Crew | None = None,
    ) -> None:
        wrong = [target for target in targets if not isinstance(target, Crew | Agent)]
        if wrong:
            raise InvalidParameter(f"a memory is for crews and agents, not for {type(wrong[0]).__name__}.")
        self.bank = bank_of(bank, options.get("scope"))
        self._crews = [target for target in targets if isinstance(target, Crew)]
        self._single = [target for target in targets if isinstance(target, Agent)]
        self._manager_of = manager_of
        self._everybody = not targets and manager_of is None
        self._tools, self._options = tools, options
        self._adapters: dict[str, ContextAdapter] = {}
        self._transcripts: dict[int, Transcript] = {}
        self._executors: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self._given: list[tuple[Any, DeepRetrieval]] = []
        self._names: dict[str, str] = {}
        self._kickoffs = Kickoffs()
        self._known: dict[int, tuple[Any, str]] = {}
        self._told = False

    def __enter__(self) -> Self:
        taken = [agent.role for agent in self._single if _owner(agent) not in (None, self)]
        if taken:
            raise InvalidParameter(f"the agent {taken[0]!r} has a memory already; detach it first.")
        for agent in (*self._single, *(agent for crew in self._crews for agent in crew.agents)):
            self._give(agent, agent.role)
        return self

    def __exit__(self, *_: object) -> None:
        self._take_back(lambda owner: True)
        for key, executor in list(self._executors.items()):
            executor.messages[:] = self._transcripts[key].restored(executor.messages)
            _set_deferral(executor, bool(getattr(executor.agent, "use_better_compaction", True)))
        self._transcripts.clear()
        self._executors.clear()

    @contextmanager
    def as_one_run(self) -> Iterator[None]:
        """All that starts inside is one conversation, such as the crews of a flow."""
        self._kickoffs.whole = self
        try:
            yield
        except BaseException:
            self._note_end(failed=True)
            raise
        self._note_end(failed=False)

    def _note_end(self, *, failed: bool) -> None:
        for adapter in list(self._adapters.values())[:1]:
            adapter.gate.failed(self) if failed else adapter.gate.answered("", self)

    @property
    def agents(self) -> list[Any]:
        """The agents named, one by one or by their crew."""
        crews = [agent for crew in self._crews for agent in (*crew.agents, crew.manager_agent) if agent]
        manager = None if self._manager_of is None else self._manager_of.manager_agent
        return [*self._single, *crews, *filter(None, [manager])]

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed since the start, by what it was to do."""
        return dict(sum((Counter(adapter.failures) for adapter in self._adapters.values()), Counter[str]()))

    @property
    def adapter(self) -> ContextAdapter:
        """The adapter of the first agent; each role has one of its own, over the same bank."""
        return next(iter(self._adapters.values()), None) or self._adapter("")

    def adapter_of(self, scope: Scope) -> ContextAdapter:
        """The adapter of the first agent, which is the same for whoever the crew works for."""
        return self.adapter

    # --- hooks -------------------------------------------------------------------------------------------------------

    def before_model(self, call: Any) -> None:
        """Take in the new tool results and put the condensed transcript with the block into the request."""
        try:
            self._prepare(call)
        except Exception as error:
            if self.bank.settings.strict or isinstance(error, ScopeMixed):  # CrewAI goes on after any other error
                raise HookAborted(f"memory failed: {error}", source="amb_crewai") from error
            _log.warning("memory failed at a model call (%s); the turn goes on without it", type(error).__name__)

    def after_model(self, call: Any) -> None:
        """Give the executor its messages back as they came; without this the block would be kept among them.

        What the model wrote is the agent's own note in its team.
        """
        if call.executor is not None and self._executors.get(id(call.executor)) is call.executor:
            call.messages[:] = self._transcripts[id(call.executor)].restored(call.messages)
        if call.agent is not None and isinstance(call.response, str) and self._serves(call.agent, call.crew):
            self._adapter(call.agent.role).on_entry(Entry("agent", call.response))

    def before_tool(self, call: Any) -> bool | None:
        """False, which is CrewAI's sign to leave the call out, when the team's memory answers a search.

        A coworker of ours that is asked something by a tool call hears it.
        """
        self._names |= names_in(call.crew)
        role = asked_of(call.tool_name, call.tool_input)
        for agent in () if role is None or call.crew is None else call.crew.agents:
            if same_role(agent.role) == role and self._serves(agent, call.crew):
                self._adapter(agent.role).on_entry(
                    Entry("agent", request_of(call.tool_input), sender=name_of(call.agent))
                )
        # What is left out cannot become the answer of a task.
        if call.agent is None or call.tool_name in _OWN or getattr(call.tool, "result_as_answer", False):
            return None
        if not self._serves(call.agent, call.crew):
            return None
        found = self._adapter(call.agent.role).known(call.tool_name, call.tool_input)
        if found is None:
            return None
        self._known[id(call.tool_input)] = (call.tool_input, found)
        return False

    def after_tool(self, call: Any) -> str | None:
        """The answer of memory, in the place of CrewAI's word that the call was left out."""
        of, found = self._known.get(id(call.tool_input), (None, None))
        if of is not call.tool_input:
            return None
        del self._known[id(call.tool_input)]
        return found

    def on_start(self, run: Any) -> None:
        """Give `deep_retrieval` to the agents of a crew that starts, and to tasks that bring tools of their own."""
        crew = run.crew
        if crew is None:
            return
        self._kickoffs.begin(run)
        hierarchical = crew.process == Process.hierarchical
        for agent in crew.agents:
            if self._serves(agent, crew):
                self._give(agent, agent.role)
        for task in crew.tasks:
            worker = crew.manager_agent if hierarchical else task.agent
            ours = self._serves(worker, crew) or (hierarchical and crew is self._manager_of)
            if ours and (task.tools or hierarchical):
                self._give(task, worker.role if worker else "")

    def on_end(self, run: Any) -> None:
        """Take back what `on_start` gave to the tasks of the crew, and to agents that were not named."""
        if run.crew is not None:
            self._kickoffs.end(run, next(iter(self._adapters.values()), None))
            kept = [id(agent) for agent in self.agents]
            theirs = [*run.crew.tasks, *(agent for agent in run.crew.agents if id(agent) not in kept)]
            self._take_back(lambda owner: any(owner is one for one in theirs))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _prepare(self, call: Any) -> None:
        """Rewrite a request in place, which is how CrewAI wants it.

        A call without an executor is a step of a plan, or CrewAI's demand for an answer when an agent's iterations are
        used up; that one names no agent and is known by the transcript it goes on from.
        """
        if call.executor is None and call.agent is None:
            begun = ((known.continued_by(call.messages), known.role) for known in list(self._transcripts.values()))
            raw, role = next(((raw, role) for raw, role in begun if raw is not None), (None, ""))
        elif not self._serves(call.agent, call.crew):
            return
        else:
            role = call.agent.role
            raw = list(call.messages) if call.executor is None else self._of(call.executor).whole(call.messages)
        if raw is None:
            return
        adapter, chat, caller = self._adapter(role), as_chat(raw), self._kickoffs.caller(call)
        adapter.meet(chat, caller)
        tasks = [call.task] if call.crew is None else call.crew.tasks
        begin_goal(adapter, "\n".join(task.description for task in tasks if task is not None))
        for sender, said in outputs_before(call.task, call.crew):
            adapter.on_entry(Entry("agent", said, sender=sender))
        self._names |= names_in(call.crew)
        adapter.intercept_context(chat)
        window = self._window_of(call.llm)
        schemas = getattr(call.executor, "_openai_tools", None) or ()
        beside = self._beyond(window) + adapter.count.request([], tools=schemas)
        call.messages[:] = as_crew(adapter.prepare(chat, reserved_tokens=beside, window_tokens=window, caller=caller))
        if call.executor is not None:
            self._of(call.executor).keep(raw, shown=call.messages, role=role)
            _set_deferral(call.executor, False)

    @staticmethod
    def _window_of(llm: Any) -> int | None:
        """The window CrewAI takes a model to have: 8,192 tokens for one it does not know, such as any local one."""
        size: Any = getattr(llm, "get_context_window_size", None)
        return size() if size is not None else None

    def _beyond(self, window: int | None) -> int:
        """How much of a budget that was set the window cannot hold: CrewAI summarises what is over it, block and all.

        Where no budget was set it is half of the window.
        """
        budget = self.bank.settings.budget_for(window)
        if window is None or window >= budget:
            return 0
        if window < _ROOMY * budget and not self._told:
            self._told = True
            _log.warning(
                "the model's window holds %d tokens, too few for a budget of %d: CrewAI will summarise requests, block "
                "and all; set prompt_budget_tokens below the window, and max_raw_tokens to a quarter of it",
                window,
                budget,
            )
        return budget - window

    def _serves(self, agent: Any, crew: Any) -> bool:
        """Whether an agent is ours: it has our tool (copies of crews keep it), or was named and has no other memory."""
        owner = _owner(agent)
        if owner is not None:
            return owner is self
        named = any(agent is one for one in self._single) or any(crew is one for one in self._crews)
        manages = self._manager_of is not None and agent is not None and agent is self._manager_of.manager_agent
        return self._everybody or named or manages

    def _of(self, executor: Any) -> Transcript:
        if self._executors.get(id(executor)) is not executor:
            for gone in self._transcripts.keys() - self._executors.keys():
                self._transcripts.pop(gone, None)
            self._executors[id(executor)] = executor
            self._transcripts[id(executor)] = Transcript()
        return self._transcripts[id(executor)]

    def _adapter(self, role: str) -> ContextAdapter:
        if role not in self._adapters:
            options: AdapterOptions = {"agent": role.strip() or None, "follows_talk": False, **self._options}
            member = options.get("team")
            if member is not None:
                options["team"] = ToolMember(member, self._answer_in, broke_off=broke_off)
            self._adapters[role] = ContextAdapter(self.bank, **options)
        return self._adapters[role]

    def _answer_in(self, result: ToolResult) -> tuple[str, str] | None:
        role = asked_of(result.tool, result.arguments)
        return None if role is None else (self._names.get(role, ""), result.output)

    def _give(self, owner: Any, role: str) -> None:
        for tool in self._adapter(role).memory_tools() if self._tools else ():
            if all(one.name != tool.name for one in owner.tools or ()):
                ours = DeepRetrieval.of(tool, owner=self)
                owner.tools = [*(owner.tools or ()), ours]
                self._given.append((owner, ours))

    def _take_back(self, wanted: Any) -> None:
        for owner, ours in [pair for pair in self._given if wanted(pair[0])]:
            owner.tools = [tool for tool in owner.tools or () if tool is not ours]
        self._given = [pair for pair in self._given if not wanted(pair[0])]


def _owner(agent: Any) -> object:
    tools = getattr(agent, "tools", None) or ()
    return next((tool.owner for tool in tools if isinstance(tool, DeepRetrieval) and tool.owner), None)


def _set_deferral(executor: Any, wanted: bool) -> None:
    """CrewAI moves large results into files before memory can see them; here condensing does that work."""
    if hasattr(executor, "use_better_compaction"):
        executor.use_better_compaction = wanted
