import pytest

from amb_core import MemoryBank, UnknownId

SECRET = "The spare key of the boathouse lies under the third stone."


@pytest.fixture
def kept(tmp_path, result):
    """A bank on disk that knows a secret among other things."""
    with MemoryBank("Where is everything?", store=f"sqlite:///{tmp_path / 'bank.db'}") as bank:
        bank.absorb(result(SECRET, "a"))
        bank.absorb(result("The boathouse was painted red in 2019.", "b"))
        yield bank


def test_a_forgotten_text_is_in_no_block_node_or_export(kept, tmp_path):
    kept.log_injection(kept.enhance(query="boathouse key"), prompt_tokens=10, raw_tokens=10)
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
    assert bank.merges == ()


def test_an_unknown_entry_is_an_error_that_names_known_ones(kept):
    with pytest.raises(UnknownId, match="e1"):
        kept.forget("e99")
