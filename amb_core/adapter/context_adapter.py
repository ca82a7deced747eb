"""Stands between a bank and the turns of an agent: what goes into a prompt, what comes out of a tool."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict, TypeVar

from amb_core.adapter.chat_messages import (
    Calls,
    Costs,
    Placement,
    TokenCounter,
    attachment_part,
    checked,
    condensed,
    digest_of,
    items_of,
    placed,
    strip_blocks,
    tool_results_of,
)
from amb_core.adapter.levels import Levels, everything
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL, deep_retrieval_tool, node_id_in, without_ours
from amb_core.adapter.scope_guard import Caller, ScopeGate
from amb_core.adapter.teammate import TeamHook, Teammate
from amb_core.adapter.tool import Tool
from amb_core.adapter.wire_forms import WireFormName, in_any_form, read_transcript
from amb_core.bank import MemoryBank
from amb_core.condenser import CondensedTranscript, Condenser, Limits, Reference, TranscriptItem
from amb_core.errors import InvalidInput, InvalidParameter, ScopeMixed, UnknownId
from amb_core.memory.reports import AbsorbReport
from amb_core.models import AttachmentContent, InsightDoc, StepResult, ToolResult
from amb_core.rendering import Language, MemoryBlock, head_and_tail, reference_line, strip_block
from amb_core.scope import Scope
from amb_core.text import detect_language

__all__ = ["AdapterOptions", "ContextAdapter", "Interception"]

_log = logging.getLogger("amb.adapter")
_ATTEMPTS = 3  # so often is a result offered to a memory that could not take it
_Value = TypeVar("_Value")
_Key = tuple[str, str, str]  # run, call id (or tool), and the output's fingerprint


class AdapterOptions(TypedDict, total=False):
    """The options of ContextAdapter, which says what each of them means: `**options: Unpack[AdapterOptions]`."""

    shared: MemoryBank | None
    share: Callable[[ToolResult], bool] | None
    team: Teammate | None
    scope: Scope | None
    sharing: bool
    agent: str | None
    run: str
    placement: Placement | None
    merge_with_last_user: bool
    reserved_tokens: int
    count_tokens: Callable[[str], int] | None
    form: WireFormName | None


@dataclass(frozen=True, slots=True)
class Interception:
    """What became of a turn: a report per absorbed result, how many were passed over, how many memory refused.

    Passed over are AMB's own block, `deep_retrieval` output, blank results, and what was absorbed before.
    """

    reports: tuple[AbsorbReport, ...]
    insight: InsightDoc
    skipped: int = 0
    failed: int = 0


class ContextAdapter:
    """Connects any agent to a bank: on messages of a provider's form, or piece by piece for a framework's own objects.

    Messages are OpenAI chat messages, OpenAI Responses items, Anthropic messages or Gemini contents, and come back in
    the same form; `form` names it for lists that could be of several, which are OpenAI chat otherwise.
    `shared` is the bank of a team the agent works in: results for which `share` is true (by default all) are kept there
    for everybody, and notes of both banks are in the block, as `p12` (private) and `s12` (shared).
    `team` is the agent's part in a team memory: its block goes behind the bank's, it sees what `share` lets the team
    see, and `known` asks it before a search is made.
    `placement` (default: the bank's setting) says where the block goes; `merge_with_last_user` joins a tail block to
    the last user message, for chat templates that allow no two in a row. `run` and `agent` mark what is absorbed.
    `count_tokens` counts the transcript exactly, for instance with tiktoken, instead of by estimate.
    `reserved_tokens` is what each request carries beside these messages, such as instructions and tool schemas, when
    that is more than a fifth of `prompt_budget_tokens`.
    A bank serves one user and thread: `scope` says which, or else the framework or the transcript does, and whoever
    else comes gets ScopeMixed before anything is sent or taken in. `sharing` lets all of them work with one bank.
    Trouble in memory is logged and counted in `failures` and the turn goes on without it, unless `settings.strict`.
    Thread-safe.
    """

    def __init__(
        self,
        bank: MemoryBank,
        *,
        placement: Placement | None = None,
        merge_with_last_user: bool = False,
        run: str = "",
        agent: str | None = None,
        count_tokens: Callable[[str], int] | None = None,
        reserved_tokens: int = 0,
        shared: MemoryBank | None = None,
        share: Callable[[ToolResult], bool] | None = None,
        team: Teammate | None = None,
        scope: Scope | None = None,
        sharing: bool = False,
        form: WireFormName | None = None,
    ) -> None:
        if placement not in (None, "tail", "user_prefix", "system"):
            raise InvalidParameter(f"placement is tail, user_prefix or system, not {placement!r}.")
        self.bank, self.shared, self.team = bank, shared, team
        self.gate = ScopeGate(bank, shared, scope=scope, sharing=sharing)
        self.form: WireFormName | None = form
        self._levels = Levels(bank, shared, share or everything, getattr(team, "team", None))
        self.hook = TeamHook(team, attempt=self.attempt, shares=self._levels.shares)
        self._placement: Placement = placement or bank.settings.placement
        self._merge = merge_with_last_user
        self._run, self._agent = run, agent
        self.count = TokenCounter(count_tokens)
        self._reserved = reserved_tokens
        self._calls: Calls = {}
        self._absorbed: dict[_Key, tuple[str, ...]] = {}
        self._attempts: Counter[_Key] = Counter()
        self._failures: Counter[str] = Counter()
        self._lock = threading.RLock()
        self._condenser = self._new_condenser()

    @classmethod
    def of(cls, memory: MemoryBank | ContextAdapter) -> ContextAdapter:
        """The adapter itself, or a new one for a bank: for functions that take either."""
        return memory if isinstance(memory, ContextAdapter) else cls(memory)

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed since the start, by what it was to do."""
        return dict(self._failures)

    def meet(self, messages: Sequence[Any], caller: Caller | None = None) -> list[dict[str, Any]]:
        """The messages without blocks; ScopeMixed when the bank is not the `caller`'s, before anything is taken in."""
        plain = strip_blocks(checked(read_transcript(messages, form=self.form).chat))
        self.gate.meet(plain, caller)
        return plain

    # --- OpenAI-style messages ---------------------------------------------------------------------------------------

    @in_any_form
    def prepare(
        self,
        messages: Sequence[Any],
        *,
        query: str | None = None,
        reserved_tokens: int = 0,
        spared_tokens: int = 0,
        caller: Caller | None = None,
    ) -> list[dict[str, Any]]:
        """`condense`, then `enhance_prompt`: the messages for the next request, of bounded size.

        `reserved_tokens` is what this one request carries beside its messages, in addition to the adapter's own.
        `spared_tokens` of all that do not count towards condensing, because the high-water mark leaves room for them.
        """
        plain = self.meet(messages, caller)
        costs = self.count.each(plain)
        shown = self._condensed(plain, costs, reserved_tokens - spared_tokens)
        return self._enhance(shown, costs, query=query, beside=reserved_tokens)

    @in_any_form
    def enhance_prompt(self, messages: Sequence[Any], *, query: str | None = None) -> list[dict[str, Any]]:
        """A new message list with the block for the pending step (or for `query`) in it; an older block is removed.

        Images that wait to be recognised come as image_url parts. The input is not changed.
        """
        plain = self.meet(messages)
        return self._enhance(plain, self.count.each(plain), query=query)

    @in_any_form
    def condense(
        self, messages: Sequence[Any], *, reserved_tokens: int = 0, spared_tokens: int = 0
    ) -> list[dict[str, Any]]:
        """A new message list in which old tool results have given way to references, then to one index line.

        System messages, the first user message and the newest results stay; a call and its results stay together.
        """
        plain = strip_blocks(checked(messages))
        return self._condensed(plain, self.count.each(plain), reserved_tokens - spared_tokens)

    def begin_transcript(self) -> None:
        """Forget what was decided about a transcript that is begun anew; what memory holds stays."""
        with self._lock:
            self._condenser = self._new_condenser()

    def intercept_context(self, turn: StepResult | ToolResult | Sequence[Any]) -> Interception:
        """Take in what a turn brought: a StepResult (which closes the pending step), tool results, or new messages.

        Results absorbed before are passed over, so a whole transcript may be given each time.
        """
        if isinstance(turn, StepResult):
            return self._finish(turn)
        if isinstance(turn, ToolResult):
            return self.absorb([turn])
        if isinstance(turn, str | bytes) or not isinstance(turn, Iterable):
            raise InvalidInput(f"a turn is a StepResult, tool results or messages, not {type(turn).__name__}.")
        parts = list(turn)
        if all(isinstance(part, ToolResult) for part in parts):
            return self.absorb(parts)
        with self._lock:
            messages = checked(read_transcript(parts, form=self.form).with_answers)
            results = tool_results_of(messages, calls=self._calls, run=self._run, agent=self._agent)
        return self.absorb(results)

    def memory_tools(self) -> list[Tool]:
        """The tools to give to the agent: `deep_retrieval`."""
        return [deep_retrieval_tool(self.deep_retrieval)]

    # --- pieces for framework adapters -------------------------------------------------------------------------------

    def absorb(self, results: Iterable[ToolResult]) -> Interception:
        """Take in tool results that are new; one that memory refuses is offered again, three times in all."""
        reports: list[AbsorbReport] = []
        skipped = failed = 0
        for result in map(self._marked, results):
            key = (result.run, result.call_id or result.tool, digest_of(result.output))
            if (wanted := self._wanted(result, key)) is None:
                skipped += 1
                continue
            if (report := self.attempt("absorb", partial(self._taken_in, wanted, key))) is None:
                failed += 1
                continue
            reports.append(report)
        return Interception(tuple(reports), self.bank.insight, skipped, failed)

    def _taken_in(self, result: ToolResult, key: _Key) -> AbsorbReport:
        home = self._levels.home_of(result)
        self._levels.withhold(result)
        report = home.absorb(result)
        self._absorbed[key] = tuple(self._levels.shown_id(home, node_id) for node_id in report.node_ids)
        self.hook.saw(result)
        return report

    def known(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What the team's memory answers instead of a search, and is not taken in again; None to make the call."""
        return self.hook.known(tool, arguments)

    def condense_items(self, items: Sequence[TranscriptItem], *, reserved_tokens: int = 0) -> CondensedTranscript:
        """What to do with each item of a transcript; call it with the whole transcript, as it came, every time."""
        beside = TranscriptItem("system", "", tokens=self._reserved + reserved_tokens + self.hook.most_tokens)
        with self._lock:
            outcome = self._condenser.condense([*items, beside])
        return replace(outcome, actions=outcome.actions[:-1])

    def block(self, *, query: str | None = None) -> MemoryBlock | None:
        """The block for the next request; None when memory cannot give one."""
        block = self.attempt("enhance", partial(self.bank.enhance, query=query, team=self.shared))
        return None if block is None else self.hook.add_to(block, query=query, count=self.count)

    def log(self, block: MemoryBlock, *, prompt_tokens: int, raw_tokens: int) -> None:
        """Record that a block went into a request of `prompt_tokens`, which without AMB had `raw_tokens`."""
        self.attempt("log", partial(self.bank.log_injection, block, prompt_tokens=prompt_tokens, raw_tokens=raw_tokens))

    def short_form(self, result: TranscriptItem, *, for_team: bool = False) -> str:
        """A result as somebody who did not ask for it should see it: the notes it went into, unless it is shorter.

        Of one that memory does not hold, the beginning and end. `for_team` says nothing of what is not shared.
        """
        found, language = self._reference(result), self._language()
        held = found is not None or self.hook.has_answered(result.text)
        told = self._levels.told_to_mates(result, held=held, language=language) if for_team else None
        if told is not None:
            return told
        if found is None:
            return head_and_tail(result.text, max(60, self.bank.settings.max_raw_tokens // 4), None, language)
        line = reference_line(found, language)
        return line if self.count.text(line) < self.count.text(result.text) else result.text

    def waiting_files(self) -> list[AttachmentContent]:
        """The files the pending step is to recognise, or all that wait when it names none."""
        pending = self.bank.insight.pending
        named = pending.attachment_ids if pending else ()
        wanted = [attachment.id for attachment in self.bank.waiting if not named or attachment.id in named]
        opened = [self.attempt("open a file", partial(self.bank.open_waiting, name)) for name in wanted]
        return [content for content in opened if content is not None]

    def attempt(self, what: str, action: Callable[[], _Value]) -> _Value | None:
        """What some work on memory brings; None when it fails, which is logged and counted (or raised if strict)."""
        try:
            return action()
        except Exception as error:  # noqa: BLE001 - whatever fails in memory, the turn goes on
            self._note(what, error)
            return None

    def as_messages(self, text: str) -> list[dict[str, Any]]:
        """A block as one user message, with the images that wait to be recognised."""
        return placed([], text, images=self._images(), placement="tail", merge=False)

    def deep_retrieval(self, node_id: str = "", page: int = 0) -> str:
        """Open the full source text behind a note of the memory block, page by page."""
        settings = self.bank.settings
        budget = min(2 * settings.max_raw_tokens, max(settings.prompt_budget_tokens // 4, 1))
        try:
            bank, found = self._levels.find(node_id_in(node_id))
            return bank.deep_retrieval_text(found, budget_tokens=budget, page=int(page))
        except (UnknownId, ValueError) as error:
            return f"Error: {error}"
        except Exception as error:  # noqa: BLE001 - whatever fails in memory, the agent goes on
            self._note("deep_retrieval", error)
            return "Error: memory could not be read; go on with what is known."

    # --- inside ------------------------------------------------------------------------------------------------------

    def _condensed(self, plain: list[dict[str, Any]], costs: Costs, reserved_tokens: int) -> list[dict[str, Any]]:
        items = items_of(plain, [costs[id(message)] for message in plain])
        return condensed(plain, self.condense_items(items, reserved_tokens=reserved_tokens), strict_roles=self._merge)

    def _enhance(
        self, plain: list[dict[str, Any]], costs: Costs, *, query: str | None, beside: int = 0
    ) -> list[dict[str, Any]]:
        """The messages with the block, which is logged; `costs` are of the whole transcript, `beside` of the rest."""
        block = self.block(query=query)
        if block is None:
            return plain
        messages = placed(plain, block.text, images=self._images(), placement=self._placement, merge=self._merge)
        shown = sum(self.count.each(messages, known=costs).values())
        beside += self._reserved
        self.log(block, prompt_tokens=shown + beside, raw_tokens=sum(costs.values()) + beside)
        return messages

    def _images(self) -> list[dict[str, Any]]:
        return [part for part in map(attachment_part, self.waiting_files()) if part is not None]

    def _finish(self, step: StepResult) -> Interception:
        """Close the step; when memory cannot take it in, what it can is kept and the step counts as failed."""
        marked = [self._marked(result) for result in step.tool_results]
        shared = [result for result in marked if self._levels.home_of(result) is not self.bank]
        taken_by_team = self.absorb(shared)
        private = [result for result in marked if result not in shared]
        for result in private:
            self._levels.withhold(result)
        wanted = [without_ours(result) for result in private]
        results = tuple(result for result in wanted if result is not None)
        skipped = len(wanted) - len(results) + taken_by_team.skipped
        clean = step.model_copy(update={"tool_results": results, "text": strip_block(step.text)})
        insight = self.attempt("finish a step", partial(self.bank.finish_step, clean))
        self.hook.said(clean.text)
        if insight is not None:
            for result in results:
                self.hook.saw(result)
            return Interception(taken_by_team.reports, insight, skipped, taken_by_team.failed)
        taken = self.absorb(results)
        failed = clean.model_copy(update={"tool_results": (), "failed": True, "answer": None})
        return Interception(taken.reports, self.bank.finish_step(failed), skipped, taken.failed + 1)

    def _marked(self, result: ToolResult) -> ToolResult:
        """The result with this adapter's run and agent where it names none."""
        return result.model_copy(update={"run": result.run or self._run, "agent": result.agent or self._agent})

    def _wanted(self, result: ToolResult, key: _Key) -> ToolResult | None:
        """The result as memory should get it; None for what is known, blank, our own, or was refused too often."""
        clean = without_ours(result)
        with self._lock:
            if clean is None:
                node_id = node_id_in(result.arguments.get("node_id", ""))
                self._absorbed[key] = (node_id,) if result.tool == DEEP_RETRIEVAL and node_id else ()
            if self.hook.has_answered(result.output):
                self._absorbed.setdefault(key, ())
            if clean is None or key in self._absorbed or self._attempts[key] >= _ATTEMPTS:
                return None
            self._attempts[key] += 1
        return clean

    def _reference(self, item: TranscriptItem) -> Reference | None:
        """The notes a result of the transcript went into; None when memory holds nothing of it."""
        topics = self.attempt("look up a result", partial(self._topics, item))
        return Reference(tuple(topics), tuple(topics.values())) if topics else None

    def _topics(self, item: TranscriptItem) -> dict[str, str]:
        call_id = item.call_ids[0] if item.call_ids else item.tool
        if (node_ids := self._absorbed.get((self._run, call_id, digest_of(item.text)))) is None:
            node_ids = self._levels.nodes_of(call_id, run=self._run)
        return self._levels.topics(node_ids)

    def _new_condenser(self) -> Condenser:
        return Condenser(Limits.of(self.bank.settings), reference=self._reference, language=self._language())

    def _language(self) -> Language:
        wanted = self.bank.settings.language
        return detect_language(self.bank.insight.task_goal) if wanted == "auto" else wanted

    def _note(self, what: str, error: Exception) -> None:
        """Count and log a failure without what was being remembered; raise it when settings are strict."""
        if self.bank.settings.strict or isinstance(error, ScopeMixed):
            raise error
        self._failures[what] += 1
        _log.warning("memory failed to %s (%s); the turn goes on without it", what, type(error).__name__)
