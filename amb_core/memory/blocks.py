"""The blocks a bank gives out, and the record of which of them went into a request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from amb_core.errors import UnknownId
from amb_core.memory.arguments import whole_number
from amb_core.memory.bank_lock import BankLock
from amb_core.memory.ids import is_message
from amb_core.memory.node_views import NodeViews, call_of
from amb_core.memory.step_places import parse_step_place
from amb_core.memory.steps import Steps
from amb_core.memory.writer import Writer
from amb_core.models import ConflictStatus, Injection, InsightDoc
from amb_core.protocols import Hit, Query
from amb_core.rendering import MemoryBlock, MemoryItem
from amb_core.rendering.memory_items import OWN, SHARED, State, lettered, of_own_bank
from amb_core.settings import Settings
from amb_core.text import estimate_lines, estimate_tokens, index_tokens
from amb_core.text.language import Language
from amb_core.tracing import traced

if TYPE_CHECKING:
    from amb_core.memory.moment import Moment
    from amb_core.memory.recollection import Recollection
    from amb_core.rendering import ReadSoFar

__all__ = ["Blocks"]

_TOKENS_PER_NODE = 40
"""Without an explicit k, recall offers the renderer one candidate per this many tokens of its budget."""
_NEWEST = 20
"""How many of the last results are looked at for nodes to fill up with."""
_BOTH_SIDES = 8
"""Of how many of the best hits the other side of a dispute is looked up."""
_GOAL_CHARS = 4_000
"""Of a longer goal only the beginning is asked for."""
_TASK_SHARE = 0.4
"""The share of a block's budget that the `<task>` part may take."""
_LEAST_NOTES = 60
"""Tokens below which there is no room for notes beside what was said."""
_CALLS = 3
"""How many of the newest results `<task>` names by their calls."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Builds blocks from one state, under its lock."""

    writer: Writer
    nodes: NodeViews
    settings: Settings
    steps: Steps
    _made: list[Recollection] = field(default_factory=list)

    @property
    def recollection(self) -> Recollection:
        """The passages of what came in, made when they are first asked for."""
        if not self._made:
            from amb_core.memory.recollection import Recollection  # here, for taking in needs none of it

            self._made.append(Recollection(self.writer.state, self.nodes))
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

    def recall_passages(self, query: str, *, budget: int) -> MemoryBlock | None:
        """The `<memory>` block for a query about steps, records or machine data; None where notes are to answer.

        Notes that nobody's model writes wait until they are needed: a passage with most of the words comes before them.
        """
        with self.writer.lock.reading():
            return self.recollection.answer_block(
                query, budget=budget, language=self.language, by_words=self.writer.unaided
            )

    def recall_notes(self, query: str, *, budget: int, k: int | None = None) -> MemoryBlock:
        """The `<memory>` block for a query, from at most `k` notes."""
        k = None if k is None else whole_number("k", k, least=1)
        with self.writer.lock.reading():
            return self._note_block(query, budget, k)

    def _note_block(self, query: str, budget: int, k: int | None) -> MemoryBlock:
        """Notes on a query, and beside them what was said on it."""
        from amb_core.rendering import render_memory  # here, for taking in needs none of it

        said = None
        if k is None:
            said = self.recollection.message_block(query, budget=budget, language=self.language)
        left = budget - (said.tokens + 1 if said else 0)
        if said is not None and left < _LEAST_NOTES:
            return said
        items = self._items(self._hits(query, left, k))
        return _beside(render_memory(items, query=query, budget_tokens=left, language=self.language), said)

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

    def _hits(self, query: str, budget: int, k: int | None = None) -> list[Hit]:
        wanted = k or max(self.settings.retrieval_k, budget // _TOKENS_PER_NODE)
        found = self.writer.state.graph.search(
            Query(text=query, k=wanted, alpha=self.settings.alpha, mode=self.settings.retrieval_mode)
        )
        return list(self._with_both_sides(found))

    def _with_both_sides(self, hits: Sequence[Hit]) -> Iterator[Hit]:
        """The hits; the other side of one of the best that is disputed comes directly after it."""
        state, seen = self.writer.state, set()
        for rank, hit in enumerate(hits):
            others: Iterable[str] = ()
            if rank < _BOTH_SIDES:
                others = state.living(node_id for c in state.disputes(hit.id) for node_id in c.node_ids)
            for node_id in (hit.id, *others):
                if node_id not in seen:
                    seen.add(node_id)
                    yield (
                        hit
                        if node_id == hit.id
                        else Hit(id=node_id, score=hit.score, reason=f"the other side of {hit.id}")
                    )

    def _items(self, hits: Iterable[Hit]) -> list[MemoryItem]:
        """The notes of the hits; the newest state of what a note shows goes before it, found or not."""
        scores: dict[str, Hit] = {}
        states: dict[str, State | None] = {}
        for hit in hits:
            newer, seen = hit.id, set[str]()
            while newer and newer not in seen:
                seen.add(newer)
                if newer not in states:
                    states[newer] = self.nodes.state_of(newer)
                state = states[newer]
                newer = (state.newer or "") if state is not None else ""
                if newer and (newer not in scores or scores[newer].score < hit.score):
                    scores[newer] = Hit(id=newer, score=hit.score, reason=f"newer state of {hit.id}; {hit.reason}")
            if hit.id not in scores or scores[hit.id].score < hit.score:
                scores[hit.id] = hit
        return [self.nodes.item(hit, state=states[hit.id]) for hit in scores.values()]

    def offered(self, query: str, budget: int) -> list[MemoryItem]:
        """What a block for the query would be chosen from, best first, the newest result's notes among it."""
        with self.writer.lock.reading():
            return self._items(self._with_newest(self._hits(query, budget), query))

    def _with_newest(self, hits: Sequence[Hit], query: str) -> list[Hit]:
        """What the last result says on the query goes first; where little was found, the newest nodes fill up.

        So a result is in the block of the next model call, also when older ones match as well or nothing does.
        """
        state = self.writer.state
        newest = (
            entry_id
            for entry_id in reversed(state.tree.entries)
            if not (is_message(entry_id) or state.tree.is_withdrawn(entry_id))
        )
        results = [state.nodes_of_entry(entry_id) for entry_id in islice(newest, _NEWEST)]
        latest = results[0] if results else ()
        first = next((hit for hit in hits if hit.id in latest), None) or self._best_of(latest, query)
        others = dict.fromkeys(node_id for row in zip_longest(*results) for node_id in row if node_id)
        known = {hit.id for hit in hits}
        fresh = [Hit(id=node_id, score=0.0, reason="newest") for node_id in others if node_id not in known]
        ranked = [*hits, *fresh[: max(self.settings.retrieval_k - len(hits), 0)]]
        if first is None:
            return ranked
        top = replace(first, score=1.0, reason=f"the newest result; {first.reason}")
        return [top, *(hit for hit in ranked if hit.id != first.id)]

    def _best_of(self, node_ids: Sequence[str], query: str) -> Hit | None:
        """The node with most words of the query, for a result that the hits left out; None without any."""
        wanted = set(index_tokens(query))
        shared = {node_id: len(wanted.intersection(index_tokens(self._text_of(node_id)))) for node_id in node_ids}
        best = max(shared, key=shared.__getitem__, default=None)
        return None if best is None or not shared[best] else Hit(id=best, score=0.0, reason="has words of the query")

    def _text_of(self, node_id: str) -> str:
        graph = self.writer.state.graph
        return "\n".join(text for _, text in graph.passages(graph.bare(node_id)))

    def whole_block(
        self, insight: InsightDoc, *, query: str | None, budget: int, shared: Blocks | None = None
    ) -> MemoryBlock:
        """`<task>`, then `<memory>` for the query, or else for the pending step and the goal.

        Notes of the bank that is `shared` compete for the same room, and ids then carry the letter of their bank.
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
        from amb_core.rendering import render_memory, render_task

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
        items = self.offered(asked, room)
        if shared is not None:
            items = [*lettered(items, OWN), *lettered(shared.offered(asked, room), SHARED)]
        memory = render_memory(items, query=asked, budget_tokens=room, language=self.language)
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
            place = parse_step_place(shown) or self.nodes.withdrawn_step(shown)
            if place is not None:
                views = self.nodes.step_views(place.number)
                if place.shared:  # what somebody said to the agent of another bank is nobody else's
                    views = [view for view in views if not is_message(view.entry_id)]
                if not views:
                    raise UnknownId("team step", shown)
                return step_text(views, place, budget_tokens=budget, page=page, language=self.language)
            node_id = self.nodes.node(shown).id
            opened = Hit(id=node_id, score=0.0, reason="opened")
            item = self.nodes.item(opened, state=self.nodes.state_of(node_id))
            entries = self.nodes.entries_behind(item.node)
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


def _beside(notes: MemoryBlock, said: MemoryBlock | None) -> MemoryBlock:
    """Notes and what was said as one block; where nothing is noted, what was said stands alone."""
    if said is None:
        return notes
    if not notes.receipts:
        return said
    receipts = (
        *said.receipts,
        *(one.model_copy(update={"rank": one.rank + len(said.receipts)}) for one in notes.receipts),
    )
    return MemoryBlock(f"{said.text}\n\n{notes.text}", receipts, said.tokens + notes.tokens + 1, notes.query)
