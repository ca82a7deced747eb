"""Codex, the command line of npm's @openai/codex, with its own shell tool through the gateway."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say, Seen

from amb_core import Settings
from amb_core.text import estimate_tokens

CALLS, BUDGET = 22, 20_000  # it sends about 9,000 tokens of instructions and tools with every request
LAST_WORDS = "All the stations were read, and their codes are known by now. 都读完了。"
PACKAGES = Path(sys.prefix) / "node" / "node_modules"
CODEX = PACKAGES / "@openai" / "codex" / "bin" / "codex.js"
BESIDE = Path(sys.executable).parent / "node"
NODE = str(BESIDE) if BESIDE.exists() else shutil.which("node")
_CALL_ID = re.compile(rb'"look-([0-9a-f]{12})-(\d\d)"')

pytestmark = [
    pytest.mark.gateway,
    pytest.mark.skipif(NODE is None or not CODEX.exists(), reason="needs npm's @openai/codex: make test-gateway"),
]


def code_of(number: int, whose: str) -> str:
    """The fact in the middle of a page."""
    return f"ST-{number:02}-{whose}-{number * 7919}"


def page(number: int, whose: str) -> str:
    """4,000 characters with one fact."""
    lines = [f"Station {number} on its line {at} has {at * 7919 % 9973} units in stock." for at in range(70)]
    return "\n".join([*lines[:35], f"The code of station {number} is {code_of(number, whose)}.", *lines[35:]])


def page_reader(seen: Seen) -> Say:
    """A model that reads one file after the other by the shell; the ids of its calls tell how far it came."""
    number = 1 + max((int(at) for _, at in _CALL_ID.findall(seen.raw)), default=0)
    if number > CALLS:
        return Say(LAST_WORDS)
    call = ("exec_command", {"cmd": f"cat pages/{number}.txt"})
    return Say(f"I read page {number}.", [call], "", [f"look-{seen.headers['session-id'][-12:]}-{number:02}"])


def run_codex(url: str, folder: Path, whose: str) -> str:
    """The last words of an agent that reads the pages of `whose`."""
    home = folder / "home"
    home.mkdir(parents=True)
    (folder / "pages").mkdir()
    for number in range(1, CALLS + 1):
        (folder / "pages" / f"{number}.txt").write_text(page(number, whose), "utf-8")
    (home / "config.toml").write_text(
        'model = "m"\nmodel_provider = "amb"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
        f'[model_providers.amb]\nname = "AMB"\nbase_url = "{url}/v1"\n'
        'env_key = "OPENAI_API_KEY"\nwire_api = "responses"\n'
    )
    places = {"HOME": str(home), "CODEX_HOME": str(home), "OPENAI_API_KEY": "key-of-ann", "PATH": os.environ["PATH"]}
    command = [str(NODE), str(CODEX), "exec", "--skip-git-repo-check", "--json", "Read all the pages."]
    quiet = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    done = subprocess.run(command, cwd=folder, env=places, timeout=300, check=False, **quiet)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return next(one["item"]["text"] for one in reversed(said) if one.get("item", {}).get("type") == "agent_message")


def of_session(requests: list[bytes], session: str) -> list[bytes]:
    """The requests of one agent, which names its session in each body."""
    return [raw for raw in requests if json.loads(raw)["prompt_cache_key"] == session]


def test_two_codex_agents_that_begin_alike_are_bounded_and_each_keeps_its_own_memory(another_gateway, tmp_path):
    bound = Settings(prompt_budget_tokens=BUDGET)
    with ProviderServer(page_reader) as provider, another_gateway(provider.url, settings=bound) as gateway:
        with ThreadPoolExecutor(2) as pool:
            runs = [pool.submit(run_codex, gateway.url, tmp_path / whose, whose) for whose in ("ann", "bob")]
        assert [run.result() for run in runs] == [LAST_WORDS] * 2
        talks = gateway.operator("GET", "/amb/status").json()["conversations"]
        pages = [gateway.operator("GET", f"/amb/conversations/{talk['id']}").text for talk in talks]
        came, sent = gateway.came, [seen.raw for seen in provider.seen if seen.path.endswith("/responses")]
    sessions = {seen.headers["session-id"] for seen in provider.seen if seen.path.endswith("/responses")}
    assert (len(talks), len(sessions), len(sent)) == (2, 2, 2 * (CALLS + 1))
    for session in sessions:
        each_in_order(of_session(came, session), of_session(sent, session))
    for text in pages:
        (whose,) = [one for one in ("ann", "bob") if code_of(1, one) in text]
        assert [number for number in range(1, CALLS) if code_of(number, whose) not in text] == []
        assert ("-ann-" in text, "-bob-" in text) == (whose == "ann", whose == "bob")


def each_in_order(came: list[bytes], sent: list[bytes]) -> None:
    """Requests go on byte for byte until the budget is full, then bounded; nothing but memory's own words is new."""
    unchanged = [one == other for one, other in zip(came, sent, strict=True)]
    assert unchanged[0]
    assert sum(unchanged) >= 5
    assert not unchanged[-1]
    assert max(estimate_tokens(raw.decode()) for raw in sent) <= BUDGET * 1.05
    for number, (one, other) in enumerate(zip(came, sent, strict=True)):
        before, after = json.loads(one), json.loads(other)
        assert {**before, "input": []} == {**after, "input": []}
        new = [item for item in after["input"] if item not in before["input"]]
        assert all(item.keys() == {"role", "content"} for item in new)  # a line on what was taken out, and the blocks
        assert number == 0 or re.search(rf"ST-{number:02}-".encode(), other)
        calls = [item["call_id"] for item in after["input"] if item.get("type") == "function_call"]
        assert calls == [item["call_id"] for item in after["input"] if item.get("type") == "function_call_output"]
