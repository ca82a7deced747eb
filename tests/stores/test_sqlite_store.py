"""What only a SQLite file can do: be locked, old, new, foreign, full, or hold on to deleted text."""

from __future__ import annotations

import ast
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from amb_core.errors import InvalidParameter, StoreCorrupt, StoreError, StoreLocked, StoreVersionError
from amb_core.protocols import Record, RecordQuery
from amb_core.stores import SqliteStore, open_store
from amb_core.stores.sqlite_schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION, enter_wal


@contextmanager
def opened(path: Path, *, busy_timeout: float = 5.0) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path, busy_timeout=busy_timeout)) as store:
        yield store


def ids(store: SqliteStore) -> list[str]:
    return [record.id for record in store.search(RecordQuery("n"))]


@contextmanager
def other_process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A Python process running `code`; it is let go by a line on its standard input."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.communicate(timeout=30)
        assert process.returncode == 0


HOLD_WRITE_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.readline()
connection.execute("ROLLBACK")
"""

FILL_UNTIL_FULL = """
import resource, sys
from amb_core.errors import StoreError
from amb_core.protocols import Record
from amb_core.stores import SqliteStore
store = SqliteStore(sys.argv[1])
store.put([Record("n", "before", {})])
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
try:
    with store.transaction():
        for number in range(100):
            store.put([Record("n", str(number), {"text": "x" * 50_000})])
except StoreError as error:
    print("free disk space" in str(error), flush=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.put([Record("n", "after", {})])
store.close()
"""

GO_ON_AFTER_A_FULL_DISK = """
import resource, sys
from amb_core.errors import StoreError
from amb_core.protocols import Record
from amb_core.stores import SqliteStore
store = SqliteStore(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
try:
    with store.transaction():
        try:
            store.put([Record("n", str(number), {"text": "x" * 50_000}) for number in range(100)])
        except StoreError:
            pass
        store.put([Record("n", "half of it", {})])
except StoreError as error:
    print("start it again" in str(error), flush=True)
store.close()
"""

OPEN_AND_WRITE = """
import sys
from amb_core.protocols import Record
from amb_core.stores import SqliteStore
sys.stdin.readline()
store = SqliteStore(sys.argv[1])
for number in range(20):
    store.put([Record("n", f"{sys.argv[2]}-{number}", {})])
store.close()
"""

KILLED_AFTER_COMMIT = """
import os, signal, sys
from amb_core.protocols import Record
from amb_core.stores import SqliteStore
store = SqliteStore(sys.argv[1])
store.put([Record("n", "committed", {})])
with store.transaction():
    store.put([Record("n", "not committed", {})])
    os.kill(os.getpid(), signal.SIGKILL)
"""


# --- other processes --------------------------------------------------------------------------------------------------


def test_a_writer_held_up_by_another_process_raises_store_locked(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, busy_timeout=0.05) as store, other_process(HOLD_WRITE_LOCK, path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(StoreLocked, match="another process"):
            store.put([Record("n", "r1", {})])
        assert ids(store) == []  # reading goes on
        process.communicate("go\n", timeout=30)
        store.put([Record("n", "r1", {})])
        assert ids(store) == ["r1"]


def test_a_writer_waits_for_a_short_lock(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, busy_timeout=30) as store, other_process(HOLD_WRITE_LOCK, path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        store.put([Record("n", "r1", {})])
        assert ids(store) == ["r1"]


@pytest.mark.slow
def test_processes_may_create_and_fill_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    processes = [
        subprocess.Popen([sys.executable, "-c", OPEN_AND_WRITE, path, str(number)], stdin=subprocess.PIPE, text=True)
        for number in range(3)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.close()
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    with opened(path) as store:
        assert len(ids(store)) == 60


@pytest.mark.slow
def test_a_killed_process_loses_nothing_it_committed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    subprocess.run([sys.executable, "-c", KILLED_AFTER_COMMIT, path], check=False, timeout=30)
    with opened(path) as store:
        assert ids(store) == ["committed"]


# --- full disks -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_full_disk_is_a_store_error_and_what_was_committed_stays(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    command = [sys.executable, "-c", FILL_UNTIL_FULL, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n"
    with opened(path) as store:
        assert ids(store) == ["before", "after"]


@pytest.mark.slow
def test_a_block_that_swallows_a_full_disk_commits_no_half(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    command = [sys.executable, "-c", GO_ON_AFTER_A_FULL_DISK, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n"
    with opened(path) as store:
        assert ids(store) == []


# --- schemas ----------------------------------------------------------------------------------------------------------


def older_file(path: Path, version: int) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in (statement for group in MIGRATIONS[:version] for statement in group):
            connection.execute(statement)
        connection.execute("INSERT INTO records VALUES (1, 'n', 'old', '{\"v\":1}', 0, 0, NULL)")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_an_older_schema_is_migrated_after_a_backup(tmp_path: Path, version: int) -> None:
    path = tmp_path / "memory.db"
    older_file(path, version)
    with opened(path) as store:
        store.put([Record("n", "old", {"v": 2})], keep_history=True)
        assert [record.data for record in store.history("n", "old")] == [{"v": 1}]
    backup = tmp_path / f"memory.db.schema-{version}.bak"
    with closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (version,)
        assert connection.execute("SELECT id, data FROM records").fetchall() == [("old", '{"v":1}')]


def test_a_file_whose_table_of_links_is_filled_still_opens(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    older_file(path, SCHEMA_VERSION)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO links VALUES (1, 'n', 'old', 'other', '{}')")
    with opened(path) as store:
        assert ids(store) == ["old"]
        assert store.delete("n", ["old"]) == 1


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    older_file(path, SCHEMA_VERSION)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreVersionError, match="upgrade AMB"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_another_program_s_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE records (x)")
    before = path.read_bytes()
    with pytest.raises(StoreCorrupt, match="another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


# --- places that cannot be opened -------------------------------------------------------------------------------------


def test_a_file_that_is_no_database_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, not a database\n" * 50)
    with pytest.raises(StoreCorrupt, match=r"notes\.txt"):
        SqliteStore(path)


def test_a_file_damaged_in_the_middle_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path) as store:
        store.put([Record("n", f"r{number}", {"text": "x" * 3_000}) for number in range(50)])
        store.scrub()
    content = bytearray(path.read_bytes())
    content[4_096:] = b"\xff" * (len(content) - 4_096)
    path.write_bytes(content)
    with opened(path) as store, pytest.raises(StoreCorrupt):
        store.search(RecordQuery("n"))


def test_a_missing_folder_and_a_folder_as_file_are_store_errors(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist; create it"):
        SqliteStore(tmp_path / "missing" / "memory.db")
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(tmp_path)


@pytest.mark.parametrize(
    "url", ["", "memory", "memory://x", "sqlite://x.db", "sqlite:///", "sqlite:///:memory:", "redis:///x", "a\0b"]
)
def test_an_unknown_url_names_the_known_ones(url: str) -> None:
    with pytest.raises(InvalidParameter, match=r"names no store.*(sqlite:///relative/path|memory:// has no place)"):
        open_store(url)


def test_an_unknown_synchronous_setting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="NORMAL"):
        open_store(f"sqlite:///{tmp_path}/memory.db", synchronous="OFF")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


# --- deletion ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vacuum", [True, False])
@pytest.mark.parametrize("sentence", ["The code word is heliotrope.", "暗号是向日葵。"])
def test_deleted_text_is_in_no_file_after_scrubbing(tmp_path: Path, sentence: str, vacuum: bool) -> None:
    older_file(tmp_path / "memory.db", 1)
    with opened(tmp_path / "memory.db") as store:
        for number in range(60):
            store.put([Record("n", f"r{number}", {"text": f"{sentence} {'x' * 200 * number}"})], keep_history=True)
            store.put([Record("n", f"r{number}", {"text": f"{sentence} again"})], keep_history=True)
        store.delete("n", [f"r{number}" for number in range(60)])
        store.scrub(vacuum=vacuum)
        assert [path.name for path in sorted(tmp_path.iterdir()) if sentence.encode() in path.read_bytes()] == []
        assert list(tmp_path.glob("*.bak")) == []  # a backup would still hold what it held
        assert ids(store) == ["old"]


@pytest.mark.slow
@pytest.mark.parametrize("deleted", [300, pytest.param(30, marks=pytest.mark.nightly)])
def test_no_deleted_text_is_left_where_pages_were_split_or_joined(tmp_path: Path, deleted: int) -> None:
    numbers = random.Random(5)

    def text(key: int) -> dict[str, str]:
        return {"text": f"secret {key:04d}! {'x' * numbers.randint(20, 2_500)}"}

    with opened(tmp_path / "memory.db") as store:
        for key in [*range(1_500), *numbers.choices(range(1_500), k=1_500)]:
            store.put([Record("n", f"r{key}", text(key))], keep_history=numbers.random() < 0.5)
        keys = numbers.sample(range(1_500), 600)
        left = 0
        for start in range(0, 600, deleted):
            gone = keys[start : start + deleted]
            store.delete("n", [f"r{key}" for key in gone])
            left += sum(left_in(tmp_path / "memory.db", gone))
            store.scrub(vacuum=False)
        assert left > 0  # else this would be no test of scrubbing
        assert not any(left_in(tmp_path / "memory.db", keys))
        assert store.count("n") == 900


def left_in(path: Path, keys: list[int]) -> list[bool]:
    """Which of these texts the file holds; read by a process of its own, as a second reader takes SQLite's locks."""
    code = "import sys; data = open(sys.argv[1], 'rb').read(); print([k.encode() in data for k in sys.argv[2:]])"
    command = [sys.executable, "-c", code, str(path), *(f"secret {key:04d}!" for key in keys)]
    return list(ast.literal_eval(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def test_scrubbing_inside_a_transaction_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path / "memory.db") as store, store.transaction(), pytest.raises(StoreError, match="after it"):
        store.scrub()


# --- the write-ahead log ----------------------------------------------------------------------------------------------

WRITE_AND_DIE = """
import os, sys
from amb_core.protocols import Record
from amb_core.stores import SqliteStore
store = SqliteStore(sys.argv[1])
store.put([Record("n", "last", {})])
if sys.argv[2] == "killed":
    os._exit(9)
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["killed", "not closed"])
def test_a_file_that_lost_its_log_says_so_and_one_that_has_it_does_not(how, tmp_path, caplog):
    path, lonely = tmp_path / "task.db", tmp_path / "lonely.db"
    subprocess.run([sys.executable, "-c", WRITE_AND_DIE, path, how], check=False)
    lonely.write_bytes(path.read_bytes())
    with opened(path) as store:
        assert ids(store) == ["last"]
    assert not caplog.records
    with opened(lonely) as store:
        assert ids(store) == ([] if how == "killed" else ["last"])
    assert [record.name for record in caplog.records] == (["amb.stores"] if how == "killed" else [])
    assert all("lonely.db-wal is not beside it" in record.message for record in caplog.records)


def test_a_copy_of_a_closed_file_is_whole_whoever_closed_it_last(tmp_path, caplog):
    path = tmp_path / "task.db"
    with opened(path) as first:
        with opened(path) as second:
            second.put([Record("n", "a", {})])
        first.put([Record("n", "b", {})])
    assert [file.name for file in tmp_path.iterdir()] == ["task.db"]
    with opened(path) as store:
        assert ids(store) == ["a", "b"]
    assert not caplog.records


def test_a_file_system_without_a_log_says_so(tmp_path, caplog):
    """The dot-file locks of SQLite are such a system: they share no memory."""
    path = tmp_path / "task.db"
    with closing(sqlite3.connect(f"file:{path}?vfs=unix-dotfile", uri=True)) as connection:
        connection.text_factory = bytes
        assert not enter_wal(connection, path, busy_timeout=0.1)
    assert "without a write-ahead log" in caplog.text


def test_a_block_that_was_kept_within_another_one_has_nothing_left_to_undo(tmp_path: Path) -> None:
    """A stop just behind its end undoes it once more: it stays, and so do the blocks around it."""
    with closing(SqliteStore(tmp_path / "task.db")) as store:
        with store.transaction(), store.transaction():
            store.put([Record("m", "outer", {})])
            begun = store.begin_block()
            store.put([Record("m", "inner", {})])
            store.keep_block(begun)
            store.undo_block(begun)
        assert {record.id for record in store.search(RecordQuery("m"))} == {"outer", "inner"}
