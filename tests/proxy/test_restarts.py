"""A gateway that ends or is killed in the middle of a talk finds the talk again, and nothing of it is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from amb_core.text import estimate_tokens

pytestmark = pytest.mark.slow

BUDGET = 6_000
TURNS = 9


def page(number: int) -> str:
    """A page with one fact."""
    return f"The code of station {number} is ST-{number * 7919}.\n" + "Lamps, tides and ropes are counted here. " * 95


@contextmanager
def process(upstream: str, folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`amb proxy` as a process of its own: where it listens, and the process."""
    command = [sys.executable, "-m", "amb_cli", "proxy", "--upstream", upstream, "--folder", str(folder)]
    running = subprocess.Popen(
        [*command, "--port", "0", "--budget", str(BUDGET)], stderr=subprocess.PIPE, text=True, env=os.environ
    )
    assert running.stderr is not None
    said = running.stderr.readline()
    try:
        yield said.split()[2], running
    finally:
        running.kill()
        running.wait()
        running.stderr.close()


def nothing_is_lost(page_of_talk: str, requests: list[bytes]) -> None:
    """Every fact is in memory, each new one was in the next request, and no request was over the bound."""
    codes = [f"ST-{number * 7919}" for number in range(1, TURNS + 1)]
    assert [code for code in codes[:-1] if code not in page_of_talk] == []
    assert max(estimate_tokens(raw.decode()) for raw in requests) <= BUDGET * 1.05


def test_a_gateway_that_is_begun_again_finds_the_talk(begin, gateway, provider):
    talk = begin(gateway.url)
    for _ in range(3):
        talk.go_on(page, turns=TURNS // 3)
        gateway.restart()
        talk.url = gateway.url
    assert len(talk.names) == 1
    whole = gateway.operator("GET", f"/amb/conversations/{next(iter(talk.names))}").text
    nothing_is_lost(whole, [seen.raw for seen in provider.seen])


@pytest.mark.nightly
def test_a_gateway_that_is_killed_in_the_middle_of_a_stream_finds_the_talk(begin, provider, tmp_path):
    with process(provider.url, tmp_path / "folder") as (url, running):
        talk = begin(url).go_on(page, turns=5)
        body = {"model": "m", "messages": talk.messages, "tools": [{"type": "function", "function": {"name": "look"}}]}
        headers = {"authorization": "Bearer key-of-ann", "x-fault": "slow"}
        with httpx2.stream(
            "POST", f"{url}/v1/chat/completions", json=body | {"stream": True}, headers=headers
        ) as answer:
            next(answer.iter_bytes())
            running.send_signal(signal.SIGKILL)
            running.wait()
    with process(provider.url, tmp_path / "folder") as (url, _):
        talk.url = url
        talk.go_on(page, turns=TURNS - 5)
        token = (tmp_path / "folder" / "operator-token").read_text()
        whole = httpx2.get(f"{url}/amb/conversations/{next(iter(talk.names))}", headers={"x-amb-token": token}).text
    assert len(talk.names) == 1
    nothing_is_lost(whole, [seen.raw for seen in provider.seen])
