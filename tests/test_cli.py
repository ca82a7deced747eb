import json
import subprocess
import sys

import pytest

from amb_cli import main
from amb_core import MemoryBank

FACTS = {
    "a.md": "# Report\n\nThe Greyfield plant has a daily output of 80,000 tonnes.",
    "b.html": "<html><body><h1>Visit</h1><p>The Greyfield plant uses reverse osmosis.</p></body></html>",
    "c.txt": "Gulls sit on the quay.",
}


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, text in FACTS.items():
        (folder / name).write_text(text)
    return folder


def test_run_answers_from_a_folder_and_writes_page_and_export(corpus, tmp_path, capsys):
    question = "What is the daily output of the Greyfield plant?"
    code = main(["run", question, "--corpus", str(corpus), "--out", str(tmp_path / "out")])

    assert code == 0
    told = capsys.readouterr().out
    assert "[a.md:3" in told
    assert "80,000 tonnes. ←" in told
    assert (tmp_path / "out" / "memory.html").read_text().startswith("<!DOCTYPE html>")
    assert json.loads((tmp_path / "out" / "memory.json").read_text())["format"] == "amb-task-memory"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "x", "--corpus", "no/such/folder"], "no/such/folder"),
        (["run", "  ", "--corpus", "."], "goal"),
        (["inspect", "none.json", "-o", "p.html"], "none.json"),
        (["export", "sqlite:///none.db", "m.json"], "none.db"),
        (["run", "x", "--corpus", ".", "--embedder", "magic"], "magic"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_1(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.txt").write_text("A note.")

    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_wrong_usage_is_exit_code_2(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["run"])
    assert caught.value.code == 2


def test_an_unreadable_file_in_a_folder_is_reported_and_skipped(corpus, tmp_path, capsys):
    (corpus / "broken.pdf").write_bytes(b"%PDF-1.4 torn")
    code = main(["run", "What does the plant use?", "--corpus", str(corpus), "--out", str(tmp_path / "out")])

    assert code == 0
    assert "skipped" in capsys.readouterr().err


def test_export_import_and_inspect_carry_a_memory_around(corpus, tmp_path, capsys):
    store, other = f"sqlite:///{tmp_path / 'one.db'}", f"sqlite:///{tmp_path / 'two.db'}"
    with MemoryBank("Goal", store=store) as bank:
        bank.read(FACTS["a.md"], source="a.md")
        before = bank.snapshot()
        bank.close(keep=True)

    assert main(["export", store, str(tmp_path / "m.json")]) == 0
    assert main(["import", str(tmp_path / "m.json"), other]) == 0
    assert main(["inspect", str(tmp_path / "m.json"), "-o", str(tmp_path / "page.html")]) == 0
    assert main(["inspect", str(tmp_path / "m.json")]) == 0
    assert (tmp_path / "m.html").read_bytes() == (tmp_path / "page.html").read_bytes()
    with MemoryBank.resume(other) as same:
        assert same.snapshot().nodes == before.nodes


def test_doctor_checks_the_installation(capsys):
    assert main(["doctor"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["doctor", "--verbose"]) == 0
    assert "SQLite round trip: a fact went in and came back" in capsys.readouterr().out


@pytest.mark.slow
def test_the_command_is_a_module_too():
    shown = subprocess.run([sys.executable, "-m", "amb_cli", "--help"], capture_output=True, text=True, check=True)

    assert "doctor" in shown.stdout
