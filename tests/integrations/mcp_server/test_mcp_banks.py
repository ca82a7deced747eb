"""Banks in a folder: shared by threads and servers, read anew when another has written, few of them open at once."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from amb_contracts.integration_story import fact, page, task
from amb_core import InvalidInput, InvalidParameter, MemoryBank, StoreError, ToolResult, UnknownId
from amb_core.install_command import install_command
from amb_mcp import BankFolder, GivenBanks


def _keep(banks: BankFolder, number: int, *, name: str = "default") -> None:
    with banks.working(name) as bank:
        bank.absorb(ToolResult(tool="read", arguments={"number": number}, output=page(number)))


def _texts(banks: BankFolder, name: str = "default") -> list[str]:
    with banks.working(name) as bank:
        return [entry.text for entry in bank.snapshot().results]


@pytest.mark.slow
def test_two_servers_take_turns_and_each_sees_what_the_other_did(tmp_path: Path) -> None:
    one, two = BankFolder(tmp_path), BankFolder(tmp_path)
    one.begin("default", goal=task())
    for number in range(6):
        _keep((one, two)[number % 2], number)
        assert _texts((two, one)[number % 2]) == [page(n) for n in range(number + 1)]


def test_a_bank_is_opened_once_while_everybody_only_reads(tmp_path: Path) -> None:
    one, two = BankFolder(tmp_path), BankFolder(tmp_path)
    one.begin("default", goal=task())
    _keep(one, 0)
    seen: list[MemoryBank] = []
    for banks in (one, two) * 4:
        with banks.working("default") as bank:
            assert fact(0) in bank.recall(fact(0)).text
            seen.append(bank)
    assert len(set(map(id, seen[2:]))) == 2


def test_after_an_error_of_the_store_the_next_call_begins_with_what_is_stored(tmp_path: Path) -> None:
    banks = BankFolder(tmp_path)
    banks.begin("default", goal=task())
    _keep(banks, 0)
    with pytest.raises(StoreError, match="disk"), banks.working("default"):
        raise StoreError("the disk is gone")
    assert _texts(banks) == [page(0)]


def test_a_bank_that_was_removed_is_gone_and_can_be_begun_again(tmp_path: Path) -> None:
    banks = BankFolder(tmp_path)
    banks.begin("default", goal=task())
    for file in sorted((tmp_path / "default").iterdir()):
        file.unlink()
    with pytest.raises(UnknownId), banks.working("default"):
        pass
    banks.begin("default", goal="Another one.")
    with banks.working("default") as bank:
        assert bank.insight.task_goal == "Another one."


@pytest.mark.slow
def test_only_some_banks_stay_open(tmp_path: Path) -> None:
    banks = BankFolder(tmp_path)
    opened = []
    for number in range(20):
        banks.begin(f"b{number}", goal=task())
        with banks.working(f"b{number}") as bank:
            opened.append(bank)
    assert [bank.closed for bank in opened] == [True] * 4 + [False] * 16
    _keep(banks, 0, name="b0")
    banks.close()
    assert all(bank.closed for bank in opened)


def test_there_is_a_most_to_the_number_of_banks(tmp_path: Path) -> None:
    banks = BankFolder(tmp_path, most=2)
    banks.begin("a", goal="g")
    banks.begin("b", goal="g")
    with pytest.raises(InvalidInput, match="2 banks"):
        banks.begin("c", goal="g")
    assert banks.names == ("a", "b")


@pytest.mark.skipif(os.name == "nt", reason="modes of folders are POSIX")
def test_the_folder_is_for_its_owner_only(tmp_path: Path) -> None:
    banks = BankFolder(tmp_path / "banks")
    banks.begin("a", goal="g")
    modes = [stat.S_IMODE(folder.stat().st_mode) for folder in (banks.folder, banks.folder / "a")]
    assert modes == [0o700, 0o700]


def test_banks_that_are_open_here_are_served_as_they_are() -> None:
    with MemoryBank(task()) as bank:
        banks = GivenBanks({"mine": bank})
        with banks.working("mine") as served:
            assert served is bank
        with pytest.raises(UnknownId), banks.working("yours"):
            pass
        with pytest.raises(InvalidInput, match="mine"):
            banks.begin("new", goal="g")
        banks.close()
        assert not bank.closed
    with pytest.raises(InvalidParameter):
        GivenBanks({"Mine": bank})


@pytest.mark.slow
def test_nothing_of_the_sdk_is_needed_for_banks_and_the_rest_says_what_to_install() -> None:
    names = ("memory_server", "attach", "detach", "memory_tools", "serve_http", "serve_stdio")
    code = (
        "import sys; sys.modules.update(mcp=None, uvicorn=None)\nimport amb_mcp; amb_mcp.BankFolder\n"
        "from amb_core import MissingExtra\n"
        "for name in sys.argv[1:]:\n try: getattr(amb_mcp, name)\n"
        " except MissingExtra as error: print(name, error, sep=': ')\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True)
    says = f"The MCP SDK is not installed. Run: {install_command('mcp')}"
    assert (ran.stdout.splitlines(), ran.stderr) == ([f"{name}: {says}" for name in names], "")
