"""All that speaks in the requests of one adapter beside its bank, asked and told in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from amb_core.adapter.chat_messages import TokenCounter, fingerprint_of
from amb_core.bank import MemoryBank
from amb_core.contributor import Contributor, ContributorSource, Entry, RecallContext
from amb_core.errors import InvalidParameter
from amb_core.memory.spoken_entries import SpokenText
from amb_core.models import ToolResult
from amb_core.rendering import MemoryBlock

__all__ = ["Contributors", "joined"]


def joined(
    sources: Iterable[Contributor | ContributorSource | None], bank: MemoryBank, *, agent: str
) -> list[Contributor]:
    """The contributors of a run: those of each source, and what is a contributor itself. InvalidParameter for else."""
    found: list[Contributor] = []
    for each in sources:
        if isinstance(each, ContributorSource) and not isinstance(each, str):  # a text has `join` as well
            found.append(each.join(bank, agent=agent))
        elif isinstance(each, Contributor):
            found.append(each)
        elif each is not None:
            raise InvalidParameter(
                f"a contributor has the methods of amb_core.contributor.Contributor; {type(each).__name__} has not: "
                "subclass it and write `block`."
            )
    return found


class Contributors:
    """Asks and tells whatever speaks beside a bank; what fails in one costs only that.

    `team` is one of them that sees only what `shares` lets it see, and is told by its framework who spoke: a transcript
    does not say which agent a message is of. `attempt` does what may fail.
    """

    def __init__(
        self,
        members: Sequence[Contributor],
        team: Contributor | None,
        *,
        attempt: Callable[[str, Callable[[], Any]], Any],
        shares: Callable[[ToolResult], bool],
    ) -> None:
        self._members, self._team, self._attempt, self._shares = members, team, attempt, shares
        self._all = [*members, team] if team is not None else [*members]
        self._answered: set[str] = set()

    @property
    def sees_repeats(self) -> bool:
        """Whether one of them is to be told of results that were taken in before."""
        return any(each.sees_repeats for each in self._members)

    @property
    def most_tokens(self) -> int:
        """What they add to a request at most."""
        return sum(self._attempt("ask a contributor", partial(getattr, each, "most_tokens")) or 0 for each in self._all)

    def add_to(self, block: MemoryBlock, context: RecallContext, *, count: TokenCounter) -> MemoryBlock:
        """The block with behind it what each has to say that the request does not."""
        for each in self._all:
            told = self._attempt("ask a contributor", partial(_said_by, each, context))
            if told and told.strip() not in context.request:
                text = "\n\n".join(part for part in (block.text, told) if part)
                block = replace(block, text=text, tokens=block.tokens + count.text(told))
        return block

    def still_true(self, text: str) -> str:
        """What was said before, without what is no longer so."""
        for each in self._all:
            now = self._attempt("ask a contributor", partial(each.still_true, text))
            text = text if now is None else now
        return text

    def cached_result(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What the first that knows it answers instead of a tool, for the call to return; None to make the call."""
        for each in self._all:
            found: str | None = self._attempt("look up a call", partial(each.cached_result, tool, arguments))
            if found is not None:
                self._answered.add(fingerprint_of(found))
                return found
        return None

    def has_answered(self, text: str) -> bool:
        """Whether a result is what one of them answered, which is not to be taken in a second time."""
        return fingerprint_of(text) in self._answered

    def on_results_seen(self, results: Iterable[ToolResult]) -> None:
        """Tell those of results that want each one that a transcript shows."""
        for result in results:
            self._tell((each for each in self._members if each.sees_repeats), _entry(result))

    def on_result(self, result: ToolResult) -> None:
        """Tell of a result that was taken in now; the team, unless it is kept from it."""
        if not result.output.strip():
            return
        entry = _entry(result)
        self._tell((each for each in self._members if not each.sees_repeats), entry)
        if self._team is not None and self._shares(result):
            self._tell([self._team], entry)

    def on_messages(self, messages: Iterable[SpokenText]) -> None:
        """Tell what a transcript newly says, but for the team."""
        for said in messages:
            if not said.tool:
                self._tell(self._members, Entry(said.speaker, said.text))

    def on_entry(self, entry: Entry) -> None:
        """Tell the team what an agent wrote, or another one told it."""
        if self._team is not None and entry.text:
            self._tell([self._team], entry)

    def _tell(self, members: Iterable[Contributor], entry: Entry) -> None:
        for each in members:
            self._attempt("tell a contributor", partial(each.on_entry, entry))


def _said_by(member: Contributor, context: RecallContext) -> str:
    return member.block(context, member.most_tokens)


def _entry(result: ToolResult) -> Entry:
    return Entry("tool", result.output, result)
