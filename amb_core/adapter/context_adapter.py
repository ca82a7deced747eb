"""Stands between a bank and the turns of an agent: what goes into a prompt, what comes out of a tool."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, cast

from amb_core.adapter.absorber import Absorber, Interception
from amb_core.adapter.adapter_options import (
    AdapterOptions,
    NamedOptions,
    RequestOptions,
    check_inject,
    check_options,
    sort_options,
)
from amb_core.adapter.block_source import BlockSource
from amb_core.adapter.chat_messages import (
    Placement,
    TokenCounter,
    placed,
)
from amb_core.adapter.contributors import Contributors, joined
from amb_core.adapter.goal_change import asked_anew, is_of_talk, open_question
from amb_core.adapter.memory_tools import (
    DEEP_RETRIEVAL,
    DISPUTE_WANTED,
    NODE_ID_WANTED,
    agent_tools,
    node_id_in,
    told_of_dispute,
)
from amb_core.adapter.message_facts import FEW
from amb_core.adapter.read_messages import ReadMessages, ReadTranscript
from amb_core.adapter.request_budget import RequestBudget, RequestLog, RequestWarnings, UsageScale
from amb_core.adapter.request_builder import Inject, RequestBuilder
from amb_core.adapter.scope_guard import Caller, ScopeGate
from amb_core.adapter.tool import Tool, tool_names
from amb_core.adapter.transcript_history import TranscriptHistory
from amb_core.adapter.transcript_trimmer import TranscriptTrimmer
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.adapter.two_banks import TwoBanks, everything
from amb_core.adapter.wire_forms import read_transcript
from amb_core.attachments import AttachmentContent
from amb_core.bank import MemoryBank
from amb_core.bank_source import BankSource, bank_of
from amb_core.call_lock import CallLock, raise_if_stopped
from amb_core.contributor import Contributor, ContributorSource, Entry
from amb_core.errors import (
    BankClosed,
    ConflictStateError,
    InvalidInput,
    InvalidParameter,
    OpenedBeforeFork,
    ScopeMixed,
    StoreError,
    UnknownId,
    WireFormUnknown,
)
from amb_core.memory.arguments import named_arguments, require_type, whole_number
from amb_core.models import StepResult, ToolResult
from amb_core.rendering import MemoryBlock, escape_line, head_and_tail, reference_line
from amb_core.scope import Scope

if TYPE_CHECKING:
    from amb_core.adapter.uploads import Uploads

__all__ = ["AdapterOptions", "ContextAdapter", "Interception", "RequestOptions"]

_log = logging.getLogger("amb.adapter")
_Value = TypeVar("_Value")
_SHORT_TOKENS = 500
_PAGE_TOKENS = 4_000
"""Tokens of a page of `deep_retrieval` at most."""


class ContextAdapter:
    """Connects any agent to a bank: on messages of a provider's form, or piece by piece for a framework's own objects.

    Messages are OpenAI chat messages, OpenAI Responses items, Anthropic messages or Gemini contents, and come back in
    the same form.
    `contributors` are what speaks in its requests beside the bank, in their order: a LongTermMemory, an Experience, a
    member of a team, or a memory of your own (`amb_core.contributor.Contributor`).
    `request` says how requests are made; each of its fields may also be given by its own name, and so may `memories`,
    `experience` and `team`, each one contributor.
    `shared` is the bank of a team the agent works in: results for which `share` is true (by default all) are kept there
    for everybody, and notes of both banks are in the block, as `p12` (private) and `s12` (shared).
    A bank serves one user and thread: `scope` says which, or else the framework or the transcript does, and whoever
    else comes gets ScopeMixed before anything is sent or taken in. `sharing` lets all of them work with one bank. A
    function of a Scope, such as Banks, gives the bank of that `scope`. `run` and `agent` mark what is absorbed.
    The log `amb.adapter` has a line at level INFO for each request that was prepared, with figures only.
    Trouble in memory is logged and counted in `failures` and the turn goes on without it, unless `settings.strict`.
    Thread-safe.
    """

    @named_arguments
    def __init__(
        self,
        bank: BankSource,
        *,
        contributors: Sequence[Contributor | ContributorSource] = (),
        scope: Scope | None = None,
        sharing: bool = False,
        shared: MemoryBank | None = None,
        share: Callable[[ToolResult], bool] | None = None,
        agent: str | None = None,
        run: str = "",
        request: RequestOptions | None = None,
        **named: Unpack[NamedOptions],
    ) -> None:
        own = {"scope": scope, "sharing": sharing, "shared": shared, "share": share, "agent": agent, "run": run}
        check_options(request=request, **own, **named)
        options, speakers, team = sort_options(request, contributors, named, sharing=sharing)
        self.bank = bank = bank_of(bank, scope)
        self.shared, self.team = shared, team
        self.gate = ScopeGate(bank, shared, scope=scope, sharing=sharing)
        self.form = options.form
        self._banks = TwoBanks(bank, shared, share or everything, getattr(team, "team", None))
        members = joined(speakers, bank, agent=agent or "")
        self.contributors = Contributors(members, team, attempt=self.attempt, shares=self._banks.shares)
        self.count = TokenCounter(options.count_tokens or bank.settings.count_tokens)
        self._absorber = Absorber(bank, self._banks, self.contributors, attempt=self.attempt, run=run, agent=agent)
        taken_in = self._absorber
        self._source = BlockSource(
            bank,
            shared,
            self.contributors,
            self.count,
            self.attempt,
            taken_in.reference,
            taken_in.keep_said,
            taken_in.held_spoken,
            taken_in.cleared,
            lambda: taken_in.opens,
        )
        self._run, self._settles, self._follows = run, options.settles, options.follows_talk
        self._placement: Placement = options.placement or bank.settings.placement
        merge = options.merge_with_last_user
        self._merge = bank.settings.merge_with_last_user if merge is None else merge
        chosen = options.inject or bank.settings.inject
        self.inject: Inject | None = None if chosen == "auto" else chosen
        self._reserved = options.reserved_tokens
        self._looked_at, self._uploads = 0, cast("Uploads | None", None)
        self._keeps_messages = bank.settings.keep == "all" and not sharing
        self._has_tools = False
        self._is_given_results = False  # by the host itself; else `prepare` takes in those it sees
        self._failures: Counter[str] = Counter()
        self._warnings, self._requests, self._usage = RequestWarnings(self._failures), RequestLog(), UsageScale()
        self._lock = CallLock(repair=self._forget_decisions)
        self._builder, self._history = self._new_builder(), TranscriptHistory()
        self._reader, self._news_reader = ReadMessages(), ReadMessages()

    @classmethod
    def of(cls, memory: BankSource | ContextAdapter) -> ContextAdapter:
        """The adapter itself, or a new one for a bank: for functions that take either."""
        return memory if isinstance(memory, ContextAdapter) else cls(memory)

    @property
    def adapter(self) -> ContextAdapter:
        """The adapter itself, as each memory that `attach` gives has it."""
        return self

    def adapter_of(self, scope: Scope) -> ContextAdapter:
        """The adapter itself, which is the same for whoever the agent works for."""
        return self

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed since the start, by what it was to do."""
        return dict(self._failures)

    def meet(self, messages: Sequence[Any], caller: Caller | None = None) -> None:
        """Raise ScopeMixed when the bank is not the `caller`'s, before anything of the messages is taken in."""
        transcript = self._read(messages)
        self.gate.meet(transcript.plain, caller)

    def _read(self, messages: Sequence[Any]) -> ReadTranscript:
        if not isinstance(messages, Iterable):
            raise WireFormUnknown(f"messages are the list of a conversation, not {type(messages).__name__}.")
        with self._lock:
            return self._reader.read(messages, form=self.form)

    # --- OpenAI-style messages ---------------------------------------------------------------------------------------

    @named_arguments
    def prepare(
        self,
        messages: Sequence[Any],
        *,
        query: str | None = None,
        reserved_tokens: int = 0,
        spared_tokens: int = 0,
        window_tokens: int | None = None,
        inject: Inject | None = None,
        caller: Caller | None = None,
        aside: bool = False,
        tools: Iterable[Any] | None = None,
    ) -> list[Any]:
        """The messages for the next request, of bounded size, with what memory has to say in them.

        Results in them are taken in first, unless this adapter is given them by `intercept_context` or `absorb`.
        `reserved_tokens` is what this one request carries beside its messages, in addition to the adapter's own.
        `spared_tokens` is how many of these and of the messages' tokens do not count when it is decided whether old
        turns leave; the bound counts them all.
        `window_tokens` is the model's window, where the host knows it and no budget was set. `inject` takes the place
        of the adapter's own. A request that is made `aside`, such as for a plan, says nothing of the transcript.
        `tools` are those the request offers, as names or definitions, for memory names none that the model does not
        have; by default it has ours once `memory_tools` were asked for.
        """
        budget = self._asked_for(query, inject, reserved_tokens, spared_tokens, window_tokens)
        transcript = self._read(messages)
        self.gate.meet(transcript.plain, caller)
        alone, strict = not self._is_given_results, self.bank.settings.strict
        if alone:
            self._take_in(transcript, words=not strict)
        made = self._prepared(transcript, budget, inject, query=query, aside=aside, tools=tools)
        if alone and strict:  # of a request that is refused no words are kept
            self._keep_words(transcript.spoken)
        return made

    def _prepared(
        self,
        transcript: ReadTranscript,
        budget: Callable[[], RequestBudget],
        inject: Inject | None,
        *,
        query: str | None,
        aside: bool = False,
        tools: Iterable[Any] | None = None,
    ) -> list[Any]:
        """The request for a transcript whose caller was met, and of which what is new was taken in."""
        if not aside:
            self._follow_edits(transcript.plain)
        self._follow(transcript.plain)
        made = self._request(transcript.plain, budget, inject or self.inject or "missing", query=query, tools=tools)
        return transcript.write(made)

    @named_arguments
    def next_request(
        self,
        messages: Sequence[Any],
        *,
        query: str | None = None,
        beside: str = "",
        reserved_tokens: int = 0,
        window_tokens: int | None = None,
        inject: Inject | None = None,
        news: Sequence[Any] | None = None,
        caller: Caller | None = None,
        tools: Iterable[Any] | None = None,
    ) -> list[Any]:
        """The messages for the next model call: what is new in the transcript is taken in, and a bounded request made.

        A new list in the form of `messages`, which are the whole transcript and stay as they are. `query` is what the
        block is looked up for, by default the newest words. `beside` is what the request carries beside its messages,
        such as instructions and tool schemas, and `reserved_tokens` the same in tokens. `window_tokens`, `inject` and
        `tools` are those of `prepare`. `news` are the messages that new results are looked for in, by default all.
        ScopeMixed when the bank is not the `caller`'s.
        """
        budget = self._asked_for(query, inject, reserved_tokens, 0, window_tokens, beside=beside)
        transcript = self._read(messages)
        self.gate.meet(transcript.plain, caller)
        self._is_given_results = True
        if news is None:
            self._take_in(transcript)
        else:
            self.intercept_context(news)
        return self._prepared(transcript, budget, inject, query=query, tools=tools)

    def enhance_prompt(self, messages: Sequence[Any], *, query: str | None = None) -> list[Any]:
        """A new message list with the block for the pending step (or for `query`) in it; an older block is removed.

        Images that wait to be recognised come as image_url parts. The input is not changed.
        """
        self._asked_for(query, None, 0, 0, None)
        transcript = self._read(messages)
        plain = transcript.plain
        self.gate.meet(plain)
        block = self.block(query=query)
        if block is None:
            return transcript.write(plain)
        images = self._source.images()
        shown = placed(plain, block.text, images=images, placement=self._placement, merge=self._merge)
        tokens = [sum(map(self.count.message, each)) + self._reserved for each in (shown, plain)]
        self.log(block, prompt_tokens=tokens[0], raw_tokens=tokens[1])
        return transcript.write(shown)

    def condense(self, messages: Sequence[Any], *, reserved_tokens: int = 0, spared_tokens: int = 0) -> list[Any]:
        """A new message list of bounded size without a block: old turns have given way to one line that counts them.

        System messages, the first user message and the newest results stay; a call and its results stay together.
        """
        transcript, budget = self._read(messages), self._asked_for(None, None, reserved_tokens, spared_tokens, None)
        return transcript.write(self._request(transcript.plain, budget, "never"))

    def tokens_of(self, messages: Sequence[Any], *, beside: str = "") -> int:
        """What this adapter counts for a request with these messages and what else it carries."""
        plain = read_transcript(messages, form=self.form).chat
        return sum(map(self.count.message, plain)) + self.count.text(beside)

    def learn_usage(self, prompt_tokens: int, *, counted: int) -> None:
        """Take in what the provider says a request had in tokens, read from its cache or not, of which `counted` ones
        were counted here (`tokens_of`).

        Requests keep their bound by the provider's count from then on: the next one that would be over it is cut to
        that, and so is every later one. One that is not over it stays as it is.
        """
        told = whole_number("prompt_tokens", prompt_tokens, least=0)
        with self._lock:
            self._usage.learn(whole_number("counted", counted, least=0), told)

    def expected_tokens(self, counted: int) -> int:
        """What the provider is expected to count for a request of which so many tokens were counted here."""
        return self._usage.tokens(counted)

    def begin_transcript(self) -> None:
        """Forget what was decided about a transcript that is begun anew; what memory holds stays."""
        with self._lock:
            self._forget_decisions()

    def intercept_context(self, turn: StepResult | ToolResult | Sequence[Any]) -> Interception:
        """Take in what a turn brought: a StepResult (which closes the pending step), tool results, or new messages.

        Of messages also what the agent and the user say is kept, unless the bank's setting `keep` is `results` or
        others work with this bank (`sharing`). What was taken in before is passed over, so a whole transcript may be
        given each time.
        """
        self._is_given_results = True
        if isinstance(turn, StepResult):
            self._show_results(turn.tool_results)
            return self._absorber.finish(turn)
        if isinstance(turn, ToolResult):
            return self.absorb([turn])
        if isinstance(turn, str | bytes) or not isinstance(turn, Iterable):
            raise InvalidInput(f"a turn is a StepResult, tool results or messages, not {type(turn).__name__}.")
        parts = list(turn)
        if all(isinstance(part, ToolResult) for part in parts):
            return self.absorb(parts)
        with self._lock:
            reader = ReadMessages() if len(parts) <= FEW else self._news_reader
            transcript = reader.read(parts, form=self.form)
        return self._take_in(transcript)

    def memory_tools(self) -> list[Tool]:
        """The tools to give to the agent: `deep_retrieval`, with `settles` also `settle_dispute`."""
        self._has_tools = self._absorber.opens = True
        return agent_tools(self.deep_retrieval, self.settle_dispute, settles=self._settles)

    # --- pieces for framework adapters -------------------------------------------------------------------------------

    def absorb(self, results: Iterable[ToolResult]) -> Interception:
        """Take in tool results that are new; one that memory refuses is offered again, three times in all."""
        self._is_given_results = True
        return self._absorb(list(results))

    def known(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What a contributor answers instead of a call, and is not taken in again; None to make the call."""
        return self.contributors.cached_result(tool, arguments)

    def on_entry(self, entry: Entry) -> None:
        """Tell the team what the agent wrote, or another one told it, as its framework knows who spoke."""
        self.contributors.on_entry(entry)

    def block(self, *, query: str | None = None) -> MemoryBlock | None:
        """The whole block for the next request; None when memory cannot give one."""
        return self._source.whole_block(query)

    def log(self, block: MemoryBlock, *, prompt_tokens: int, raw_tokens: int) -> None:
        """Record that a block went into a request of `prompt_tokens`, which without AMB had `raw_tokens`."""
        self.attempt(
            "log", partial(self.bank.host.log_injection, block, prompt_tokens=prompt_tokens, raw_tokens=raw_tokens)
        )

    def short_form(self, result: TranscriptItem, *, for_team: bool = False) -> str:
        """A result as somebody who did not ask for it should see it: the notes it went into, unless it is shorter.

        Of one that memory does not hold, the beginning and end. `for_team` says nothing of what is not shared.
        """
        found, language = self._absorber.notes_of(result), self._source.language
        held = found is not None or self.contributors.has_answered(result.text)
        told = self._banks.told_to_mates(result, held=held, language=language) if for_team else None
        if told is not None:
            return told
        if found is None:
            return head_and_tail(
                result.text, max(60, min(_SHORT_TOKENS, self.bank.settings.max_raw_tokens // 4)), None, language
            )
        line = reference_line(found, language)
        return line if self.count.text(line) < self.count.text(result.text) else result.text

    def waiting_files(self) -> list[AttachmentContent]:
        """The files the pending step is to recognise, or all that wait when it names none."""
        return self._source.waiting_files()

    def attempt(self, what: str, action: Callable[[], _Value]) -> _Value | None:
        """What some work on memory brings; None when it fails, which is logged and counted (or raised if strict)."""
        try:
            return action()
        except Exception as error:  # noqa: BLE001 - whatever fails in memory, the turn goes on
            raise_if_stopped(error)
            self._note(what, error)
            return None

    def as_messages(self, text: str) -> list[dict[str, Any]]:
        """A block as one user message, with the images that wait to be recognised."""
        return placed([], text, images=self._source.images(), placement="tail", merge=False)

    def deep_retrieval(self, node_id: str = "", page: int = 0) -> str:
        """Open the full source text behind a note of the memory block, page by page."""
        if not str(node_id or "").strip():
            return f"Error: say as `node_id` what is to be opened. {NODE_ID_WANTED}"
        settings = self.bank.settings
        budget = min(_PAGE_TOKENS, 2 * settings.max_raw_tokens, max(settings.prompt_budget_tokens // 4, 1))
        try:
            bank, found = self._banks.find(node_id_in(node_id))
            return bank.open(found, budget_tokens=budget, page=int(page))
        except (UnknownId, ValueError) as error:
            return f"Error: {error}"
        except Exception as error:  # noqa: BLE001 - whatever fails in memory, the agent goes on
            raise_if_stopped(error)
            self._note("deep_retrieval", error)
            return "Error: memory could not be read; go on with what is known."

    def settle_dispute(self, id: str = "", holds: str = "", because: str = "") -> str:
        """Hear which value of an open dispute the agent's model says holds, and tell it what came of that."""
        try:
            heard = self.bank.host.opinions.hear(node_id_in(id), holds=str(holds or ""), because=str(because or ""))
            return told_of_dispute(heard, self._source.language)
        except (UnknownId, InvalidInput, ConflictStateError) as error:
            hint = "" if str(id or "").strip() else f" Say it as `id`, with `holds` and `because`: {DISPUTE_WANTED}"
            return f"Error: {escape_line(str(error))}{hint}"
        except Exception as error:  # noqa: BLE001 - whatever fails in memory, the agent goes on
            raise_if_stopped(error)
            self._note("settle_dispute", error)
            return "Error: memory could not be reached; go on with what is known."

    # --- inside ------------------------------------------------------------------------------------------------------

    def _take_in(self, transcript: ReadTranscript, *, words: bool = True) -> Interception:
        """Take in the results of a transcript that are new, and what the agent and the user say there."""
        new = self._absorber.new_results_of(transcript.spoken, every=self.contributors.sees_repeats)
        taken = self._absorb(new.results, alone=new.alone)
        if words:
            self._keep_words(transcript.spoken)
        return replace(taken, skipped=taken.skipped + new.passed_over)

    def _keep_words(self, messages: Sequence[Mapping[str, Any]]) -> None:
        if self._keeps_messages:
            self._absorber.keep_spoken(messages)
            start, self._looked_at = min(self._looked_at, len(messages)), len(messages)
            if self._uploads is None and any(map(_brings_more, messages[start:])):
                from amb_core.adapter.uploads import Uploads  # here, for most users send texts

                self._uploads = Uploads(self.bank, attempt=self.attempt)
            if self._uploads is not None:
                self._uploads.follow(messages, start=start)

    def _absorb(self, results: Sequence[ToolResult], *, alone: Container[str | None] = ()) -> Interception:
        self._show_results(results)
        return self._absorber.absorb(results, alone=alone)

    def _follow_edits(self, plain: Sequence[Mapping[str, Any]]) -> None:
        """Tell memory what the host did to its transcript since the last request."""
        with self._lock:
            pieces = self._history.pieces_of(plain)
            edits = self._history.follow(pieces)
            self.attempt("follow an edit", partial(self._absorber.note_edits, edits, pieces))

    def _request(
        self,
        plain: list[dict[str, Any]],
        budget_now: Callable[[], RequestBudget],
        inject: Inject,
        *,
        query: str | None = None,
        tools: Iterable[Any] | None = None,
    ) -> list[dict[str, Any]]:
        """The messages of the request for a transcript, on record when memory says something in it."""
        with self._lock:
            self._absorber.opens = self._has_tools if tools is None else DEEP_RETRIEVAL in tool_names(tools)
            goal, budget = self.bank.insight.task_goal, budget_now()
            build = partial(self._builder.build, plain, inject=inject, goal=goal, query=query)
            made = build(budget=budget)
            over = self._usage.tokens(made.tokens + budget.taken) > budget.bound
            # What providers count changes no request that stands, but one that is cut, or would be over the bound.
            if (over or made.anew) and self._usage.use() and over:
                budget = budget_now()
                made = build(budget=budget)
            for cut in made.cut:
                self._warnings.tell_cut(cut, budget=budget.total, strict=self.bank.settings.strict)
        raw, sent = made.raw_tokens + budget.taken, made.tokens + budget.taken
        self._requests.tell(plain, made.messages, tokens=(raw, sent), block=made.block)
        if made.block is not None:
            self.log(made.block, prompt_tokens=sent, raw_tokens=raw)
        return made.messages

    def _follow(self, plain: Sequence[Mapping[str, Any]]) -> None:
        """Change the goal where the user asks something new."""
        if self._follows:
            insight = self.bank.insight
            open_question(self, asked_anew(plain, goal=insight.task_goal, followed=is_of_talk(insight)))

    def _show_results(self, results: Sequence[ToolResult]) -> None:
        """Let those who want it see what this run reads, again as well, and which of its own calls brought nothing."""
        home_of = self._banks.home_of
        own = (each for each in results if each.output.strip() or home_of(each) is self.bank)
        self.contributors.on_results_seen(own)

    def _asked_for(
        self,
        query: object,
        inject: object,
        reserved_tokens: int,
        spared_tokens: int,
        window_tokens: int | None,
        *,
        beside: str = "",
    ) -> Callable[[], RequestBudget]:
        """What gives the budget of a request; InvalidParameter, before anything is done, for what cannot be asked."""
        for name, text in (("query", "" if query is None else query), ("beside", beside)):
            require_type(text, str, by=name, error=InvalidParameter)
        check_inject(inject)
        reserved = whole_number("reserved_tokens", reserved_tokens, least=0) + self.count.text(beside)
        spared = whole_number("spared_tokens", spared_tokens, least=0)
        window = None if window_tokens is None else whole_number("window_tokens", window_tokens, least=1)
        return partial(self._budget, reserved, spared, window)

    def _budget(self, reserved_tokens: int, spared_tokens: int, window_tokens: int | None = None) -> RequestBudget:
        """The budget of a request that carries so much beside its messages, the adapter's own included."""
        budget = RequestBudget.of(self.bank.settings, window_tokens=window_tokens)
        budget = budget.times(self._usage.share(budget.bound))
        beside = self._reserved + reserved_tokens + self.contributors.most_tokens
        self._warnings.tell_beside(beside, budget=budget.total)
        return budget.less(beside, exempt=spared_tokens)

    def _forget_decisions(self) -> None:
        """Decide anew about the transcript, as for a new one or after a call that was stopped half-way."""
        self._builder, self._history = self._new_builder(), TranscriptHistory()

    def _new_builder(self) -> RequestBuilder:
        trimmer = TranscriptTrimmer(reference=self._absorber.reference, language=lambda: self._source.language)
        return RequestBuilder(trimmer, self._source, self.count, self._placement, self._merge, self._run)

    def _note(self, what: str, error: Exception) -> None:
        """Count and log a failure without what was being remembered; raise it if strict, or if no turn can mend it."""
        if self.bank.settings.strict or isinstance(error, ScopeMixed | OpenedBeforeFork):
            raise error
        self._failures[what] += 1
        name = type(error).__name__
        tells = isinstance(error, StoreError | BankClosed)  # these tell nothing that was remembered
        told = f"{name}: {error}" if tells else name
        _log.warning("memory failed to %s (%s); the turn goes on without it", what, told)


def _brings_more(message: Mapping[str, Any]) -> bool:
    """Whether a message of the user holds more than one text."""
    return message["role"] == "user" and not isinstance(message.get("content"), str | None)
