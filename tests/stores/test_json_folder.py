"""What only a folder of JSON lines can do: be cut off anywhere, be rewritten, and hold on to deleted text."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from amb_core.errors import InvalidParameter, StoreCorrupt, StoreError, StoreLocked, StoreVersionError
from amb_core.protocols import Record, RecordQuery
from amb_core.stores import JsonFolderStore, open_store
from amb_core.stores.journal_lines import line

FULL_DISK = """
import resource, sys
from amb_core.errors import StoreError
from amb_core.protocols import Record, RecordQuery
from amb_core.stores import JsonFolderStore
store = JsonFolderStore(sys.argv[1])
store.put([Record("n", "before", {})])
for limit in range(100, 3_000, 57):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    for work in (lambda: store.put([Record("n", "x", {"text": "x" * 5_000})]), lambda: store.scrub()):
        try:
            work()
        except StoreError as error:
            assert "free disk space" in str(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.put([Record("n", "after", {})])
print([record.id for record in store.search(RecordQuery("n"))])
"""

HOLD = """
import sys
from amb_core.stores import JsonFolderStore
store = JsonFolderStore(sys.argv[1])
print("held", flush=True)
sys.stdin.readline()
"""


@contextmanager
def opened(folder: Path, **options: int) -> Iterator[JsonFolderStore]:
    with closing(JsonFolderStore(folder, **options)) as store:  # type: ignore[arg-type]
        yield store


def ids(store: JsonFolderStore) -> list[str]:
    return [record.id for record in store.search(RecordQuery("n"))]


def filled(folder: Path) -> list[Path]:
    """Three transactions: one record, two records, one deleted; returns the folder's journals."""
    with opened(folder) as store:
        store.put([Record("n", "a", {"text": "盐"})])
        store.put([Record("n", "b", {}), Record("n", "c", {})])
        store.delete("n", ["a"])
    return sorted(folder.glob("journal-*.jsonl"))


@pytest.mark.slow
def test_a_journal_cut_off_at_any_byte_holds_whole_transactions(tmp_path: Path) -> None:
    [journal] = filled(tmp_path / "memory")
    content = journal.read_bytes()
    seen = []
    for size in [*range(0, len(content), 5), len(content)]:
        journal.write_bytes(content[:size])
        with opened(tmp_path / "memory") as store:
            seen.append(ids(store))
            store.put([Record("n", "z", {})])
        with opened(tmp_path / "memory") as again:
            assert ids(again) == [*seen[-1], "z"]
    assert [state for i, state in enumerate(seen) if not i or state != seen[i - 1]] == [
        [],
        ["a"],
        ["a", "b", "c"],
        ["b", "c"],
    ]


def test_a_torn_end_is_dropped_and_told_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    [journal] = filled(tmp_path / "memory")
    with journal.open("ab") as file:
        file.write(b'{"crc":"00000000","put":["n","half')
    with opened(tmp_path / "memory") as store:
        assert ids(store) == ["b", "c"]
    assert "34 bytes of an unfinished write were dropped" in caplog.text
    assert b"half" not in journal.read_bytes()


@pytest.mark.parametrize("damage", [b'"delete":["n",["a"', b'"commit":2', b'"format":"amb'])
def test_a_damaged_line_in_the_middle_is_a_typed_error_that_names_it(tmp_path: Path, damage: bytes) -> None:
    [journal] = filled(tmp_path / "memory")
    with opened(tmp_path / "memory") as store:
        store.put([Record("n", "last", {})])
    journal.write_bytes(journal.read_bytes().replace(damage, damage[:-1] + b"\xff"))
    before = journal.read_bytes()
    with pytest.raises(StoreCorrupt, match=r"line \d|first line"):
        JsonFolderStore(tmp_path / "memory")
    assert journal.read_bytes() == before


def test_a_damaged_record_stays_damaged_when_the_folder_is_rewritten(tmp_path: Path) -> None:
    [journal] = filled(tmp_path / "memory")
    journal.write_bytes(journal.read_bytes().replace(b'"c",0.0', b'"c",0.7'))
    for _ in range(2):
        with opened(tmp_path / "memory") as store:
            assert (ids(store), store.damaged("n")) == (["b"], ["c"])
            store.scrub()


@pytest.mark.parametrize("sentence", ["The code word is heliotrope.", "暗号是向日葵。"])
def test_deleted_text_is_in_no_file_after_scrubbing(tmp_path: Path, sentence: str) -> None:
    with opened(tmp_path / "memory") as store:
        for number in range(20):
            store.put([Record("n", f"r{number}", {"text": sentence})], keep_history=True)
            store.put([Record("n", f"r{number}", {"text": f"{sentence} again"})], keep_history=True)
        store.put([Record("n", "kept", {"text": "盐"})])
        store.delete("n", [f"r{number}" for number in range(20)])
        store.scrub()
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert [path.name for path in files if sentence.encode() in path.read_bytes()] == []
    with opened(tmp_path / "memory") as again:
        assert ids(again) == ["kept"]


def test_a_journal_of_an_earlier_generation_is_void(tmp_path: Path) -> None:
    [journal] = filled(tmp_path / "memory")
    old = journal.read_bytes()
    with opened(tmp_path / "memory") as store:
        store.scrub()
        store.put([Record("n", "d", {})])
    journal.write_bytes(old)  # as if killed between the rename and the deletion
    (tmp_path / "memory" / "snapshot.jsonl.part").write_bytes(b"half")
    with opened(tmp_path / "memory") as store:
        assert ids(store) == ["b", "c", "d"]
    names = sorted(path.name for path in (tmp_path / "memory").iterdir())
    assert names == ["journal-1.jsonl", "lock", "snapshot.jsonl"]


def test_a_long_journal_is_compacted_by_itself(tmp_path: Path) -> None:
    with opened(tmp_path / "memory", compact_bytes=5_000) as store:
        for number in range(500):
            store.put([Record("n", "counter", {"v": number})])
            if number % 10 == 0:
                store.put([Record("n", f"r{number}", {"text": "x" * 10})])
    assert sum(path.stat().st_size for path in (tmp_path / "memory").iterdir()) < 25_000
    with opened(tmp_path / "memory") as again:
        assert (len(ids(again)), again.get("n", "counter")) == (51, Record("n", "counter", {"v": 499}))


# --- other processes, full disks, places that cannot be opened --------------------------------------------------------


@pytest.mark.slow
def test_a_second_process_is_refused_until_the_first_has_died(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreLocked, match="in use by another process"):
            JsonFolderStore(folder)
        holder.kill()
        holder.wait(timeout=20)
    with opened(folder) as store:
        store.put([Record("n", "a", {})])


def test_a_store_that_nobody_has_any_more_keeps_no_folder_locked(tmp_path: Path) -> None:
    """A signal that stops its opener just before it has a name leaves one; a store that somebody has stays locked."""
    gc.collect()
    gc.disable()  # it would be found by chance
    try:
        JsonFolderStore(tmp_path / "memory")
        with opened(tmp_path / "memory") as store:
            with pytest.raises(StoreLocked):
                JsonFolderStore(tmp_path / "memory")
            store.put([Record("n", "a", {})])
    finally:
        gc.enable()


@pytest.mark.slow
def test_a_full_disk_is_a_store_error_and_what_was_committed_stays(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / "memory")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "['before', 'after']\n"
    with opened(tmp_path / "memory") as store:
        assert ids(store) == ["before", "after"]


def test_a_newer_format_and_a_folder_of_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    newer, other = tmp_path / "newer", tmp_path / "other"
    [journal] = filled(newer)
    journal.write_bytes(line("format", "amb-journal", version=9, generation=0))
    with pytest.raises(StoreVersionError, match="upgrade AMB"):
        JsonFolderStore(newer)
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    with pytest.raises(StoreCorrupt, match=r"notes\.txt"):
        JsonFolderStore(other)
    assert [path.name for path in other.iterdir()] == ["notes.txt"]


def test_places_that_cannot_be_opened_are_store_errors(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StoreError, match="does not exist; create it"):
        JsonFolderStore(tmp_path / "missing" / "memory")
    with pytest.raises(StoreError, match="check the folder"):
        JsonFolderStore(tmp_path / "file")
    with pytest.raises(InvalidParameter, match="NORMAL"):
        open_store(f"json:///{tmp_path}/memory", synchronous="OFF")  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="json:///"):
        open_store("json://memory")


def test_a_snapshot_that_is_cut_off_is_corrupt(tmp_path: Path) -> None:
    filled(tmp_path / "memory")
    with opened(tmp_path / "memory") as store:
        store.scrub()
    snapshot = tmp_path / "memory" / "snapshot.jsonl"
    content = snapshot.read_bytes()
    for size in range(0, len(content), 7):
        snapshot.write_bytes(content[:size])
        with pytest.raises(StoreCorrupt, match="restore"):
            JsonFolderStore(tmp_path / "memory")
    shutil.rmtree(tmp_path / "memory")


def test_a_journal_with_links_of_an_earlier_amb_still_opens(tmp_path: Path) -> None:
    [journal] = filled(tmp_path / "memory")
    links = [line("link", ["n", "b", "c"], data={"reason": "same"}), line("unlink", ["n", "b", "c"]), line("commit", 2)]
    journal.write_bytes(journal.read_bytes() + b"".join(links))
    for _ in range(2):
        with opened(tmp_path / "memory") as store:
            assert ids(store) == ["b", "c"]
            store.scrub()
