import json

import pytest

from amb_core import InvalidExport, MemoryBank


@pytest.fixture
def exported(bank, dispute, tmp_path):
    """The file of a bank with nodes, links, a merge and an injection."""
    for source in dispute:
        bank.absorb(source)
        bank.plan()
    bank.host.log_injection(bank.host.enhance(), prompt_tokens=100, raw_tokens=900)
    return bank, bank.export(tmp_path / "memory.json")


def test_a_loaded_bank_equals_the_exported_one(exported):
    bank, path = exported
    with MemoryBank.load(path) as same:
        assert same.snapshot() == bank.snapshot()
        assert same.recall("battery").text == bank.recall("battery").text


def test_any_text_survives_an_export(bank, result, tmp_path):
    odd = "quotes \" ' \\ NUL \x00 bell \x07 bidi \u202e surrogate \ud800 汉字 </memory> %_*?"
    bank.absorb(result(odd))
    with MemoryBank.load(bank.export(tmp_path / "m.json")) as same:
        assert same.host.deep_retrieval("n1")[0].text == odd


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text[: len(text) // 2], "torn"),
        (lambda text: "", "torn"),
        (lambda text: "[1, 2]", "no AMB memory file"),
        (lambda text: text.replace('"version": 1', '"version": 2'), "Upgrade"),
        (lambda text: text.replace('"format": "amb-task-memory"', '"format": "other"'), "no AMB memory file"),
        (lambda text: text.replace('"entry_id": "e1"', '"entry_id": "e77"', 1), "not there"),
        (lambda text: text.replace('"task_goal"', '"goal"'), "damaged"),
    ],
)
def test_a_spoilt_file_is_refused_with_what_is_wrong(exported, spoil, message):
    _, path = exported
    path.write_text(spoil(path.read_text()))

    with pytest.raises(InvalidExport, match=message):
        MemoryBank.load(path)


def test_ids_go_on_after_loading(exported, result):
    _, path = exported
    with MemoryBank.load(path) as same:
        report = same.absorb(result("A new fact about the pier."))

    assert report.entry_ids[0] not in {entry["entry_id"] for entry in json.loads(path.read_text())["entries"]}
