"""Whatever is done with a bank, in whatever order: it keeps to a simple model of what a bank is."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from amb_core import ManualClock, MemoryBank, ToolResult, UnknownId
from amb_core.errors import ConflictStateError
from amb_core.memory.snapshots import damage
from amb_core.models import BankSnapshot, ConflictStatus, StepResult

DEEP = int(os.environ.get("DEEP", "1"))
SITES = ("Harbour Point", "Norrvik", "青屿", "鹿鸣")
numbers = st.integers(10, 14)
sites = st.sampled_from(SITES)
choices = st.integers(0, 99)


def said(site: str, number: int, lead: str = "") -> str:
    if site.isascii():
        return f"{lead}The {site} battery has a usable capacity of {number} MWh."
    return f"{lead}{site}海水淡化厂的日产水量为{number}万吨。"


def _in_order(snapshot: BankSnapshot) -> BankSnapshot:
    """The snapshot with the links of each node by id: a loaded bank does not know in which order they were made."""
    nodes = tuple(node.model_copy(update={"links": tuple(sorted(node.links))}) for node in snapshot.nodes)
    return snapshot.model_copy(update={"nodes": nodes})


class AnySteps(RuleBasedStateMachine):
    """The model: the texts that came in and were not forgotten, and the highest numbers given out."""

    @initialize(scheme=st.sampled_from(["sqlite", "json"]))
    def begin(self, scheme: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="amb-steps-"))
        self.scheme, self.places = scheme, 0
        self.clock = ManualClock(1_700_000_000, step=1)
        self.bank = MemoryBank("What is known of the sites?", store=self._place(), clock=self.clock)
        self.texts: dict[str, str] = {}
        self.known: set[str] = set()
        self.gaps = False  # places between neighbours, which a bank built anew closes
        self.last: dict[str, int] = {}

    def teardown(self) -> None:
        if hasattr(self, "bank"):
            self.bank.close()
            shutil.rmtree(self.folder)

    def _place(self) -> str:
        self.places += 1
        return f"{self.scheme}:///{self.folder / f'bank-{self.places}'}"

    def _absorb(self, text: str, source: str, **how: bool) -> None:
        [entry_id] = self.bank.absorb(ToolResult(tool="read", output=text, source=source), **how).entry_ids
        assert entry_id not in self.texts
        self.texts[entry_id] = text

    # --- steps --------------------------------------------------------------------------------------------------------

    @rule(site=sites, number=numbers, source=st.sampled_from("abc"), wait=st.booleans())
    def absorb(self, site: str, number: int, source: str, wait: bool) -> None:
        self._absorb(said(site, number), source, wait=wait)

    @rule(site=sites, number=numbers)
    def verify(self, site: str, number: int) -> None:
        self.bank.plan()
        lead = "The register was checked on site. " if site.isascii() else "登记表按照现场核验结果填写。"
        self._absorb(said(site, number, lead), "register")

    @rule(site=sites, number=numbers, failed=st.booleans())
    def step(self, site: str, number: int, failed: bool) -> None:
        self.bank.host.begin_step()
        result = ToolResult(tool="look", output=said(site, number), source=f"look-{number}")
        self.bank.host.finish_step(StepResult(tool_results=(result,), failed=failed))
        self._learn()

    @rule(site=sites, number=numbers)
    def attach(self, site: str, number: int) -> None:
        file = self.folder / "given.txt"
        file.write_text(said(site, number), encoding="utf-8")
        self.bank.attach(file, type="document")
        pending = self.bank.host.begin_step().pending
        self.bank.host.finish_step(StepResult(text=said(site, number) if pending and pending.attachment_ids else ""))
        self._learn()

    def _learn(self) -> None:
        """Entries that a step made by itself."""
        self.texts |= {e.entry_id: e.text for e in self.bank.snapshot().entries if not e.forgotten}

    @rule(site=sites, budget=st.sampled_from([20, 200, 2_000]))
    def recall(self, site: str, budget: int) -> None:
        block = self.bank.recall(f"{site} capacity 产水量", budget_tokens=budget)
        alive = {node.id for node in self.bank.nodes} | self.texts.keys()  # or the entry, where it has no note
        assert {receipt.node_id for receipt in block.receipts} <= alive
        self.bank.host.log_injection(block, prompt_tokens=1, raw_tokens=1)

    @precondition(lambda self: self.texts)
    @rule(choice=choices)
    def forget(self, choice: int) -> None:
        self.bank.host.flush()
        chosen = sorted(self.texts)[choice % len(self.texts)]
        repeats = [d.entry_id for d in self.bank.snapshot().digestions if d.repeat_of == chosen]
        self.bank.forget(chosen)
        self.gaps = True
        for entry_id in (chosen, *repeats):
            self.texts.pop(entry_id, None)

    @precondition(lambda self: self.bank.merges)
    @rule(choice=choices)
    def undo(self, choice: int) -> None:
        event = self.bank.merges[choice % len(self.bank.merges)]
        try:
            self.bank.host.undo_merge(event.event_id)
        except ConflictStateError:
            return
        self.gaps = True
        alive = {node.id for node in self.bank.nodes} | self.texts.keys()  # or the entry, where it has no note
        assert set(event.merged_node_ids) <= alive
        assert event.new_node_id not in alive

    @rule()
    def resume(self) -> None:
        url = self.bank.host.store_url
        self.bank.close(keep=True)
        self.bank = MemoryBank.resume(url, clock=self.clock)

    @rule()
    def export_and_load(self) -> None:
        """A bank built anew from an export finds the same for the same question."""
        asked = "Harbour Point 青屿 capacity 产水量"
        before = self.bank.recall(asked, budget_tokens=4_000)
        file = self.bank.export(self.folder / "export.json")
        other = MemoryBank.load(file, store=self._place(), clock=self.clock)
        assert _in_order(other.snapshot()) == _in_order(self.bank.snapshot())
        found = other.recall(asked, budget_tokens=4_000)
        scores = [{r.node_id: round(r.score, 4) for r in block.receipts} for block in (before, found)]
        assert scores[0].keys() == scores[1].keys()
        assert self.gaps or scores[0] == scores[1]
        if not any(entry.attachments for entry in other.snapshot().entries) and not other.host.waiting:
            self.bank.close()
            self.bank = other
        else:
            other.close()

    # --- what holds after each ----------------------------------------------------------------------------------------

    @invariant()
    def keeps_to_the_model(self) -> None:
        if not hasattr(self, "bank"):
            return
        self.bank.host.flush()
        snapshot = self.bank.snapshot()
        assert damage(snapshot) is None
        assert {e.entry_id: e.text for e in snapshot.entries if not e.forgotten} == self.texts
        assert all(e.text == "" for e in snapshot.entries if e.forgotten)
        self._links_and_conflicts_hold(snapshot)
        self._ids_are_new(snapshot)

    def _links_and_conflicts_hold(self, snapshot: BankSnapshot) -> None:
        nodes = {node.id: node for node in snapshot.nodes}
        for node in nodes.values():
            assert all(node.id in nodes[other].links for other in node.links)
            for span, text in self.bank.host.passages(node.id):
                assert self.texts[span.entry_id][span.start : span.end] == text
        for conflict in snapshot.conflicts:
            if conflict.status in (ConflictStatus.OPEN, ConflictStatus.VERIFYING):
                assert set(conflict.node_ids) <= nodes.keys()
        for event in snapshot.merges:
            for old in () if event.undone else event.merged_node_ids:
                assert self._leads_to(old) in {None, *nodes}

    def _leads_to(self, node_id: str) -> str | None:
        try:
            return self.bank.host.node(node_id).id
        except UnknownId:
            return None

    def _ids_are_new(self, snapshot: BankSnapshot) -> None:
        ids = [x.id for x in (*snapshot.nodes, *snapshot.conflicts)] + [e.entry_id for e in snapshot.entries]
        ids += [event.event_id for event in snapshot.merges]
        assert len(set(ids)) == len(ids)
        fresh = {*ids, *(kept.node.id for kept in snapshot.archive)} - self.known
        assert all(int(each[1:]) > self.last.get(each[0], 0) for each in fresh)
        assert all(snapshot.counters.get(letter, 0) >= last for letter, last in self.last.items())
        self.known |= fresh
        self.last = dict(snapshot.counters)


TestAnySteps = pytest.mark.slow(AnySteps.TestCase)
TestAnySteps.settings = settings(max_examples=12 * DEEP, stateful_step_count=25, deadline=None)
