"""One talk after another: few banks and files are open, and a talk that was put aside goes on where it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

MOST_BANKS, MOST_FILES = 64, 300


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Nobody collects the cycles of this process."""
    gc.disable()
    yield
    gc.enable()


def page(whose: int, number: int) -> str:
    return f"The code of station {number} is ST-{whose}-{number * 7919}. " + "Lamps and tides are counted. " * 30


def open_banks(folder: Path) -> list[str]:
    links = (link for link in Path("/proc/self/fd").iterdir() if link.is_symlink())
    targets = [str(link.readlink()) for link in links if link.exists()]
    return [name for name in targets if name.startswith(str(folder))]


def test_a_gateway_opens_as_many_banks_as_it_is_told(begin, another_gateway, provider, no_collector):
    with another_gateway(provider.url, most_open_banks=3) as gateway:
        talks = [begin(gateway.url, told=f"Read log {number}.") for number in range(6)]
        for _ in range(3):
            for number, talk in enumerate(talks):
                talk.go_on(partial(page, number))
        files = open_banks(gateway.folder)
    assert 1 <= sum(name.endswith("memory.db") for name in files) <= 3
    assert [len(talk.names) for talk in talks] == [1] * 6
    assert all(talk.says[-1].endswith("entries=1") for talk in talks)


@pytest.mark.nightly
def test_five_thousand_requests_of_many_talks_keep_few_banks_open(begin, gateway, no_collector):
    talks = [begin(gateway.url, told=f"Read log {number}.") for number in range(500)]
    for _ in range(10):
        for number, talk in enumerate(talks):
            talk.go_on(partial(page, number))
    files = open_banks(gateway.folder)
    assert sum(name.endswith("memory.db") for name in files) <= MOST_BANKS
    assert len(files) <= MOST_FILES
    assert [len(talk.names) for talk in talks] == [1] * len(talks)
