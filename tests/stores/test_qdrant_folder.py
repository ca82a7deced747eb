"""What only the embedded Qdrant can do: die between the points of one transaction, fill the disk, hold deleted text."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from amb_core.errors import InvalidParameter, StoreCorrupt, StoreError, StoreLocked
from amb_core.protocols import Record, RecordQuery, Scrubbing
from amb_vector_stores import QdrantStore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("qdrant_client") is None, reason="needs the qdrant extra"),  # a second to import
]

DIE_AT_WRITE = """
import os, sys
from pathlib import Path
from amb_vector_stores.point_changes import Changes
from amb_vector_stores.qdrant_engine import QdrantEngine
from amb_vector_stores.points import frame_of, point_id, record_payload
from amb_core.protocols import Record

class Dying(QdrantEngine):
    calls = 0
    def write(self, changes):
        self.calls += 1
        if self.calls == int(sys.argv[2]):
            os._exit(9)
        if self.calls == 3:  # the changes themselves: make the first one, then die
            changes = dict([next(iter(changes.items()))])
            super().write(changes)
            os._exit(9)
        super().write(changes)

engine = Dying(folder=Path(sys.argv[1]), collection="amb", timeout=5, synchronous="NORMAL")
changes = Changes(engine)
for place, id in enumerate(("a", "b", "c"), 10):
    frame = frame_of("record", "n", id)
    changes[point_id(frame)] = record_payload("record", Record("n", id, {}), {"v": id}, place=place, frame=frame)
old = point_id(frame_of("record", "n", "old"))
changes[old] = None
changes.commit()
"""

WRITE_UNTIL_KILLED = """
import sys
from amb_core.protocols import Record
from amb_vector_stores import QdrantStore
store = QdrantStore(sys.argv[1])
for number in range(10_000):
    with store.transaction():
        store.put([Record("n", f"{number}-{part}", {"v": number}) for part in range(3)])
        store.delete("n", [f"{number - 1}-0"])
    print(number, flush=True)
"""

FULL_DISK = """
import resource, sys
from amb_core.errors import StoreError
from amb_core.protocols import Record, RecordQuery
from amb_vector_stores import QdrantStore
store = QdrantStore(sys.argv[1])
store.put([Record("n", "before", {})])
failed = 0
for size in (20_000, 60_000, 100_000, 150_000, 300_000, 450_000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    try:
        store.put([Record("n", f"{size} {number}", {"text": "x" * 40_000}) for number in range(5)])
    except StoreError as error:
        failed += "free disk space" in str(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.put([Record("n", "after", {})])
ids = [record.id for record in store.search(RecordQuery("n"))]
print(failed >= 2, ids[0], ids[-1], (len(ids) - 2) % 5)
"""

HOLD = """
import sys
from amb_vector_stores import QdrantStore
from qdrant_client import QdrantClient
held = QdrantStore(sys.argv[1]) if sys.argv[2] == "amb" else QdrantClient(path=sys.argv[1])
print("held", flush=True)
sys.stdin.readline()
"""


@contextmanager
def opened(folder: Path, *, timeout: float = 5.0) -> Iterator[QdrantStore]:
    with closing(QdrantStore(folder, timeout=timeout)) as store:
        yield store


def ids(store: QdrantStore) -> list[str]:
    return [record.id for record in store.search(RecordQuery("n"))]


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)


def holding(folder: Path, text: str) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if text.encode() in path.read_bytes()]


def storage(folder: Path) -> Path:
    [file] = folder.glob("collection/*/storage.sqlite")
    return file


# --- killed processes -------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("write", "left"),
    [
        (2, ["old"]),
        (3, ["a", "b", "c"]),
        pytest.param(1, ["old"], marks=pytest.mark.nightly),
        pytest.param(4, ["a", "b", "c"], marks=pytest.mark.nightly),
    ],
)
def test_a_process_that_dies_at_any_write_of_a_transaction_leaves_all_or_nothing(
    tmp_path: Path, write: int, left: list[str]
) -> None:
    with opened(tmp_path / "memory") as store:
        store.put([Record("n", "old", {"v": 1})])
    assert run(DIE_AT_WRITE, tmp_path / "memory", write).returncode == 9
    for _ in range(2):
        with opened(tmp_path / "memory") as store:
            assert (ids(store), store.damaged("n"), store.count("n")) == (left, [], len(left))
    with closing(sqlite3.connect(storage(tmp_path / "memory"))) as database:
        assert database.execute("SELECT count(*) FROM points").fetchone() == (len(left),)


@pytest.mark.parametrize("lines", [4, *(pytest.param(lines, marks=pytest.mark.nightly) for lines in (1, 9, 17))])
def test_a_killed_process_loses_no_transaction_and_leaves_no_half(tmp_path: Path, lines: int) -> None:
    command = [sys.executable, "-c", WRITE_UNTIL_KILLED, tmp_path / "memory"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(lines)]
        process.kill()
    with opened(tmp_path / "memory") as store:
        found = ids(store)
    last = int(found[-1].partition("-")[0])
    assert last >= told[-1]
    assert found == [f"{n}-{part}" for n in range(last + 1) for part in range(3) if part or n == last]


def test_a_folder_whose_making_was_cut_off_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "meta.json").write_text("")
    with opened(tmp_path / "memory") as store:
        store.put([Record("n", "a", {})])
    (tmp_path / "memory" / "meta.json").write_text('{"collec')
    with pytest.raises(StoreCorrupt, match="restore the folder"):
        QdrantStore(tmp_path / "memory")


# --- full disks and locks ---------------------------------------------------------------------------------------------


def test_a_full_disk_is_a_store_error_and_what_was_committed_stays(tmp_path: Path) -> None:
    done = run(FULL_DISK, tmp_path / "memory")
    assert done.stdout == "True before after 0\n", done.stderr[-500:]
    with opened(tmp_path / "memory") as store:
        assert (ids(store)[0], ids(store)[-1], store.damaged("n")) == ("before", "after", [])


@pytest.mark.parametrize("holder", ["amb", pytest.param("another program", marks=pytest.mark.nightly)])
def test_a_second_process_is_refused_until_the_first_has_died(tmp_path: Path, holder: str) -> None:
    folder = tmp_path / "memory"
    with opened(folder) as store:
        store.put([Record("n", "a", {})])
    command = [sys.executable, "-c", HOLD, folder, holder]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(StoreLocked, match="close it there"):
            QdrantStore(folder)
        process.kill()
    with opened(folder) as store:
        assert ids(store) == ["a"]


def test_a_database_that_another_process_locks_is_store_locked(tmp_path: Path) -> None:
    with opened(tmp_path / "memory", timeout=1) as store:
        store.put([Record("n", "a", {})])
        with closing(sqlite3.connect(storage(tmp_path / "memory"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreLocked, match="try again in a moment"):
                store.put([Record("n", "b", {}), Record("n", "c", {})])
        assert ids(store) == ["a"]
        store.put([Record("n", "d", {})])
        assert ids(store) == ["a", "d"]


# --- damage -----------------------------------------------------------------------------------------------------------


def test_a_changed_letter_in_a_stored_text_is_noticed(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as store:
        store.put([Record("n", "a", {"text": "pay in EUR"}), Record("n", "b", {})])
    with closing(sqlite3.connect(storage(tmp_path / "memory"))) as database, database:
        for key, raw in database.execute("SELECT id, point FROM points").fetchall():
            changed = raw.replace(b"pay in EUR", b"pay in USD")
            database.execute("UPDATE points SET point = ? WHERE id = ?", (changed, key))
    with opened(tmp_path / "memory") as store:
        assert (ids(store), store.damaged("n")) == (["b"], ["a"])


def test_a_row_that_tells_nothing_is_set_aside_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(tmp_path / "memory") as store:
        store.put([Record("n", "a", {}), Record("n", "b", {})])
    with closing(sqlite3.connect(storage(tmp_path / "memory"))) as database, database:
        database.execute("UPDATE points SET point = x'00ff00' WHERE rowid = (SELECT min(rowid) FROM points)")
    with opened(tmp_path / "memory") as store:
        assert ids(store) == ["b"]
    assert "set aside in the table `unreadable`" in caplog.text


# --- deletion ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vacuum", [True, False])
@pytest.mark.parametrize("sentence", ["The code word is heliotrope.", "暗号是向日葵。"])
def test_deleted_text_is_in_no_file_after_scrubbing(tmp_path: Path, sentence: str, vacuum: bool) -> None:
    with opened(tmp_path / "memory") as store:
        for number in range(20):
            for text in (sentence, f"{sentence} again"):
                store.put([Record("n", f"r{number}", {"content": text})], keep_history=True)
        store.put([Record("n", "kept", {"text": "盐"})])
        assert holding(tmp_path, sentence) != []
        store.delete("n", [f"r{number}" for number in range(20)])
        assert isinstance(store, Scrubbing)
        store.scrub(vacuum=vacuum)
        assert holding(tmp_path, sentence) == []
        store.put([Record("n", "after", {})])
        assert ids(store) == ["kept", "after"]


def test_scrubbing_inside_a_transaction_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as store, store.transaction(), pytest.raises(StoreError, match="after it"):
        store.scrub()


# --- places -----------------------------------------------------------------------------------------------------------


def test_places_that_cannot_be_opened_are_store_errors(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="does not exist; create it"):
        QdrantStore(tmp_path / "missing" / "memory")
    with pytest.raises(StoreError, match="check the folder"):
        QdrantStore(tmp_path / "file")
    with pytest.raises(StoreCorrupt, match=r"notes\.txt"):
        QdrantStore(tmp_path / "other")
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("options", [{"synchronous": "OFF"}, {"timeout": 0}, {"collection": "a/b"}, {"page_size": 0}])
def test_options_out_of_range_are_refused_and_nothing_is_made(tmp_path: Path, options: dict[str, object]) -> None:
    with pytest.raises(InvalidParameter):
        QdrantStore(tmp_path / "memory", **options)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_commit_does_not_wait_for_the_disk_unless_it_is_told_to(tmp_path: Path) -> None:
    for synchronous, level in (("NORMAL", 1), ("FULL", 2)):
        with closing(QdrantStore(tmp_path / synchronous, synchronous=synchronous)) as store:  # type: ignore[arg-type]
            engine = store._engine
            assert engine is not None
            database = engine._client._client.collections["amb"].storage.storage  # type: ignore[attr-defined]
            modes = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
            assert modes == ["wal", level]
