"""Files that were damaged, cut off, removed or half copied: a typed error that says what to do, or the whole task."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from amb_bench.old_schema import make_old

from amb_core import InvalidInput, MemoryBank, StoreCorrupt, StoreError, ToolResult
from amb_core.memory.snapshots import damage
from amb_core.stores import SqliteStore
from amb_core.stores.sqlite_schema import backups

TEXTS = [f"The Harbour {n} battery holds {n * 7} MWh. 青屿{n}号水库的库容为{n * 9}万立方米。" for n in range(1, 13)]


def filled(url: str) -> None:
    with MemoryBank("What is known?", store=url) as bank:
        for number, text in enumerate(TEXTS):
            bank.absorb(ToolResult(tool="read", output=text, source=f"s{number}"))
        bank.close(keep=True)


@pytest.fixture(scope="module", params=["sqlite", "json"])
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp(request.param)
    filled(f"{request.param}:///{folder / 'bank'}")
    return request.param, folder


def copies(original: tuple[str, Path], into: Path, count: int) -> Iterator[tuple[str, Path, random.Random]]:
    """Copies of a filled bank: their URL, the largest file of each, and a source of chance."""
    scheme, folder = original
    for seed in range(count):
        place = into / f"copy-{seed}"
        shutil.copytree(folder, place)
        largest = max((path for path in place.rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
        yield f"{scheme}:///{place / 'bank'}", largest, random.Random(seed)


def refused(url: str) -> bool:
    """Whether using the bank raised an error of ours, as it may; otherwise it is whole, with its texts as they were."""
    try:
        with MemoryBank.resume(url) as bank:
            assert damage(bank.snapshot()) is None
            assert {entry.text for entry in bank.snapshot().entries} <= set(TEXTS)
            bank.recall("battery 库容")
            bank.absorb(ToolResult(tool="read", output="The new pier is 90 metres long."))
    except (StoreError, InvalidInput):
        return True
    return False


@pytest.mark.slow
def test_a_file_cut_off_anywhere_is_refused_or_opens_whole(original: tuple[str, Path], tmp_path: Path) -> None:
    for url, file, rng in copies(original, tmp_path, 12):
        content = file.read_bytes()
        file.write_bytes(content[: rng.randrange(len(content))])
        assert refused(url) in (True, False)


@pytest.mark.sampled(2)
@pytest.mark.slow
def test_a_damaged_page_or_line_is_refused_or_harmless(original: tuple[str, Path], tmp_path: Path) -> None:
    found = 0
    for url, file, rng in copies(original, tmp_path, 16):
        content = bytearray(file.read_bytes())
        start = rng.randrange(len(content) - 64)
        content[start : start + 64] = rng.randbytes(64)
        file.write_bytes(content)
        found += refused(url)
    assert found > 3


def test_an_id_that_is_no_text_is_a_damaged_store(tmp_path: Path) -> None:
    file = tmp_path / "bank"
    MemoryBank("What does the battery hold?", store=f"sqlite:///{file}").close()
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute("UPDATE records SET id = CAST(x'b1ff' AS TEXT) WHERE namespace LIKE '%insight'")
    with pytest.raises(StoreCorrupt, match="cannot be read"):
        MemoryBank.resume(f"sqlite:///{file}")


def test_a_record_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bank'}"
    filled(url)
    with closing(sqlite3.connect(tmp_path / "bank")) as connection, connection:
        connection.execute("UPDATE records SET data = '{\"half' WHERE namespace = 'task/node' AND id = 'n3'")
    with pytest.raises(StoreCorrupt, match="'n3' cannot be read; restore the file from a backup"):
        MemoryBank.resume(url)


def test_without_its_log_a_file_holds_the_task_up_to_its_last_checkpoint(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "bank")
    bank = MemoryBank("What is known?", store=store)
    bank.absorb(ToolResult(tool="read", output=TEXTS[0], source="s"))
    store.scrub()  # a checkpoint
    bank.absorb(ToolResult(tool="read", output=TEXTS[1], source="s"))
    shutil.copy(tmp_path / "bank", tmp_path / "copy")  # without the log beside it
    with MemoryBank.resume(f"sqlite:///{tmp_path / 'copy'}") as copy:
        assert [entry.text for entry in copy.snapshot().entries] == TEXTS[:1]
        assert damage(copy.snapshot()) is None
    store.close()


@pytest.mark.parametrize("text", [TEXTS[0], TEXTS[1]])
def test_forgetting_reaches_the_backup_of_a_migration(tmp_path: Path, text: str) -> None:
    url = f"sqlite:///{tmp_path / 'bank'}"
    filled(url)
    before = MemoryBank.resume(url)
    entry_id = next(entry.entry_id for entry in before.snapshot().entries if entry.text == text)
    before.close(keep=True)
    make_old(tmp_path / "bank")
    with MemoryBank.resume(url) as bank:
        assert backups(tmp_path / "bank")
        assert [entry.text for entry in bank.snapshot().entries] == TEXTS
        bank.forget(entry_id)
        left = [p.name for p in tmp_path.rglob("*") if p.is_file() and text[:24].encode() in p.read_bytes()]
        assert (left, backups(tmp_path / "bank")) == ([], [])


@pytest.mark.parametrize("scheme", ["sqlite", "json"])
def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path, scheme: str) -> None:
    (tmp_path / "file").write_text("mine")
    for place in ("missing/bank", "file/bank"):
        with pytest.raises(StoreError, match=r"create it|cannot be opened"):
            MemoryBank("Goal", store=f"{scheme}:///{tmp_path / place}")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
