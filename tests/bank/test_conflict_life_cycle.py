from dataclasses import replace
from functools import partial

import pytest

from amb_agents import local_agents
from amb_core import (
    Conflict,
    ConflictStateError,
    ConflictStatus,
    MemoryBank,
    Settings,
    StepResult,
    StoreError,
    TaskType,
)
from amb_notes import conflict_states


@pytest.fixture
def disputed(bank, dispute):
    """A bank that has read two sources which contradict each other."""
    bank.absorb(dispute[0])
    bank.absorb(dispute[1])
    return bank


def test_a_third_source_that_contradicts_one_side_settles_a_conflict_nobody_verifies(bank, dispute):
    for source in dispute:
        report = bank.absorb(source)

    assert [(c.id, c.status) for c in report.resolved] == [("c1", ConflictStatus.RESOLVED)]
    assert {conflict.status for conflict in bank.conflicts} == {ConflictStatus.RESOLVED}


def test_the_words_of_a_verification_step_can_end_what_its_sources_have_decided(bank, dispute):
    for source in (dispute[2], dispute[0], dispute[1]):
        bank.absorb(source)
    bank.plan()
    bank.host.finish_step(StepResult(text=f"Checked. {dispute[2].output}"))

    assert ConflictStatus.RESOLVED in {conflict.status for conflict in bank.conflicts}


def test_every_contradiction_of_two_notes_is_recorded_once(bank, result):
    bank.absorb(result("The Harlow Dam was designed by Ada Orr. The Harlow Dam is 80 metres high.", "a"))
    report = bank.absorb(result("The Harlow Dam was designed by Ben Lind. The Harlow Dam is 90 metres high.", "b"))

    assert [c.values for c in report.conflicts] == [("80 metres", "90 metres"), ("Ada Orr", "Ben Lind")]


def test_a_merge_that_cannot_be_journalled_changes_nothing(disputed, dispute):
    disputed.plan()
    before = disputed.snapshot()
    disputed._parts.store.close()

    with pytest.raises(StoreError):
        disputed.absorb(dispute[2])
    assert disputed.snapshot() == before
    assert len(disputed.recall(dispute[0].output).receipts) == 2
    with pytest.raises(StoreError):
        disputed.close()


def test_evidence_of_an_undone_merge_is_taken_in_when_it_is_read_again(disputed, dispute, result):
    disputed.plan()
    disputed.absorb(dispute[2])
    disputed.host.undo_merge("m1")
    disputed.host.finish_step(StepResult())
    disputed.absorb(dispute[2])

    behind = {entry.text for node in disputed.nodes for entry in disputed.host.deep_retrieval(node.id)}
    assert dispute[2].output in behind


def test_a_merge_of_which_a_side_was_forgotten_cannot_be_undone(disputed, dispute):
    disputed.plan()
    disputed.absorb(dispute[2])
    disputed.forget("e2")

    with pytest.raises(ConflictStateError, match="forgotten"):
        disputed.host.undo_merge("m1")


CHANGES = {
    "verify": conflict_states.verify,
    "resolve": partial(conflict_states.resolve, at=9.0),
    "give up": partial(conflict_states.give_up, at=9.0),
    "reopen": partial(conflict_states.reopen, at=9.0),
    "hear": partial(conflict_states.hear, opinion=None),
    "move": lambda conflict: conflict_states.move(conflict, "n3", "n4"),
    "move into one": lambda conflict: conflict_states.move(conflict, "n3", "n3"),
}
WITHIN = {
    ConflictStatus.OPEN: ["verifying", "resolved", "unresolved", "unresolved", "open", "open", "unresolved"],
    ConflictStatus.VERIFYING: [*["verifying", "resolved"], *["unresolved"] * 2, *["verifying"] * 2, "unresolved"],
    ConflictStatus.UNRESOLVED: [None, "resolved", *["unresolved"] * 5],
    ConflictStatus.RESOLVED: [None, None, None, "unresolved", None, None, None],
}


@pytest.mark.parametrize("status", ConflictStatus)
def test_every_change_of_a_conflict_leads_where_the_life_cycle_says_or_is_refused(status):
    conflict = Conflict(id="c1", node_ids=("n1", "n2"), description="18 or 12", status=status)
    for (name, change), wanted in zip(CHANGES.items(), WITHIN[status], strict=True):
        if wanted is None:
            with pytest.raises(ConflictStateError, match="dispute c1 is"):
                change(conflict)
        else:
            assert (name, change(conflict).status) == (name, wanted)


class Forgetting:
    """An integration agent during whose work somebody forgets an entry."""

    def __init__(self, entry_id):
        self._inner, self._entry_id = local_agents().integration, entry_id

    def integrate(self, request):
        answer = self._inner.integrate(request)
        self.bank.forget(self._entry_id)
        return answer


def test_a_side_that_is_forgotten_while_an_agent_thinks_does_not_come_back(dispute):
    agent = Forgetting("e3")
    agents, settings = replace(local_agents(), integration=agent), Settings(disputes="verify")
    with MemoryBank("What is the capacity of the battery?", agents=agents, settings=settings) as bank:
        agent.bank = bank
        for source in (dispute[2], dispute[0], dispute[1]):
            bank.absorb(source)
        bank.plan()
        bank.host.finish_step(StepResult(text=f"Checked. {dispute[2].output}"))

        left = bank.snapshot().model_dump_json()
    assert bank.conflicts == ()
    assert not any(value in left for value in ("12 MWh", "5万吨"))


@pytest.mark.parametrize(("read", "status"), [(3, "unresolved"), (7, "resolved")])
def test_what_two_merged_notes_still_disagree_in_is_whole_in_export_and_file(bank, result, tmp_path, read, status):
    says = "The Harbour Point battery has a usable capacity of {} MWh."
    opened = "The Harbour Point battery was opened in {}."
    told = [f"{says.format(18)} {opened.format(1956)}", f"{says.format(12)} {opened.format(1958)}", says.format(18)]
    told += [opened.format(year) for year in (1958, 1956, 1956, 1956)]
    for text, source in zip(told[:read], "abcdefg", strict=False):
        bank.absorb(result(f"Source {source} was read. {text}", source))
        bank.plan()
    store, exported = f"sqlite:///{tmp_path / 'bank.db'}", bank.export(tmp_path / "bank.json")
    MemoryBank.load(exported, store=store).close()

    with MemoryBank.resume(store) as again:
        assert (status, ("n3", "n3")) in [(conflict.status, conflict.node_ids) for conflict in again.conflicts]


def test_a_contradiction_is_found_and_its_verification_is_the_next_step(disputed):
    [conflict] = disputed.conflicts
    pending = disputed.plan().pending

    assert conflict.node_ids == ("n1", "n2")
    assert (pending.type, pending.conflict_id) == (TaskType.CROSS_VALIDATE, conflict.id)
    assert disputed.conflicts[0].status is ConflictStatus.VERIFYING


def test_a_third_source_decides_and_the_nodes_become_one(disputed, dispute):
    disputed.plan()
    report = disputed.absorb(dispute[2])

    [merge] = disputed.merges
    assert [c.id for c in report.resolved] == ["c1"]
    assert disputed.conflicts[0].status is ConflictStatus.RESOLVED
    assert merge.merged_node_ids == ("n1", "n2")
    assert disputed.node("n1").id == disputed.node("n2").id == merge.new_node_id


def test_a_source_one_side_stands_on_cannot_verify_it(disputed, dispute, result):
    disputed.plan()
    report = disputed.absorb(result(dispute[2].output + " (page two)", "a"))

    assert report.resolved == ()
    assert disputed.merges == ()


def test_undoing_a_merge_restores_graph_links_texts_and_conflict(disputed, dispute):
    disputed.plan()
    before = disputed.snapshot()
    disputed.absorb(dispute[2])
    disputed.undo_merge("m1")
    after = disputed.snapshot()

    assert (after.nodes, after.links, after.archive) == (before.nodes, before.links, before.archive)
    assert after.conflicts == before.conflicts
    assert after.merges[0].undone
