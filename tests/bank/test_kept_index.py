"""What is kept beside a store makes opening quick and changes nothing else, whatever happened to the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from amb_core import MemoryBank, Settings, ToolResult
from amb_core.embedders import HashingEmbedder
from amb_core.errors import EmbedderMismatch, StoreCorrupt
from amb_core.models import BankSnapshot

KEPT = Settings(index_file_from=1)
TEXTS = [
    "Titanic is a 1997 film directed by James Cameron. It won eleven Academy Awards.",
    "James Cameron (born 16 August 1954) is a Canadian film director who lives in New Zealand.",
    "磷酸铁锂电池的循环寿命约为三千次。宁德时代于2021年发布了钠离子电池。",
    "Melanie: I ran a charity race last Sunday with Caroline.",
    "Caroline: That is great! Which charity was it for?",
    "Odd: \ud800 surrogates, NUL \0 and “quotes” stay what they are.",
    "The Oakridge plant stores 18 MWh in lithium iron phosphate cells built in 2021.",
]
QUERIES = ("Who directed Titanic?", "电池的循环寿命", "charity race", "Oakridge plant", "surrogates", "James Cameron")


def _absorb(bank: MemoryBank, texts: list[str], *, first: int = 0) -> None:
    for number, text in enumerate(texts, first):
        bank.absorb(ToolResult(tool="web", output=text, call_id=f"c{number}", source=f"page-{number}"))


def _seen(bank: MemoryBank) -> tuple[object, BankSnapshot]:
    return [[r.model_dump() for r in bank.recall(query).receipts] for query in QUERIES], bank.snapshot()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "task.db"


@pytest.fixture
def url(file: Path) -> str:
    return f"sqlite:///{file}"


def _index(file: Path) -> Path:
    return file.with_name("task.db.index")


def _closed(url: str, *, embedder: str | None = None, texts: list[str] = TEXTS) -> tuple[object, BankSnapshot]:
    bank = MemoryBank("Find things out", store=url, settings=KEPT, embedder=embedder)
    _absorb(bank, texts)
    bank.plan()
    seen = _seen(bank)
    bank.close(keep=True)
    return seen


def _resumed(url: str, **options: str) -> tuple[object, BankSnapshot]:
    bank = MemoryBank.resume(url, settings=KEPT, embedder=options.get("embedder"))
    seen = _seen(bank)
    bank.close(keep=True)
    return seen


@pytest.mark.parametrize("embedder", [None, "hashing"])
def test_a_reopened_bank_finds_the_same_with_the_same_scores(url: str, file: Path, embedder: str | None) -> None:
    before = _closed(url, embedder=embedder)
    assert _index(file).exists()
    assert _resumed(url, **({"embedder": embedder} if embedder else {})) == before


def test_it_goes_on_like_one_that_was_never_closed(url: str, tmp_path: Path) -> None:
    _closed(url, texts=TEXTS[:4])
    resumed = MemoryBank.resume(url, settings=KEPT)
    whole = MemoryBank("Find things out", store=f"sqlite:///{tmp_path / 'whole.db'}", settings=KEPT)
    _absorb(whole, TEXTS[:4])
    whole.plan()
    for bank in (resumed, whole):
        _absorb(bank, TEXTS[4:], first=4)
    again = resumed.absorb(ToolResult(tool="web", output=TEXTS[0], call_id="c0", source="page-0"))
    assert again.repeat_of == "e1"
    assert [n.summary for n in resumed.nodes] == [n.summary for n in whole.nodes]
    assert [n.links for n in resumed.nodes] == [n.links for n in whole.nodes]


def _torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def _flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _foreign(path: Path) -> None:
    path.write_text("something else")


@pytest.mark.parametrize("damage", [Path.unlink, _torn, _flipped, _foreign])
def test_a_missing_or_damaged_file_costs_time_only(url: str, file: Path, damage: Callable[[Path], None]) -> None:
    before = _closed(url)
    damage(_index(file))
    assert _resumed(url) == before
    assert _resumed(url) == before


def test_a_file_that_is_behind_its_store_is_caught_up(url: str, file: Path) -> None:
    _closed(url, texts=TEXTS[:4])
    old = _index(file).read_bytes()
    bank = MemoryBank.resume(url, settings=KEPT)
    _absorb(bank, TEXTS[4:], first=4)
    bank.plan()
    before = _seen(bank)
    bank.close(keep=True)
    _index(file).write_bytes(old)  # as a killed process leaves it
    assert _resumed(url) == before


def test_a_file_from_before_something_was_forgotten_is_not_used(url: str, file: Path) -> None:
    _closed(url)
    old = _index(file).read_bytes()
    bank = MemoryBank.resume(url, settings=KEPT)
    bank.forget("e7")
    bank.close(keep=True)
    _index(file).write_bytes(old)
    bank = MemoryBank.resume(url, settings=KEPT)
    assert not any("Oakridge" in node.summary for node in bank.nodes)
    assert "Oakridge" not in bank.recall("Oakridge plant").text


def test_a_row_changed_behind_its_back_is_noticed(url: str, file: Path) -> None:
    _closed(url)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE records SET data = '{\"id\": 3' WHERE id = 'n2'")
    connection.close()
    with pytest.raises(StoreCorrupt, match="n2"):
        MemoryBank.resume(url, settings=KEPT)


def test_a_store_with_another_embedder_is_still_refused(url: str) -> None:
    _closed(url, embedder="hashing")
    with pytest.raises(EmbedderMismatch):
        MemoryBank.resume(url, settings=KEPT)
    other = MemoryBank.resume(url, settings=KEPT, embedder=HashingEmbedder(dimension=64), re_embed=True)
    assert all(len(node.embedding or b"") == 4 * 64 for node in other.nodes)


def test_forgetting_leaves_no_word_in_any_file(url: str, file: Path) -> None:
    _closed(url)
    bank = MemoryBank.resume(url, settings=KEPT)
    bank.forget("e7")
    bank.close(keep=True)
    assert _index(file).exists()
    for found in file.parent.iterdir():
        content = found.read_bytes().lower()
        assert not any(word in content for word in (b"oakridge", b"oakridg", b"phosphat", b"mwh")), found


def test_ending_a_task_removes_it(url: str, file: Path) -> None:
    _closed(url)
    MemoryBank.resume(url, settings=KEPT).delete()
    assert not _index(file).exists()


def test_a_small_bank_keeps_none(url: str, file: Path) -> None:
    bank = MemoryBank("Find things out", store=url)
    _absorb(bank, TEXTS)
    bank.close(keep=True)
    assert not _index(file).exists()


def test_it_is_written_while_a_bank_grows_so_that_a_kill_loses_little_of_it(url: str, file: Path) -> None:
    bank = MemoryBank("Find things out", store=url, settings=KEPT)
    _absorb(bank, TEXTS)
    bank.plan()
    before = _seen(bank)
    copy = file.with_name("copy.db")  # what is on the disk now is what a killed process would leave
    for ending in ("", "-wal", ".index"):
        file.with_name(f"task.db{ending}").rename(file.with_name(f"copy.db{ending}"))
    assert _resumed(f"sqlite:///{copy}") == before


def test_a_full_disk_costs_the_file_and_nothing_else(url: str, file: Path) -> None:
    bank = MemoryBank("Find things out", store=url, settings=Settings(index_file_from=5))
    file.with_name("task.db.index.part").mkdir()  # nothing can be written under that name
    _absorb(bank, TEXTS)
    before = bank.snapshot()
    bank.close(keep=True)
    assert not _index(file).exists()
    assert MemoryBank.resume(url).snapshot() == before


def test_the_id_of_a_forgotten_call_is_in_no_file(url: str, file: Path) -> None:
    """One call brought two texts; the id stays until both are forgotten."""
    secret = "call-of-anna-kowalski"
    with MemoryBank("Find things out", store=url, settings=KEPT) as bank:
        _absorb(bank, TEXTS)
        for run, text in (("", "Anna has two cats."), ("", "Anna has a blue boat."), ("r2", "Anna sails to Oban.")):
            bank.absorb(ToolResult(tool="web", output=text, call_id=secret, run=run))
        for entry in bank.snapshot().entries[-3:]:
            bank.forget(entry.entry_id)
        bank.close(keep=True)
    assert _index(file).exists()
    assert not [found for found in file.parent.rglob("*") if secret.encode() in found.read_bytes()]
    with MemoryBank.resume(url) as bank:  # and a replay of the call stays forgotten
        known = bank.size.nodes
        bank.absorb(ToolResult(tool="web", output="Anna has two cats.", call_id=secret))
        assert bank.size.nodes == known
