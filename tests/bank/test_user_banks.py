"""Banks: a durable bank for each user and thread, however they are called and whoever comes at once."""

from __future__ import annotations

import gc
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from amb_core import Banks, InvalidParameter, ManualClock, MemoryBank, Scope, Settings, StoreLocked, ToolResult

DAY = 86_400.0


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/banks/"


def _say(bank: MemoryBank, text: str) -> None:
    bank.absorb(ToolResult(tool="read", output=text, call_id=text[:40]))


def _texts(bank: MemoryBank) -> list[str]:
    return [entry.text for entry in bank.snapshot().entries]


def _open_files(tmp_path: Path) -> list[str]:
    links = (link for link in Path("/proc/self/fd").iterdir() if link.is_symlink())
    targets = [str(link.readlink()) for link in links if link.exists()]
    return sorted(name for name in targets if name.startswith(str(tmp_path)) and name.endswith("memory.db"))


def test_each_user_and_thread_has_a_bank_of_its_own(url: str) -> None:
    banks = Banks(url)
    scopes = [Scope("ann", "1"), Scope("ann", "2"), Scope("ben", "1"), Scope("ann"), Scope(thread="1")]
    for number, scope in enumerate(scopes):
        _say(banks(scope), f"The quay of Lyness is {number} metres long.")
    assert [_texts(banks(scope)) for scope in scopes] == [
        [f"The quay of Lyness is {number} metres long."] for number in range(5)
    ]
    assert [banks(scope).host.scope for scope in scopes] == scopes


def test_nobody_has_no_bank(url: str) -> None:
    with pytest.raises(InvalidParameter, match="user_id or thread_id"):
        Banks(url)(Scope())
    with pytest.raises(InvalidParameter, match="whose memory is to be deleted"):
        Banks(url).delete(user=None)


@pytest.mark.parametrize("bad", ["qdrant:///folder", "memory://", "json:///folder", "folder", "sqlite:///", ""])
def test_another_kind_of_url_is_told_what_to_do(bad: str) -> None:
    with pytest.raises(InvalidParameter, match="write the function yourself"):
        Banks(bad)


def test_a_bank_that_nobody_holds_is_closed_by_age_and_opened_again_as_it_was(url: str, tmp_path: Path) -> None:
    clock = ManualClock(1e9)
    banks = Banks(url, clock=clock, idle_seconds=60)
    _say(banks(Scope("ann")), "The quay of Lyness is 80 metres long.")
    held = banks(Scope("ben"))
    gc.collect()
    clock.advance(61)
    banks(Scope("eve"))
    assert len(_open_files(tmp_path)) == 2, "eve's and the one that is held"
    assert not held.closed
    assert _texts(banks(Scope("ann"))) == ["The quay of Lyness is 80 metres long."]


def test_a_bank_that_its_user_closed_is_opened_again(url: str) -> None:
    banks = Banks(url)
    with banks(Scope("ann")) as bank:
        _say(bank, "The quay of Lyness is 80 metres long.")
    assert bank.closed
    assert _texts(banks(Scope("ann"))) == ["The quay of Lyness is 80 metres long."]
    banks(Scope("ann")).delete()
    assert _texts(banks(Scope("ann"))) == []


@pytest.mark.slow
def test_sixteen_threads_open_each_file_once(url: str, tmp_path: Path) -> None:
    banks = Banks(url, most_open=1)

    def work(number: int) -> None:
        scope = Scope(f"user {number % 3}")
        for turn in range(4):
            _say(banks(scope), f"Remark {turn} of thread {number} of {scope.user}: the fog horn was silent.")

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(16)))
    for user in range(3):
        texts = _texts(banks(Scope(f"user {user}")))
        assert len(texts) == 4 * len(range(user, 16, 3))
        assert all(f"of user {user}:" in text for text in texts)


def test_deleting_a_user_leaves_nothing(url: str, tmp_path: Path) -> None:
    banks = Banks(url)
    ann = banks(Scope("ann", "1"))
    _say(ann, "The quay of Lyness is 80 metres long.")
    _say(banks(Scope("ann", "2")), "The quay of Lyness is 90 metres long.")
    _say(banks(Scope("ben", "1")), "The quay of Scapa is 70 metres long.")
    receipt = banks.delete(user="ann")
    assert (receipt.banks, receipt.bytes_left, receipt.bytes > 0) == (2, 0, True)
    assert ann.closed
    assert len(list(tmp_path.rglob("memory.db"))) == 1
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and b"Lyness" in file.read_bytes()]
    assert _texts(banks(Scope("ann", "1"))) == []
    assert _texts(banks(Scope("ben", "1"))) == ["The quay of Scapa is 70 metres long."]


def test_deleting_a_thread_leaves_the_others(url: str) -> None:
    banks = Banks(url)
    for thread in ("1", "2"):
        _say(banks(Scope("ann", thread)), f"The quay of Lyness is 8{thread} metres long.")
    assert banks.delete(user="ann", thread="1").banks == 1
    assert banks.delete(user="ann", thread="1").banks == 0
    assert [len(_texts(banks(Scope("ann", thread)))) for thread in ("1", "2")] == [0, 1]


@pytest.mark.slow
def test_deleting_at_work_ends_in_nothing_or_in_a_new_bank(url: str) -> None:
    banks = Banks(url)

    def come(number: int) -> None:
        banks(Scope("ann", str(number % 4)))

    with ThreadPoolExecutor(8) as pool:
        came = [pool.submit(come, number) for number in range(40)]
        deleted = [pool.submit(lambda: banks.delete(user="ann")) for _ in range(10)]
    assert [each.exception() for each in came] == [None] * 40
    assert [each.exception() for each in deleted] == [None] * 10
    banks.delete(user="ann")
    assert not list(banks.folder.iterdir())


def test_what_a_crash_left_of_a_deletion_is_removed_at_the_next_opening(url: str) -> None:
    banks = Banks(url)
    _say(banks(Scope("ann")), "The quay of Lyness is 80 metres long.")
    banks.close()
    (folder,) = banks.folder.iterdir()
    folder.rename(banks.folder / ".deleted-0")  # the moment between renaming and removing
    Banks(url)
    assert not list(banks.folder.iterdir())


@pytest.mark.slow
def test_what_nobody_asked_for_in_so_many_days_is_deleted(url: str) -> None:
    clock = ManualClock(1e9)
    banks = Banks(url, clock=clock, keep_days=30)
    _say(banks(Scope("ann")), "The quay of Lyness is 80 metres long.")
    clock.advance(20 * DAY)
    _say(banks(Scope("ben")), "The quay of Scapa is 70 metres long.")
    gc.collect()
    clock.advance(20 * DAY)
    banks(Scope("eve"))
    banks.close()
    later = Banks(url, clock=clock, keep_days=30)
    assert [len(_texts(later(Scope(name)))) for name in ("ann", "ben")] == [0, 1]


@pytest.mark.slow
def test_another_process_does_not_open_or_delete_what_is_open(url: str) -> None:
    banks = Banks(url)
    held = banks(Scope("ann"))
    code = "import sys; from amb_core import Banks, Scope; Banks(sys.argv[1])(Scope('ann'))"
    ran = subprocess.run([sys.executable, "-c", code, url], capture_output=True, text=True, check=False)
    assert StoreLocked.__name__ in ran.stderr
    assert not held.closed


def test_settings_and_goal_are_for_every_bank(url: str) -> None:
    banks = Banks(url, goal="Help the sailor.", settings=Settings(prompt_budget_tokens=9_000))
    assert banks(Scope("ann")).insight.task_goal == "Help the sailor."
    assert banks(Scope("ben")).settings.prompt_budget_tokens == 9_000
    with pytest.raises(InvalidParameter, match="storage_dir"):
        Banks(url, settings=Settings(storage_dir=Path("files")))
