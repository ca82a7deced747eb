"""Banks are closed and opened behind those who hold them: few are open, none at work is closed, none is mixed."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from amb_bench.stops import lines_of, stopped_at

from amb_core import BankClosed, Banks, ContextAdapter, MemoryBank, Scope, StepResult, StoreGone, ToolResult

QUAY = "The quay of Lyness is {} metres long."


@pytest.fixture
def banks(tmp_path: Path) -> Iterator[Banks]:
    """Banks of which two are open at once, in a process whose cycles nobody collects."""
    gc.disable()
    made = Banks(f"sqlite:///{tmp_path}/banks/", most_open=2)
    yield made
    made.close()
    gc.enable()


def say(bank: MemoryBank, number: int, *, wait: bool = True) -> None:
    bank.absorb(ToolResult(tool="read", output=QUAY.format(number), call_id=f"call {number}"), wait=wait)


def texts(bank: MemoryBank) -> list[str]:
    return [entry.text for entry in bank.snapshot().results]


def open_files(tmp_path: Path) -> int:
    links = (link for link in Path("/proc/self/fd").iterdir() if link.is_symlink())
    targets = [str(link.readlink()) for link in links if link.exists()]
    return sum(name.startswith(str(tmp_path)) and name.endswith("memory.db") for name in targets)


def others(banks: Banks, count: int = 3) -> list[MemoryBank]:
    """Have so many other banks used, so that what may be put aside is."""
    made = [banks(Scope(f"other {number}")) for number in range(count)]
    for bank in made:
        say(bank, 0)
    return made


def test_however_many_are_held_few_are_open_and_each_keeps_its_own(banks, tmp_path):
    adapters = [ContextAdapter(banks, scope=Scope(f"user {number}")) for number in range(9)]
    for turn in range(2):
        for number, adapter in enumerate(adapters):
            call = {"id": f"c{turn}", "type": "function", "function": {"name": "read", "arguments": f'{{"n": {turn}}}'}}
            messages = [
                {"role": "user", "content": "How long is it?"},
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": f"c{turn}", "content": QUAY.format(100 * number + turn)},
            ]
            adapter.next_request(messages)
            assert open_files(tmp_path) <= 2
    for number, adapter in enumerate(adapters):
        assert not adapter.failures
        assert texts(adapter.bank) == [QUAY.format(100 * number + turn) for turn in range(2)]
        assert not adapter.bank.closed


def test_adapters_that_were_let_go_keep_no_file_open(banks, tmp_path):
    for number in range(9):
        ContextAdapter(banks, scope=Scope(f"user {number}")).absorb([ToolResult(tool="read", output=QUAY.format(1))])
    assert open_files(tmp_path) <= 2


def test_a_bank_in_a_call_or_a_step_is_not_put_aside(banks, tmp_path):
    at_work, in_a_step = banks(Scope("ann")), banks(Scope("ben"))
    in_a_step.host.begin_step()
    with at_work.host.metered():
        others(banks)
        assert open_files(tmp_path) == 3
    result = ToolResult(tool="read", output=QUAY.format(7))
    in_a_step.host.finish_step(StepResult(tool_results=(result,)))
    assert texts(in_a_step) == [QUAY.format(7)]
    others(banks)
    assert open_files(tmp_path) <= 2


@pytest.mark.nightly
def test_a_call_that_was_stopped_at_any_line_keeps_its_bank_open_no_longer(banks, tmp_path):
    ann = banks(Scope("ann"))
    lines = lines_of(lambda: ann.host.scope)
    held = [banks(Scope(f"user {number}")) for number in range(1, lines + 1)]
    for number, bank in enumerate(held, 1):
        say(bank, number)
        stopped_at(number, lambda bank=bank: bank.host.scope)
    others(banks)
    assert open_files(tmp_path) <= 2
    assert [texts(bank) for bank in held] == [[QUAY.format(number)] for number in range(1, lines + 1)]


def test_what_is_being_digested_is_digested(banks):
    ann = banks(Scope("ann"))
    for number in range(5):
        say(ann, number, wait=False)
    others(banks)
    ann.host.flush()
    assert texts(ann) == [QUAY.format(number) for number in range(5)]


@pytest.mark.parametrize("aside", [False, True])
def test_a_deleted_bank_is_not_begun_again_by_who_held_it(aside, banks):
    ann = banks(Scope("ann"))
    say(ann, 1)
    if aside:
        others(banks)
    banks.delete(user="ann")
    before = sorted(banks.folder.iterdir())
    with pytest.raises(BankClosed):
        say(ann, 2)
    assert ann.closed
    assert sorted(banks.folder.iterdir()) == before
    assert banks.find(Scope("ann")) is None
    assert texts(banks(Scope("ann"))) == []


@pytest.mark.slow
def test_a_bank_that_another_process_deleted_while_it_was_put_aside_is_not_begun_again(banks, tmp_path):
    ann = banks(Scope("ann"))
    say(ann, 1)
    others(banks)
    code = "import sys; from amb_core import Banks; print(Banks(sys.argv[1]).delete(user='ann').banks)"
    told = subprocess.run(
        [sys.executable, "-c", code, f"sqlite:///{tmp_path}/banks/"], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "1"
    before = sorted(banks.folder.iterdir())
    with pytest.raises((BankClosed, StoreGone)):
        say(ann, 2)
    assert ann.closed
    assert sorted(banks.folder.iterdir()) == before
    assert banks(Scope("ann")) is not ann


def test_a_listener_hears_what_happens_after_the_bank_was_opened_again(banks):
    ann, heard = banks(Scope("ann")), []
    leave = ann.host.subscribe(lambda event: heard.append(event.kind.value))
    others(banks)
    say(ann, 1)
    assert heard.count("entry_recorded") == 1
    leave()
    say(ann, 2)
    assert heard.count("entry_recorded") == 1


def test_a_bank_that_others_share_is_opened_for_them(banks):
    shared, own = banks(Scope("team")), banks(Scope("ann"))
    say(shared, 80)
    others(banks)
    told = own.host.enhance(query="How long is the quay of Lyness?", shared=shared).text
    assert "80 metres" in told
    plain = MemoryBank("Help the user.")
    others(banks)
    assert "80 metres" in plain.host.enhance(query="How long is the quay of Lyness?", shared=shared).text


def test_looking_for_a_bank_makes_none(banks):
    assert banks.find(Scope("nobody")) is None
    assert list(banks.folder.iterdir()) == []
    ann = banks(Scope("ann"))
    assert banks.find(Scope("ann")) is ann


def test_a_bank_that_its_holder_closed_stays_closed_and_lets_its_file_go(banks, tmp_path):
    ann = banks(Scope("ann"))
    say(ann, 1)
    ann.close()
    assert open_files(tmp_path) == 0
    with pytest.raises(BankClosed):
        say(ann, 2)
    assert texts(banks(Scope("ann"))) == [QUAY.format(1)]


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("way", ["threads", "asyncio"])
def test_many_at_once_on_banks_that_are_put_aside_lose_nothing(way, banks):
    held = [banks(Scope(f"user {number}")) for number in range(6)]

    def work(number: int) -> None:
        for turn in range(4):
            bank = held[(number + turn) % 6] if turn % 2 else banks(Scope(f"user {(number + turn) % 6}"))
            say(bank, 1000 * number + turn)

    if way == "threads":
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(12)))
    else:

        async def all_of_them() -> None:
            await asyncio.gather(*(asyncio.to_thread(work, number) for number in range(12)))

        asyncio.run(all_of_them())
    told = [text for bank in held for text in texts(bank)]
    assert sorted(told) == sorted(QUAY.format(1000 * number + turn) for number in range(12) for turn in range(4))
