"""A line for each request of a run with a model: what was done, what memory made of it, and what it cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from amb_cli.console import Console
from amb_cli.user_language import translate
from amb_core.bank import MemoryBank
from amb_core.memory.events import BankEvent, EventKind
from amb_core.usage import TokenUsage
from amb_react.command.run_report import cost_text

if TYPE_CHECKING:
    from amb_react import ReActEvent

__all__ = ["Progress"]

_ACTION = 96
_ARGUMENT = 48
_NAMED = {
    EventKind.NODE_ADDED: "new",
    EventKind.CONFLICT_FOUND: "contradiction",
    EventKind.CONFLICT_RESOLVED: "decided",
    EventKind.NODES_MERGED: "merged",
    EventKind.AGENT_FELL_BACK: "by a local agent",
}


class Progress:
    """Hears what the agent and the bank do and prints a line when a request is over; `close` prints the last one."""

    def __init__(self, bank: MemoryBank, console: Console) -> None:
        self._bank = bank
        self._console = console
        self._turn = self._round = 0
        self._actions: list[str] = []
        self._words = ""
        self._happened: Counter[EventKind] = Counter()
        self._before = bank.usage.total
        self._unsubscribe = bank.host.subscribe(self._hear)

    def __call__(self, event: ReActEvent) -> None:
        """What `ReActAgent(on_event=…)` is given."""
        from amb_react import ModelAnswered, ToolAnswered, ToolCalled, TurnStarted

        match event:
            case TurnStarted():
                self.flush()
                self._turn, self._round = event.turn, event.round
                self._console.passing(
                    f"  {_request(event.turn)}  "
                    + translate("asking the model, about {tokens:,} tokens …", tokens=event.prompt_tokens)
                )
            case ModelAnswered():
                with self._bank.host.metered():
                    pass  # what the call cost is in the store now, whatever happens next
                text = " ".join(event.text.split())
                self._words = translate("writes: {text}", text=text) if text else translate("writes nothing")
            case ToolCalled():
                self._actions.append(_call_text(event.tool, event.arguments))
                self._console.passing(f"  {_request(event.turn)}  {self._actions[-1]} …")
            case ToolAnswered():
                if event.is_error:
                    self._actions.append(translate("{tool} failed", tool=event.tool))
                elif event.repeat:
                    self._actions.append(translate("known already"))
            case _:
                self.flush()

    def flush(self) -> None:
        """Print the line of the request that is over, if there is one."""
        if not self._turn:
            return
        total = self._bank.usage.total
        spent = _difference(total, self._before)
        words = self._words or translate("no answer from the model")
        happened = "  ".join(
            translate(f"{{count}} {named}", count=self._happened[kind])
            for kind, named in _NAMED.items()
            if self._happened[kind] or named == "new"
        )
        tokens = translate("{tokens:,} tokens ({total:,} in all)", tokens=spent.tokens, total=total.tokens)
        self._console.line(
            f"  {_request(self._turn)}  {translate('task {number}', number=self._round)}  "
            f"{_clipped('; '.join(self._actions) or words, _ACTION)}\n"
            f"              {happened}  {tokens}  {cost_text(total)}"
        )
        self._before, self._turn, self._words = total, 0, ""
        self._actions.clear()
        self._happened.clear()

    def close(self) -> None:
        """Print what is left and hear no more."""
        self.flush()
        self._unsubscribe()

    def _hear(self, event: BankEvent) -> None:
        self._happened[event.kind] += 1


def _request(number: int) -> str:
    return translate("request {number:>2}", number=number)


def _difference(after: TokenUsage, before: TokenUsage) -> TokenUsage:
    return TokenUsage(
        prompt_tokens=after.prompt_tokens - before.prompt_tokens,
        completion_tokens=after.completion_tokens - before.completion_tokens,
    )


def _call_text(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call in a few words: the tool and its first argument."""
    first = next(iter(arguments.values()), "")
    if isinstance(first, list) and all(isinstance(one, str) for one in first):
        first = ", ".join(first)
    shown = first if isinstance(first, str) else json.dumps(first, ensure_ascii=False)
    return f"{tool}({_clipped(shown, _ARGUMENT)})"


def _clipped(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
