"""The memory tools of the server, as plain functions: text in, bounded and escaped text out."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from amb_core import AbsorbReport, InvalidInput, InvalidParameter, MemoryBank, StepResult, ToolResult
from amb_core.adapter.memory_tools import NODE_ID_WANTED
from amb_core.models import Conflict
from amb_core.rendering import escape_line, render_task
from amb_core.rendering.labels import with_tool_help
from amb_mcp.banks import Banks

__all__ = ["LONGEST_TEXT", "MemoryTools"]

LONGEST_TEXT = 500_000
"""Characters one call may bring."""
_LONGEST_WORDS = 10_000
_MOST_TOKENS = 10_000
_SHOWN = 300
_CONFLICTS = 20

Bank = Annotated[str, Field(description="Name of the memory bank; list_banks tells which there are.")]
Page = Annotated[int, Field(description="Which page, from 0; the text says if there are more.")]
Budget = Annotated[int, Field(description=f"How long the answer may be, in tokens, at most {_MOST_TOKENS}.")]
_HELP = 20
"""Tokens of what a block says of the tool that opens what it shows."""


class MemoryTools:
    """The tools over some banks; `of_reading` change nothing in a bank."""

    def __init__(self, banks: Banks) -> None:
        self._banks = banks

    @property
    def of_reading(self) -> tuple[Callable[..., str], ...]:
        """Tools that only look."""
        return self.recall, self.deep_retrieval, self.list_conflicts, self.task_state, self.list_banks

    @property
    def of_writing(self) -> tuple[Callable[..., str], ...]:
        """Tools that change a bank; `forget` is the one that destroys."""
        return self.begin_task, self.remember, self.finish_step, self.forget

    def begin_task(
        self,
        goal: Annotated[str, Field(description="What the memory is for, in a sentence: the question or task.")],
        bank: Bank = "default",
    ) -> str:
        """Begin a memory bank for a task. Do this once, before anything is remembered."""
        self._banks.begin(bank, goal=_words("goal", goal))
        return f"The bank {bank} is ready. Remember what you find with remember, and look it up with recall."

    def remember(
        self,
        text: Annotated[str, Field(description="The raw text: a page, a tool's output, what somebody said.")],
        source: Annotated[str, Field(description="Where it is from, such as a URL, a file or a person.")],
        call_id: Annotated[str, Field(description="An id; the same id with the same text is kept once.")] = "",
        bank: Bank = "default",
    ) -> str:
        """Keep a text in memory, whole and word for word. Notes are made of it, and contradictions are found."""
        if not text.strip():
            raise InvalidInput("the text is empty; there is nothing to remember")
        _refuse_longer("text", text, LONGEST_TEXT, "bring it in parts")
        _words("source", source)
        _refuse_longer("call_id", call_id, _SHOWN, "use a short one")
        result = ToolResult(
            tool="remember", arguments={"source": source}, output=text, source=source, call_id=call_id or None
        )
        with self._banks.working(bank) as memory:
            return _became(memory, memory.absorb(result))

    def recall(
        self,
        query: Annotated[str, Field(description="What you want to know, in a question or in words.")],
        budget_tokens: Budget = 1_200,
        bank: Bank = "default",
    ) -> str:
        """Look something up in memory: the notes that bear on it, best first. Notes are quoted from sources."""
        with self._banks.working(bank) as memory:
            room = _tokens(budget_tokens)
            room -= _HELP if room > 2 * _HELP else 0
            text = memory.recall(_words("query", query), budget_tokens=room).text
            return with_tool_help(text, memory.settings.language_for(memory.insight.task_goal))

    def deep_retrieval(
        self,
        node_id: Annotated[str, Field(description=NODE_ID_WANTED)],
        page: Page = 0,
        budget_tokens: Budget = 2_000,
        bank: Bank = "default",
    ) -> str:
        """Open the full source text behind a note or a step, page by page, with the entries it was made from ([e1])."""
        with self._banks.working(bank) as memory:
            return memory.open(node_id, budget_tokens=_tokens(budget_tokens), page=page)

    def list_conflicts(self, page: Page = 0, bank: Bank = "default") -> str:
        """List the contradictions between sources, newest first, with what became of them."""
        with self._banks.working(bank) as memory:
            conflicts = memory.conflicts[::-1]
        if page < 0:
            raise InvalidParameter(f"page must be at least 0, not {page}")
        shown = conflicts[page * _CONFLICTS : (page + 1) * _CONFLICTS]
        if not shown:
            return f"(no page {page})" if conflicts else "No contradictions were found."
        more = [f"(more: page={page + 1})"] if len(conflicts) > (page + 1) * _CONFLICTS else []
        return "\n".join([*map(_conflict, shown), *more])

    def task_state(self, budget_tokens: Budget = 1_200, bank: Bank = "default") -> str:
        """The state of the task: its goal, the finished steps, and the step the plan says to do next."""
        with self._banks.working(bank) as memory:
            insight, waiting = memory.plan(), memory.host.waiting
            language = memory.settings.language_for(insight.task_goal)
        return render_task(insight, language=language, images=waiting, budget_tokens=_tokens(budget_tokens))

    def finish_step(
        self,
        learnt: Annotated[str, Field(description="What the step brought, in one or two sentences.")],
        failed: Annotated[bool, Field(description="Whether the step came to nothing.")] = False,
        answer: Annotated[str, Field(description="The final answer, when this step found it.")] = "",
        bank: Bank = "default",
    ) -> str:
        """Close the next step of task_state when it came to nothing, or with the final answer."""
        _words("learnt", learnt)
        _refuse_longer("answer", answer, LONGEST_TEXT, "give its result only")
        with self._banks.working(bank) as memory:
            memory.host.finish_step(StepResult(text=learnt, failed=failed, answer=answer or None))
        return self.task_state(bank=bank)

    def forget(
        self,
        entry_id: Annotated[str, Field(description="A step as it is shown, for example step 1.")],
        bank: Bank = "default",
    ) -> str:
        """Delete a step and all that was made of it, for good. Only when the user asks for it."""
        with self._banks.working(bank) as memory:
            memory.forget(entry_id)
        return f"{entry_id} is forgotten."

    def list_banks(self) -> str:
        """List the memory banks by name."""
        names = self._banks.names
        return "\n".join(names) if names else "There are no banks yet; begin one with begin_task."


def _words(name: str, value: str) -> str:
    if not value.strip():
        raise InvalidInput(f"{name} is empty; say it in words")
    _refuse_longer(name, value, _LONGEST_WORDS, "keep it short")
    return value


def _refuse_longer(name: str, value: str, limit: int, advice: str) -> None:
    if len(value) > limit:
        raise InvalidInput(f"{name} has {len(value):,} characters, and {limit:,} are taken at once; {advice}")


def _tokens(budget: int) -> int:
    if not 1 <= budget <= _MOST_TOKENS:
        raise InvalidParameter(f"budget_tokens must be from 1 to {_MOST_TOKENS}, not {budget}")
    return budget


def _clipped(text: str) -> str:
    line = escape_line(text)
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _became(memory: MemoryBank, report: AbsorbReport) -> str:
    """What became of a text, in ids and titles."""
    steps = ", ".join(map(_step, report.entry_ids))
    if report.repeat_of is not None:
        return f"Known already: {steps} says what {_step(report.repeat_of)} says."
    lines = [f"Kept as {steps}."]
    lines += [f"[{node_id}] {_clipped(memory.host.node(node_id).context)}" for node_id in report.node_ids[:_CONFLICTS]]
    lines += [f"Contradiction found: {_conflict(conflict)}" for conflict in report.conflicts[:_CONFLICTS]]
    lines += [f"Settled: {_conflict(conflict)}" for conflict in report.resolved[:_CONFLICTS]]
    return "\n".join(lines)


def _step(entry_id: str) -> str:
    """The step under which blocks show an entry."""
    return f"step {entry_id[1:]}"


def _conflict(conflict: Conflict) -> str:
    nodes = ", ".join(conflict.node_ids)
    settled = f" Settled: {_clipped(conflict.resolution)}" if conflict.resolution else ""
    return f"[{conflict.id}] {conflict.status.value}, between {nodes}: {_clipped(conflict.description)}{settled}"
