"""ReActAgent: the public face, and what a run is made of."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from typing import Any

from amb_chat import metered
from amb_core import ContextAdapter, InvalidParameter, MemoryBank, Scope, UnknownId
from amb_core.adapter import BankSource
from amb_core.bank_source import bank_of
from amb_core.protocols import ChatModel
from amb_core.rendering import Language
from amb_core.tracing import agent_run
from amb_core.usage import Ledger, accounting, total_of
from amb_react.loop import Loop, Means
from amb_react.run_events import Ended, ReActEvent, ReActRun, Source
from amb_react.talker import Protocol, Talker
from amb_react.toolbox import Toolbox

__all__ = ["ReActAgent", "cited"]

_log = logging.getLogger("amb.react")


class ReActAgent:
    """Works on a bank's task with a chat model and tools, step by step as the bank plans.

    `tools` are functions with type hints, or objects with name, description, parameters (a JSON schema) and a call
    that returns text; `deep_retrieval` joins them unless one is
    among them. `protocol` says how tools are called: `native`, `text` (tags in
    the model's text), `auto`: native until the endpoint or the model shows that it cannot, or `structured`: one object
    a turn with thought, call and what the newest results say, which goes into memory without another call; a turn
    that cannot be read is repaired once, and from then on tools are called as in `auto`. A run takes at most
    `max_calls` model calls, and one more when the answer has to be forced, and `max_rounds` steps (None: no limit).
    `tool_timeout` are seconds for one tool call, `parallel` is how many run at once. `on_event` is told of progress;
    what it raises is logged. `scope` says whose bank it is, so that its further questions are theirs, too; without it,
    another question is another conversation, which is refused unless `sharing` allows it.
    Raises InvalidParameter for tools that are none, or that fill half the prompt budget.
    """

    def __init__(
        self,
        bank: BankSource,
        chat: ChatModel,
        tools: Sequence[Any] = (),
        *,
        protocol: Protocol = "auto",
        max_calls: int = 60,
        max_rounds: int | None = 20,
        temperature: float | None = 0.6,
        max_output_tokens: int = 4_096,
        tool_timeout: float = 120.0,
        parallel: int = 4,
        on_event: Callable[[ReActEvent], object] | None = None,
        scope: Scope | None = None,
        sharing: bool = False,
    ) -> None:
        if protocol not in ("auto", "native", "text", "structured"):
            raise InvalidParameter(f"the protocol is auto, native, text or structured, not {protocol!r}")
        least = min(max_calls, parallel, max_output_tokens, 1 if max_rounds is None else max_rounds)
        if least < 1 or tool_timeout <= 0:
            raise InvalidParameter("max_calls, max_rounds, max_output_tokens, tool_timeout and parallel begin at 1")
        self.bank = bank_of(bank, scope)
        self.language: Language = self.bank.settings.language_for(self.bank.insight.task_goal)
        self.max_calls, self.max_rounds = max_calls, max_rounds
        theirs = {getattr(tool, "name", "") for tool in tools}
        ours = [tool for tool in ContextAdapter(self.bank).memory_tools() if tool.name not in theirs]
        self.toolbox = Toolbox([*tools, *ours], language=self.language, timeout=tool_timeout, parallel=parallel)
        self.talker = Talker(
            metered(chat),
            toolbox=self.toolbox,
            protocol=protocol,
            language=self.language,
            temperature=temperature,
            max_output_tokens=max_output_tokens,
        )
        self._on_event, self.scope, self.sharing = on_event, scope, sharing
        taken, budget = self.talker.tokens([self.talker.system()]), self.bank.settings.prompt_budget_tokens
        if 2 * taken > budget:
            raise InvalidParameter(
                f"the instructions and tools take {taken} of {budget} tokens; give fewer tools, or raise "
                "Settings(prompt_budget_tokens=...)"
            )

    def run(self, question: str | None = None) -> ReActRun:
        """Work until the question (by default the bank's goal) is answered, or what there is room for is spent.

        Only what the caller does wrong raises: a closed bank, a broken store, ScopeMixed for another question than the
        bank was asked before, unless `scope` or `sharing` was given. Whatever ends the run, what was found
        is in the bank, and a run on it, or on the bank resumed from its store, goes on from there.
        """
        question = question if question and question.strip() else self.bank.insight.task_goal
        chat, ledger = self.talker.chat, Ledger()
        means = Means(
            bank=self.bank,
            talker=self.talker,
            toolbox=self.toolbox,
            language=self.language,
            max_calls=self.max_calls,
            max_rounds=self.max_rounds,
            scope=self.scope,
            sharing=self.sharing,
            tell=self.tell,
        )
        loop = Loop(means, question, ledger)
        with (
            self.bank.host.metered(),
            accounting(ledger),
            agent_run("amb", model=chat.model, endpoint=chat.endpoint) as span,
        ):
            prediction, termination, answered_by = loop.run()
            span.used(ledger.total)
        sources, unknown = cited(self.bank, prediction)
        spent = ledger.by_purpose
        run = ReActRun(
            question=question,
            prediction=prediction,
            messages=tuple(loop.messages),
            termination=termination,
            usage=total_of(spent),
            spent=spent,
            answered_by=answered_by,
            sources=sources,
            unknown_ids=unknown,
            turns=loop.turns,
            rounds=loop.rounds,
            problem=loop.problem,
            extracted=loop.extracted,
            dropped=loop.dropped,
        )
        self.tell(Ended(run))
        return run

    def tell(self, event: ReActEvent) -> None:
        """Pass an event on to `on_event`."""
        try:
            if self._on_event is not None:
                self._on_event(event)
        except Exception:  # noqa: BLE001 - who only watches must not end the run
            _log.exception("on_event failed for %s", type(event).__name__)


_BRACKETED = re.compile(r"[\[［【〔]([^\[\]［］【】〔〕]*)(?=[\[\]［］【】〔〕])")
"""What stands behind a bracket, up to the next one: a source that is named after the id may have brackets, too."""
_ID = re.compile(r"(?<![A-Za-z0-9_])n\d+(?![A-Za-z0-9_])")
_EXCERPT = 300
"""Characters of a note's source that are quoted."""


def cited(bank: MemoryBank, text: str) -> tuple[dict[str, Source], tuple[str, ...]]:
    """The notes a text names in brackets, by the id it uses, in its order; and the ids that do not exist."""
    ids = dict.fromkeys(found for inside in _BRACKETED.findall(text) for found in _ID.findall(inside))
    sources: dict[str, Source] = {}
    for node_id in ids:
        try:
            sources[node_id] = _source_of(bank, node_id)
        except UnknownId:
            continue
    return sources, tuple(node_id for node_id in ids if node_id not in sources)


def _source_of(bank: MemoryBank, node_id: str) -> Source:
    named = (str(entry.metadata.get("source") or "") for entry in bank.host.deep_retrieval(node_id))
    passages = " … ".join(" ".join(text.split()) for _, text in bank.host.passages(node_id))
    excerpt = passages if len(passages) <= _EXCERPT else f"{passages[:_EXCERPT]}…"
    return Source(bank.host.node(node_id).id, "; ".join(dict.fromkeys(filter(None, named))), excerpt)
