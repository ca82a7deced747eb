"""One run: the steps the bank plans, and in each of them a loop of model and tools."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from amb_core import (
    ContextAdapter,
    EnhancedPrompt,
    InvalidInput,
    MemoryBank,
    PendingTask,
    Scope,
    StepResult,
    TaskType,
    ToolResult,
    run_task,
)
from amb_core.adapter import Caller, ToolOutput, attachment_part, inside_run
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL
from amb_core.attachments import AttachmentContent
from amb_core.chat_io import ChatReply, ToolCall
from amb_core.errors import BudgetSpent, ModelError, ModelRefused
from amb_core.rendering import Language, escape, head_and_tail
from amb_core.usage import Ledger
from amb_react.protocol import Message, Move, move_of
from amb_react.run_events import ModelAnswered, ReActEvent, Termination, ToolAnswered, ToolCalled, TurnStarted
from amb_react.structured import extractions
from amb_react.talker import Talker, too_long
from amb_react.toolbox import Toolbox
from amb_react.words import say
from amb_tools.research.corpus_answers import compose_answer

__all__ = ["Loop", "Means"]

_STRIKES = 3
"""So many turns in a row without progress have the answer forced."""
_RUNS_OF_A_CALL = 2
"""How often the very same call is run in one step."""
_CALLS_AT_ONCE = 16
"""How many calls of one reply are made."""
_THOUGHT_TOKENS = 300
"""What is kept of what a model wrote before its calls."""

_ENDINGS: dict[str, Termination] = {"gave_up": "gave_up", "max_rounds": "max_rounds", "stuck": "stuck"}


class _Stopped(BaseException):
    """Ends the outer loop; no Exception, because `run_task` takes those for failed steps."""

    def __init__(self, reason: Termination, answer: str = "") -> None:
        self.reason: Termination = reason
        self.answer = answer


@dataclass(slots=True)
class _Step:
    """What one step has come to: its transcript, the results of its tools, how often each call was made.

    `images` were opened by tools; the next request shows them, once. `looked` says that some tool or note was opened.
    """

    messages: list[Message]
    pending: PendingTask | None
    results: list[ToolResult] = field(default_factory=list)
    images: list[Message] = field(default_factory=list)
    made: Counter[tuple[str, str]] = field(default_factory=Counter)
    looked: bool = False
    strikes: int = 0
    nudged: bool = False


@dataclass(frozen=True, slots=True)
class _Call:
    """A tool call of the model: the arguments `given`, what speaks against it, and the how manieth alike it is."""

    id: str
    name: str
    given: dict[str, Any]
    refusal: ToolOutput | None = None
    times: int = 0

    def as_openai(self) -> dict[str, Any]:
        """The call as a transcript holds it."""
        function = {"name": self.name, "arguments": json.dumps(self.given, ensure_ascii=False)}
        return {"id": self.id, "type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Means:
    """What the runs of one agent work with; `tell` passes on what happens in them."""

    bank: MemoryBank
    talker: Talker
    toolbox: Toolbox
    language: Language
    max_calls: int
    max_rounds: int | None
    scope: Scope | None
    sharing: bool
    tell: Callable[[ReActEvent], None]


class Loop:
    """Runs once; `turns` are its model calls, `rounds` its steps, `problem` is what an endpoint said that ended it."""

    def __init__(self, means: Means, question: str, ledger: Ledger) -> None:
        self.means, self.question, self.ledger = means, question, ledger
        self.bank, self.talker, self.toolbox = means.bank, means.talker, means.toolbox
        self.language: Language = means.language
        self.run_id = f"react{self.bank.size.entries}"  # no run before it on this bank has the same, if it took in any
        self.adapter = ContextAdapter(
            self.bank, placement="tail", run=self.run_id, scope=means.scope, sharing=means.sharing, follows_talk=False
        )
        self._caller = Caller(run=self)
        self.messages: list[Message] = []
        self.turns = self.rounds = self._calls = self.extracted = self.dropped = 0
        self._forced: Termination = "answered"
        self.problem = ""

    def run(self) -> tuple[str, Termination, Literal["model", "memory", "nobody"]]:
        """The answer, why the run ended, and who gave the answer."""
        self.adapter.meet([{"role": "user", "content": self.question}], self._caller)
        ending: Termination
        try:
            beside = self.talker.tokens([self.talker.system(), self._question()])
            with inside_run(self):
                outcome = run_task(self.bank, self.step, max_rounds=self.means.max_rounds, reserved_tokens=beside)
            ending = _ENDINGS.get(outcome.ended, self._forced)
            answer = outcome.answer or ""
            if outcome.ended == "finished" and not answer:  # the task was over before, or its plan had no last step
                answer = self._work(self._new_step(None), None)
                ending = self._forced if answer else "gave_up"
            elif ending in ("max_rounds", "stuck"):
                answer = answer or self._last_words()
        except _Stopped as stopped:
            answer = stopped.answer
            ending = stopped.reason
        except KeyboardInterrupt:
            self.adapter.gate.failed(self)
            return "", "interrupted", "nobody"
        except BaseException:
            self.adapter.gate.failed(self)  # the same question may be asked once more
            raise
        if ending != "answered":
            self.adapter.gate.failed(self)
        if answer:
            return answer, ending, "model"
        said = say(self.language, "local", reason=say(self.language, ending))
        return f"{said}\n{compose_answer(self.bank, self.question).text}", ending, "memory"

    # --- a step ------------------------------------------------------------------------------------------------------

    def step(self, prompt: EnhancedPrompt) -> StepResult:
        """Do the pending step: what `run_task` calls."""
        self.rounds += 1
        self._forced = "answered"
        step = self._new_step(prompt.pending)
        if prompt.pending is not None and prompt.pending.attachment_ids:
            return self._recognise(step, prompt)
        text = self._work(step, prompt)
        results = tuple(step.results)
        if not text:
            return StepResult(text=say(self.language, "no_answer"), failed=True, tool_results=results)
        if prompt.pending is not None and prompt.pending.answers_goal:
            return StepResult(text=text, tool_results=results, answer=text)
        verified = step.looked and prompt.pending is not None and prompt.pending.type is TaskType.CROSS_VALIDATE
        return StepResult(text=text if results or verified else "", tool_results=results)  # no tool, no evidence

    def _new_step(self, pending: PendingTask | None) -> _Step:
        asked = self._question()
        self.messages += [self.talker.system(), asked]
        return _Step([self.talker.system(), asked], pending)

    def _question(self) -> dict[str, Any]:
        return {"role": "user", "content": say(self.language, "question", question=escape(self.question))}

    def _work(self, step: _Step, prompt: EnhancedPrompt | None) -> str:
        """Model and tools in turn until the model answers, or the answer is forced; "" when none comes.

        The first request has the prompt as it was given; each later one the block for what has been found since.
        """
        while True:
            if self.turns >= self.means.max_calls:
                return self._force("call_limit", step)
            request = [*step.messages, *prompt.messages] if prompt else self._prepared(step)
            prompt = None
            if self.talker.tokens(request) > self.bank.settings.prompt_budget_tokens:
                return self._force("token_limit", step)
            if step.strikes >= _STRIKES:
                return self._force("no_progress", step)
            try:
                reply = self._ask(request, step.pending)
            except ModelRefused:
                return self._force("token_limit", step)
            move = self.talker.move(reply)
            self._keep(move, step)
            if move.calls:
                if move.tagged and self.talker.style == "native":
                    self.talker.writes_tags()
                step.strikes = 0 if self._act(move, step) else step.strikes + 1
            elif move.answer and (move.tagged or self.talker.style == "native" or step.nudged):
                said = move.answer if self.talker.style == "structured" else reply.text
                self._append(step, {"role": "assistant", "content": said})
                return move.answer
            else:
                self._nudge(move, step)

    def _prepared(self, step: _Step) -> list[dict[str, Any]]:
        images, step.images = step.images, []
        shown = [{"role": "user", "content": images}] if images else []
        beside = self.talker.tokens(shown)
        query = self._query(step.pending)
        inject, caller = self.adapter.inject or "always", self._caller
        tools = self.toolbox.tools
        request = self.adapter.prepare(
            step.messages, query=query, reserved_tokens=beside, inject=inject, caller=caller, tools=tools
        )
        return [*request, *shown]

    def _keep(self, move: Move, step: _Step) -> None:
        """Have memory take in what the model read off the step's results, unless these are evidence of their own."""
        if move.extracted and (step.pending is None or step.pending.type is not TaskType.CROSS_VALIDATE):
            found = extractions(move.extracted, step.results)
            self.extracted += sum(each.repeat_of is None for each in self.adapter.absorb(found).reports)
            self.dropped += max(0, len(move.extracted) - len(found))

    def _nudge(self, move: Move, step: _Step) -> None:
        """Say what was wrong with a reply that is neither calls nor an answer."""
        wrong = "torn" if move.torn else "untagged" if move.answer else "empty"
        step.strikes += 1
        step.nudged = step.nudged or wrong == "untagged"
        if written := (move.answer or move.thought).strip():
            self._append(step, {"role": "assistant", "content": self._shortened(written)})
        self._append(step, {"role": "user", "content": say(self.language, wrong)})

    def _force(self, reason: Termination, step: _Step) -> str:
        """The answer without tools; a spent number of calls ends the run, unless that answers its last step."""
        last = step.pending is None or step.pending.answers_goal
        self._forced = reason
        if reason != "call_limit":
            return self._force_answer(None if last else step.pending)
        answer = self._last_words()
        if last and answer:
            return answer
        raise _Stopped(reason, answer)

    def _last_words(self) -> str:
        """The answer to the question, when the run ends for a reason of its own; "" when the model gives none."""
        try:
            return self._force_answer(None)
        except _Stopped:
            return ""

    def _force_answer(self, pending: PendingTask | None) -> str:
        """One call without tools, on memory alone; "" when there is no answer in the reply."""
        wanted = say(self.language, "forced" if pending is None else "forced_step")
        asked = say(self.language, "question", question=escape(self.question))
        message = {"role": "user", "content": f"{asked}\n\n{wanted}"}
        self.messages.append(message)
        request = self.adapter.prepare(
            [self.talker.system(tools=False), message],
            query=self._query(pending),
            inject=self.adapter.inject or "always",
            caller=self._caller,
            aside=True,
            tools=(),
        )
        reply = self._ask(request, pending, tools=False)
        self.messages.append({"role": "assistant", "content": reply.text})
        return move_of(ChatReply(reply.text)).answer  # words that were cut off are better than none

    def _query(self, pending: PendingTask | None) -> str | None:
        return self.question if pending is None else None

    # --- the model and the tools --------------------------------------------------------------------------------------

    def _ask(
        self, request: Sequence[Message], pending: PendingTask | None, *, tools: bool = True, must_see: bool = False
    ) -> ChatReply:
        """One reply; ModelRefused for a request that is too long, or, if it `must_see` its images, for these."""
        self.turns += 1
        tell, size = self.means.tell, self.talker.tokens(request, tools=tools)
        tell(TurnStarted(self.turns, self.rounds, pending, size))
        try:
            with self.bank.host.metered():  # written down at once, whatever happens next
                reply = self.talker.ask(request, tools=tools, must_see=must_see)
        except BudgetSpent:
            raise _Stopped("budget") from None
        except ModelError as error:
            if must_see and (isinstance(error, ModelRefused) or "image" in str(error).lower()):
                raise
            if tools and too_long(error):
                raise
            self.problem = str(error)
            raise _Stopped("model_refused" if isinstance(error, ModelRefused) else "model_unavailable") from error
        if not reply.usage.estimated:
            self.adapter.learn_usage(reply.usage.prompt_tokens, counted=size)
        tell(ModelAnswered(self.turns, reply.text, reply.tool_calls, reply.usage, self.ledger.total))
        return reply

    def _act(self, move: Move, step: _Step) -> bool:
        """Make the calls of a move and put them with their results into the transcript; whether any was news."""
        calls = [self._checked(call, step) for call in move.calls[:_CALLS_AT_ONCE]]
        wanted = [(call.id, call.name, call.given) for call in calls if call.refusal is None]
        for call in calls:
            self.means.tell(ToolCalled(self.turns, call.id, call.name, call.given))
        ran = iter(self.toolbox.call_all(wanted))
        asked = [call.as_openai() for call in calls]
        thought = self._shortened(move.thought)
        self._append(step, {"role": "assistant", "content": thought or None, "tool_calls": asked})
        for call in calls:
            text = self._taken_in(call, call.refusal or next(ran), step)
            if call.refusal is None and call.times > 1:
                text = f"{say(self.language, 'again')}\n{text}"
            self._append(step, {"role": "tool", "tool_call_id": call.id, "name": call.name, "content": text})
        if len(move.calls) > _CALLS_AT_ONCE:
            self._append(step, {"role": "user", "content": say(self.language, "too_many", most=_CALLS_AT_ONCE)})
        return any(call.refusal is None and call.times == 1 for call in calls)

    def _checked(self, wanted: ToolCall, step: _Step) -> _Call:
        """The call with an id of its own (models leave ids blank or use one twice), and what speaks against it."""
        self._calls += 1
        call_id, name = f"call{self._calls:05}", wanted.name or "unknown"
        given = self.toolbox.arguments(wanted)
        if isinstance(given, ToolOutput):
            return _Call(call_id, name, {"unreadable": wanted.arguments[:200]}, given)
        signature = (name, json.dumps(given, sort_keys=True))
        step.made[signature] += 1
        times = step.made[signature]
        refusal = ToolOutput(say(self.language, "repeated"), is_error=True) if times > _RUNS_OF_A_CALL else None
        return _Call(call_id, name, given, refusal, times)

    def _taken_in(self, call: _Call, output: ToolOutput, step: _Step) -> str:
        """Have the output remembered; the text for the transcript, in which nothing can pass for the protocol."""
        step.images += [part for part in map(attachment_part, output.contents) if part is not None]
        reports = self.adapter.absorb(self._results(call, output, step)).reports
        nodes = reports[0].node_ids if reports else ()
        repeat = bool(reports) and reports[0].repeat_of is not None
        told = (self.turns, call.id, call.name, output.text, output.is_error, nodes, repeat, self.ledger.total)
        self.means.tell(ToolAnswered(*told))
        shown = output.text if output.text.strip() else say(self.language, "no_output")
        return shown if call.name == DEEP_RETRIEVAL else escape(shown)

    def _results(self, call: _Call, output: ToolOutput, step: _Step) -> list[ToolResult]:
        """The output as memory takes it: an error is told to the model, but is nothing to know about the task."""
        if output.is_error:
            return []
        try:
            result = ToolResult(
                tool=call.name,
                arguments=call.given,
                output=output.text,
                call_id=call.id,
                source=output.source,
                run=self.run_id,
                attachments=output.attachments,
            )
        except InvalidInput:
            return []
        step.looked = True
        if call.name != DEEP_RETRIEVAL:
            step.results.append(result)
        return [result]

    def _append(self, step: _Step, message: Message) -> None:
        step.messages.append(message)
        self.messages.append(message)

    def _shortened(self, text: str) -> str:
        return head_and_tail(text.strip(), _THOUGHT_TOKENS, None, self.language)

    # --- attachments --------------------------------------------------------------------------------------------------

    def _recognise(self, step: _Step, prompt: EnhancedPrompt) -> StepResult:
        """Have the model say what is in the waiting files: images as they are, the text of documents and code."""
        if self.turns >= self.means.max_calls:
            raise _Stopped("call_limit", self._last_words())
        files = self.adapter.waiting_files()
        problem = next((file.problem for file in files if file.problem), None)
        images = any(attachment_part(file) is not None for file in files)
        if problem or not files:
            return self._unrecognised("unreadable_file", problem=problem or "it is gone")
        if images and self.talker.blind:
            return self._unrecognised("no_images", error="its endpoint refused an image before")
        texts = [self._text_part(file) for file in files if attachment_part(file) is None]
        self._append(step, {"role": "user", "content": "\n\n".join([say(self.language, "recognise"), *texts])})
        try:
            reply = self._ask([*step.messages, *prompt.messages], step.pending, tools=False, must_see=images)
        except ModelError as error:
            self.talker.blind = True
            return self._unrecognised("no_images", error=str(error)[:200])
        self._append(step, {"role": "assistant", "content": reply.text})
        text = move_of(ChatReply(reply.text)).answer
        return StepResult(text=text) if text else self._unrecognised("no_answer")

    def _text_part(self, file: AttachmentContent) -> str:
        named = say(self.language, "attachment", id=file.id, type=file.type.value)
        text = file.file_content if file.encoding == "text" else f"[{file.media_type or 'binary'}]"
        return f"{named}\n{escape(head_and_tail(text, self.bank.settings.max_raw_tokens, None, self.language))}"

    def _unrecognised(self, phrase: str, **values: object) -> StepResult:
        return StepResult(text=say(self.language, phrase, **values), failed=True)
