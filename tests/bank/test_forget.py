import pytest

from amb_core import ConflictStatus, MemoryBank, Settings, TaskType, ToolResult, UnknownId
from amb_core.errors import InvalidParameter

VERIFY = Settings(disputes="verify")
SECRET = "The spare key of the boathouse lies under the third stone."


@pytest.fixture
def kept(tmp_path, result):
    """A bank on disk that knows a secret among other things."""
    with MemoryBank("Where is everything?", store=f"sqlite:///{tmp_path / 'bank.db'}") as bank:
        bank.absorb(result(SECRET, "a"))
        bank.absorb(result("The boathouse was painted red in 2019.", "b"))
        yield bank


def test_a_forgotten_text_is_in_no_block_node_or_export(kept, tmp_path):
    kept.host.log_injection(kept.host.enhance(query="boathouse key"), prompt_tokens=10, raw_tokens=10)
    kept.forget("e1")

    exported = kept.export(tmp_path / "memory.json").read_text()
    assert "third stone" not in kept.recall("spare key boathouse").text
    assert "third stone" not in exported
    assert "painted red" in exported


def test_a_forgotten_text_is_in_no_file_on_disk(kept, tmp_path):
    kept.plan()
    kept.forget("e1")

    assert all(b"third stone" not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_a_tombstone_without_content_stays(kept):
    kept.forget("e1")
    tombstone = kept.snapshot().entries[0]

    assert (tombstone.entry_id, tombstone.text, tombstone.metadata, tombstone.forgotten) == ("e1", "", {}, True)


def test_forgetting_one_source_of_a_merged_node_keeps_the_others(bank, dispute):
    bank.absorb(dispute[0])
    bank.absorb(dispute[1])
    bank.plan()
    bank.absorb(dispute[2])
    bank.forget("e2")

    text = bank.recall(bank.insight.task_goal + dispute[0].output).text
    assert dispute[1].output[:12] not in text
    assert dispute[2].output[:12] in text
    assert (bank.merges[0].description, bank.host.node("n2").id, bank.host.node("n1").id) == ("", "n3", "n3")


@pytest.mark.parametrize("shown", ["step 1", "第1步", "第 1 步", "步骤1", "第一步", "e1", "1"])
def test_a_step_is_forgotten_as_it_is_shown(kept, shown):
    kept.forget(shown)
    with pytest.raises(UnknownId):
        kept.open("step 1")


@pytest.mark.parametrize(
    ("shown", "error", "advice"),
    [
        ("e99", UnknownId, 'The newest step is step 2.*"step 3" or "第3步"'),
        ("第9步", UnknownId, "The newest step is step 2"),
        ("n1", UnknownId, "n1 is a note"),
        ("team step 1", UnknownId, "forgotten there"),
        ("step 1 lines 1-2", InvalidParameter, 'pass "step 1"'),
        ("the keys", UnknownId, '"e3"'),
    ],
)
def test_what_names_no_step_is_an_error_that_says_what_to_pass(kept, shown, error, advice):
    with pytest.raises(error, match=advice):
        kept.forget(shown)


def test_a_replayed_call_does_not_bring_the_text_back(kept, result, tmp_path):
    call = result("The second key hangs behind the clock.", "c", call_id="call-7", run="r1")
    kept.absorb(call)
    kept.forget("e3")
    tombstone = kept.snapshot().entries[2]
    report = kept.absorb(call)

    assert (report.repeat_of, report.node_ids) == ("e3", ())
    assert (tombstone.text, list(tombstone.metadata), "call-7" in str(tombstone)) == ("", ["call"], False)
    with MemoryBank.load(kept.export(tmp_path / "x.json")) as loaded:
        assert loaded.absorb(call).repeat_of == "e3"
    assert kept.absorb(call.model_copy(update={"run": "r2"})).node_ids


def everything(bank, folder):
    """All the bank keeps, as stored and as exported, without the text of the test's own asking."""
    exported = bank.export(folder / "dump.json").read_text()
    (folder / "dump.json").unlink()
    return exported + "".join(f.read_bytes().decode("utf-8", "replace") for f in folder.rglob("*") if f.is_file())


def injected(bank):
    for query in (None, "gulls 值班长", "capacity 产水量"):
        bank.host.log_injection(bank.host.enhance(query=query), prompt_tokens=1, raw_tokens=1)


SECRETS = ("12 MWh", "Gulls", "5万吨", "值班长")


@pytest.fixture
def disputed(tmp_path, dispute):
    """A bank on disk in which a cross-validation is pending and everything was injected."""
    with MemoryBank("What is known of it?", store=f"sqlite:///{tmp_path / 'bank.db'}", settings=VERIFY) as bank:
        bank.absorb(dispute[0])
        bank.absorb(dispute[1])
        bank.plan()
        injected(bank)
        yield bank


def test_nothing_tells_of_a_side_forgotten_while_its_verification_is_pending(disputed, tmp_path):
    assert disputed.insight.pending.type is TaskType.CROSS_VALIDATE
    disputed.forget("e2")

    left = everything(disputed, tmp_path)
    assert [secret for secret in SECRETS if secret in left] == []
    assert disputed.insight.pending.type is TaskType.NORMAL


def test_nothing_tells_of_a_side_forgotten_after_the_merge(disputed, dispute, tmp_path):
    disputed.absorb(dispute[2])
    disputed.plan()
    injected(disputed)
    disputed.forget("e2")

    left = everything(disputed, tmp_path)
    assert [secret for secret in SECRETS if secret in left] == []
    assert disputed.host.node("n1").id == disputed.host.node("n2").id == "n3"
    MemoryBank.load(disputed.export(tmp_path / "x.json")).close()


def test_a_forgotten_neighbour_is_in_no_unrelated_merge(tmp_path, dispute, result):
    with MemoryBank("What is known of it?", store=f"sqlite:///{tmp_path / 'bank.db'}", settings=VERIFY) as bank:
        neighbour = "Harbour Point 青屿海水淡化厂 lies north of Ystad. Ystad belongs to the <memory> municipality."
        bank.absorb(result(neighbour, "x"))
        for source in dispute:
            bank.absorb(source)
            bank.plan()
            injected(bank)
        assert bank.merges
        bank.forget("e1")

        left = everything(bank, tmp_path)
        assert [word for word in ("Ystad", "municipality") if word in left] == []
        bank.host.undo_merge("m1")
        assert [node.id for node in bank.nodes] == ["n2", "n3"]


def test_without_its_proof_a_merge_refutes_nothing(disputed, dispute):
    disputed.absorb(dispute[2])
    assert disputed.host.node("n1").refuted
    disputed.forget("e1")
    assert disputed.host.node("n1").refuted
    disputed.forget("e3")

    refuted = "12 MWh" if "12 MWh" in dispute[1].output else "5万吨"
    assert refuted in disputed.recall(dispute[1].output).text
    assert disputed.host.node("n2").refuted == ()


def test_a_merged_id_that_leads_nowhere_is_named_as_it_was_asked_for(disputed, dispute):
    disputed.absorb(dispute[2])
    for entry_id in ("e1", "e2", "e3"):
        disputed.forget(entry_id)

    with pytest.raises(UnknownId, match="n1"):
        disputed.host.node("n1")
    assert (disputed.merges, disputed.nodes) == ((), ())


def test_what_another_entry_says_too_stays(disputed, dispute):
    disputed.absorb(ToolResult(tool="read", output=dispute[1].output + " Lamps burn at the gate.", source="z"))
    disputed.forget("e2")

    assert any(secret in disputed.recall(dispute[1].output).text for secret in SECRETS)
    assert all(conflict.status is not ConflictStatus.RESOLVED for conflict in disputed.conflicts)


def test_a_merge_that_had_nothing_to_do_with_the_text_keeps_its_words_and_can_be_undone(bank, dispute, result):
    third = dispute[1].output.replace("12 MWh", "15 MWh").replace("5万吨", "6万吨")
    for source in (*dispute[:2], result(third, "z")):
        bank.absorb(source)
    bank.plan()
    bank.absorb(dispute[2])
    before = bank.conflicts[0]
    assert before.status is ConflictStatus.RESOLVED
    bank.forget("e3")

    assert bank.conflicts[0] == before
    bank.host.undo_merge("m1")
    assert bank.conflicts[0].description == before.description
    assert bank.plan().pending.conflict_id == before.id


@pytest.mark.parametrize("shown", ["e1", "[e1]", "E1", "1", "step 1", "[step 1]", "Step 1 · read", "第1步"])
def test_an_entry_is_named_as_pages_and_blocks_show_it(kept, shown):
    kept.forget(shown)
    assert [entry.forgotten for entry in kept.snapshot().entries] == [True, False]
