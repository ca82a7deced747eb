"""The blocks a bank gives out, and the record of which of them went into a request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from amb_core.errors import UnknownId
from amb_core.memory.arguments import whole_number
from amb_core.memory.bank_lock import BankLock
from amb_core.memory.derived_notes import DerivedNotes
from amb_core.memory.entry_views import EntryViews, call_of
from amb_core.memory.ids import is_message
from amb_core.memory.step_places import parse_step_place
from amb_core.memory.steps import Steps
from amb_core.memory.writer import Writer
from amb_core.models import ConflictStatus, Injection, InsightDoc
from amb_core.protocols import Hit
from amb_core.rendering import MemoryBlock
from amb_core.rendering.memory_items import of_own_bank
from amb_core.settings import Settings
from amb_core.text import estimate_lines, estimate_tokens
from amb_core.text.language import Language
from amb_core.tracing import traced

if TYPE_CHECKING:
    from amb_core.memory.moment import Moment
    from amb_core.memory.recollection import Recollection
    from amb_core.rendering import ReadSoFar

__all__ = ["Blocks"]

_GOAL_CHARS = 4_000
"""Of a longer goal only the beginning is asked for."""
_TASK_SHARE = 0.4
"""The share of a block's budget that the `<task>` part may take."""
_CALLS = 3
"""How many of the newest results `<task>` names by their calls."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Builds blocks from one state, under its lock."""

    writer: Writer
    entries: EntryViews
    notes: Callable[[], DerivedNotes]
    settings: Settings
    steps: Steps
    _made: list[Recollection] = field(default_factory=list)

    @property
    def recollection(self) -> Recollection:
        """The passages of what came in, made when they are first asked for."""
        if not self._made:
            from amb_core.memory.recollection import Recollection  # here, for taking in needs none of it

            self._made.append(Recollection(self.writer.state, self.notes))
        return self._made[0]

    def forget(self) -> None:
        """Drop what was worked out from texts (hold the lock)."""
        for made in self._made:
            made.forget()

    @property
    def language(self) -> Language:
        """The language of our own words in a block: as set, else the task goal's."""
        return self.settings.language_for(self.writer.state.insight.task_goal)

    def budget(self, budget_tokens: int | None) -> int:
        """The budget to keep; InvalidParameter unless it is a whole number of at least 1."""
        budget = self.settings.block_tokens if budget_tokens is None else budget_tokens
        return whole_number("budget_tokens", budget, least=1)

    def recall(self, query: str, *, budget: int, k: int | None = None) -> MemoryBlock:
        """The `<memory>` block for a query, of at most `k` passages."""
        most = None if k is None else whole_number("k", k, least=1)
        with self.writer.lock.reading():
            return self.recollection.answer_block(query, budget=budget, language=self.language, most=most)

    def missing_block(self, moment: Moment, budget_tokens: int, shared: Blocks | None) -> MemoryBlock:
        """The block of what the request of a moment does not hold."""
        budget = self.budget(budget_tokens)
        first, second = self._locks(shared)
        with first.reading(), second.reading(), traced("recall_for", memory="search_memory", budget=budget) as span:
            others = () if shared is None else (shared.recollection,)
            block = self.recollection.missing_block(moment, budget=budget, others=others, language=self.language)
            span.update(tokens=block.tokens, passages=len(block.receipts))
            return block

    def _locks(self, shared: Blocks | None) -> list[BankLock]:
        """The locks of both banks, in one order for all, so that two banks which share each other never block."""
        return sorted((self.writer.lock, (shared or self).writer.lock), key=id)

    def whole_block(
        self, insight: InsightDoc, *, query: str | None, budget: int, shared: Blocks | None = None
    ) -> MemoryBlock:
        """`<task>`, then `<memory>` for the query, or else for the pending step and the goal.

        Passages of the bank that is `shared` compete for the same room.
        """
        first, second = self._locks(shared)
        with first.reading(), second.reading(), traced("enhance", memory="search_memory", budget=budget) as span:
            wanted, kept = (insight, query, budget, self.steps.looped), self.writer.state.block
            if shared is not None or kept is None or kept[0] != wanted:
                block = self._make_whole(insight, query=query, budget=budget, shared=shared)
                self.writer.state.block = (wanted, block) if shared is None else None
            else:
                block = kept[1]
            span.update(tokens=block.tokens, nodes=len(block.receipts))
            return block

    def _make_whole(self, insight: InsightDoc, *, query: str | None, budget: int, shared: Blocks | None) -> MemoryBlock:
        from amb_core.rendering import render_task

        task_budget = max(int(budget * _TASK_SHARE), 1)
        waiting = tuple(self.writer.state.waiting.values())
        plan = self.steps.says_more(special=False)
        read = None if self.steps.looped else self._read()
        open_ones = [one for one in self.writer.state.conflicts.values() if one.status is not ConflictStatus.RESOLVED]
        told = [one.subject or one.description for one in reversed(open_ones)]
        task = render_task(
            insight, language=self.language, budget_tokens=task_budget, images=waiting, read=read, plan=plan,
            disputes=told,
        )  # fmt: skip
        step = insight.pending.description if plan and insight.pending else ""
        asked = query or "\n".join(part for part in (step, insight.task_goal[:_GOAL_CHARS]) if part)
        room = max(budget - estimate_tokens(task) - 1, 1)
        others = () if shared is None else (shared.recollection,)
        memory = self.recollection.answer_block(asked, budget=room, language=self.language, others=others, newest=True)
        text = f"{task}\n\n{memory.text}"
        tokens = estimate_lines([line for line in text.split("\n") if line])
        return MemoryBlock(text=text, receipts=memory.receipts, tokens=tokens, query=asked)

    def _read(self) -> ReadSoFar:
        """How many results are in memory, and the calls of the newest."""
        from amb_core.rendering import ReadSoFar

        tree = self.writer.state.tree
        return ReadSoFar(
            count=tree.result_count,
            newest=tuple(
                call_of(one.metadata) for one in tree.newest_results(_CALLS) if one.entry_id not in tree.edits
            ),
        )

    def source_page(self, shown: str, *, budget_tokens: int, page: int) -> str:
        """One page of the raw entries behind a living node, or of a step, as text for a model."""
        from amb_core.memory.entry_pages import deep_retrieval_text, step_text  # here, for blocks are made of passages

        page, budget = whole_number("page", page, least=0), self.budget(budget_tokens)
        with self.writer.lock.reading():
            place = parse_step_place(shown) or self.entries.withdrawn_step(shown)
            if place is not None:
                views = self.entries.step_views(place.number)
                if place.shared:  # what somebody said to the agent of another bank is nobody else's
                    views = [view for view in views if not is_message(view.entry_id)]
                if not views:
                    raise UnknownId("team step", shown)
                place = replace(place, language=place.language or self.language)
                return step_text(views, place, budget_tokens=budget, page=page)
            node_id = self.entries.node(shown).id
            opened = Hit(id=node_id, score=0.0, reason="opened")
            item = self.notes().item(opened, state=self.notes().state_of(node_id))
            entries = self.entries.entries_behind(item.node)
        return deep_retrieval_text(item, entries, budget_tokens=budget, page=page, language=self.language)

    def log(self, block: MemoryBlock, *, prompt_tokens: int, raw_tokens: int) -> Injection:
        """Journal that a block went into a request; the oldest are dropped above `keep_injections`."""
        prompt_tokens = whole_number("prompt_tokens", prompt_tokens, least=0)
        raw_tokens = whole_number("raw_tokens", raw_tokens, least=0)
        state = self.writer.state
        with self.writer.lock:
            changes = state.changes()
            injection = Injection(
                turn=int(changes.new_id("t")[1:]),
                timestamp=self.writer.clock.now(),
                query=block.query,
                block=block.text,
                receipts=of_own_bank(block.receipts),
                prompt_tokens=prompt_tokens,
                raw_tokens=raw_tokens,
            )
            if self.settings.keep_injections:
                changes.put(injection)
            surplus = max(len(state.injections) + 1 - self.settings.keep_injections, 0)
            changes.delete("injection", sorted(state.injections, key=int)[:surplus])
            self.writer.commit(changes)
            return injection
