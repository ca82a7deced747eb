"""`amb wrap`: a program runs behind a gateway of its own, knows it by its environment alone, and ends as it would."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say, Seen

from amb_cli import main
from amb_proxy.wrap_command import plan_of

CALLS = 9
AGENT = """
import json, os, sys, urllib.request
messages = [{"role": "user", "content": "Read."}]
tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
while True:
    body = json.dumps({"model": "m", "messages": messages, "tools": tools}).encode()
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    asked = urllib.request.Request(url, body, {"content-type": "application/json", "authorization": "Bearer key"})
    reply = json.load(urllib.request.urlopen(asked))["choices"][0]["message"]
    messages.append(reply)
    for call in reply.get("tool_calls", ()):
        number = json.loads(call["function"]["arguments"])["number"]
        page = f"The code of page {number} is ST-{number}. " + "The sea was calm. " * 200
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": page})
    if not reply.get("tool_calls"):
        print(reply["content"])
        sys.exit(7)
"""


def reader(seen: Seen) -> Say:
    looked = max((int(at) for at in re.findall(rb"look-(\d\d)", seen.raw)), default=0)
    if looked == CALLS:
        return Say("All were read.")
    return Say("Next.", [("look", {"number": looked + 1})], ids=[f"look-{looked + 1:02}"])


def test_a_program_is_bounded_and_remembered_and_ends_as_it_would(tmp_path: Path, capfd: Any) -> None:
    before, handler = dict(os.environ), signal.getsignal(signal.SIGINT)
    with ProviderServer(reader) as provider:
        given = ["--upstream", f"{provider.url}/v1", "--folder", str(tmp_path / "m"), "--budget", "4000"]
        code = main(["wrap", *given, sys.executable, "-c", AGENT])
    said = capfd.readouterr()
    assert code == 7
    assert "All were read." in said.out
    assert re.search(r"9 requests: \S+ tokens instead of \S+ \(\d\d% less\)", said.err)
    assert max(len(seen.raw) for seen in provider.seen) < 20_000
    assert (dict(os.environ), signal.getsignal(signal.SIGINT)) == (before, handler)
    assert main(["proxy", "status", "--folder", str(tmp_path / "m"), "--json"]) == 0
    (talk,) = json.loads(capfd.readouterr().out)["conversations"]
    assert talk["entries"] == CALLS


def test_a_program_that_asks_elsewhere_is_told_of(tmp_path: Path, capfd: Any) -> None:
    given = ["--upstream", "http://127.0.0.1:9/v1", "--folder", str(tmp_path), sys.executable, "-c"]
    assert main(["wrap", *given, "raise SystemExit(0)", "--mine"]) == 0
    said = capfd.readouterr().err
    assert "no request came through" in said
    assert "-c 'raise SystemExit(0)' --mine read OPENAI_BASE_URL" in said
    assert "memory:" not in said


@pytest.mark.sampled(2)
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("child", "sent", "code"),
    [
        ("import signal, sys, time\nsignal.signal(15, lambda *_: sys.exit(5))\nprint('on', flush=True)\ntime.sleep(60)", 15, 5),  # noqa: E501
        pytest.param("import time\nprint('on', flush=True)\ntime.sleep(60)", 2, 130, marks=pytest.mark.slow),
        ("import os\nprint('on', flush=True)\nos.kill(os.getpid(), 9)", 0, 137),
    ],
    ids=["told-to-end", "interrupted", "killed"],
)  # fmt: skip
def test_signals_and_ends_pass_through(child: str, sent: int, code: int, tmp_path: Path) -> None:
    given = ["--upstream", "http://127.0.0.1:9/v1", "--folder", str(tmp_path), sys.executable, "-c", child]
    command = [sys.executable, "-m", "amb_cli", "wrap", *given]
    quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "on\n"
        if sent:
            running.send_signal(sent)
        assert running.wait(20) == code


def test_each_coding_agent_is_told_in_its_own_way() -> None:
    url, openai, anthropic = "http://127.0.0.1:1", "https://api.openai.com/v1", "https://api.anthropic.com"
    claude = plan_of(["claude", "-p", "hi"], anthropic, url, {})
    assert (list(claude.words), claude.variables["ANTHROPIC_BASE_URL"]) == (["claude", "-p", "hi"], url)
    assert "OPENAI_BASE_URL" not in claude.variables
    codex = plan_of(["/usr/bin/codex", "exec"], openai, url, {})
    assert codex.words[:2] == ["/usr/bin/codex", "-c"]
    assert f'base_url = "{url}/v1"' in codex.words[4]
    assert codex.words[-1] == "exec"
    theirs = '{"theme": "x", "provider": {"anthropic": {"options": {"timeout": 9}}}}'
    opencode = plan_of(["opencode"], anthropic, url, {"OPENCODE_CONFIG_CONTENT": theirs})
    assert json.loads(opencode.variables["OPENCODE_CONFIG_CONTENT"]) == {
        "theme": "x",
        "provider": {"anthropic": {"options": {"timeout": 9, "baseURL": f"{url}/v1"}}},
    }
    other = plan_of(["python", "agent.py"], openai, url, {"NO_PROXY": "intranet"})
    assert (other.variables["OPENAI_BASE_URL"], other.variables["NO_PROXY"]) == (f"{url}/v1", "intranet,127.0.0.1")


def test_a_dry_run_shows_all_and_touches_nothing(tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    assert main(["wrap", "--dry", "--keep-tool", "Edit", "--cut-to", "0.5", "claude", "--resume"]) == 0
    said = capfd.readouterr().out
    for part in ("claude --resume", "ANTHROPIC_BASE_URL=http://127.0.0.1:PORT", "https://api.anthropic.com", "Edit"):
        assert part in said
    assert not (tmp_path / "data").exists()


def test_our_options_may_stand_behind_the_name_of_an_agent(capfd: Any) -> None:
    given = ["claude", "-p", "hello", "--keep-tool", "Edit", "--resume", "--dry", "--budget", "40000", "--", "--dry"]
    assert main(["wrap", *given]) == 0
    said = capfd.readouterr().out
    assert "claude -p hello --resume -- --dry\n" in said
    assert ("Edit" in said, "40,000" in said) == (True, True)
    assert main(["wrap", "--dry", "--", "claude", "--budget", "5"]) == 0
    assert "claude --budget 5\n" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("given", "said", "code"),
    [
        ([], "name what to run", 1),
        (["no-such-command-here", "--now"], "there is no command no-such-command-here", 127),
        ([__file__], f"amb wrap python {__file__}", 126),
        (["python3", "my agent.py", "--slow"], "--upstream http://127.0.0.1:8080/v1 python3 'my agent.py' --slow", 1),
        (["--folder", f"{__file__}/x", "--upstream", "http://127.0.0.1:9", sys.executable], "cannot be a folder", 1),
    ],
)
def test_what_cannot_be_run_is_told(
    given: list[str], said: str, code: int, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "ANTHROPIC_"))]:
        monkeypatch.delenv(name)
    assert main(["wrap", *given]) == code
    assert said in capfd.readouterr().err


# --- real coding agents, of `make test-gateway` -----------------------------------------------------------------------

CODEX = Path(sys.prefix) / "node" / "node_modules" / "@openai" / "codex" / "bin" / "codex.js"


def claude_code() -> str | None:
    """The Claude Code that its SDK brings."""
    sdk = find_spec("claude_agent_sdk")
    found = [Path(place) / "_bundled" / "claude" for place in (sdk and sdk.submodule_search_locations) or ()]
    return next((str(file) for file in found if file.exists()), None)


def file_reader(tool: str, arguments: Callable[[int], dict[str, Any]]) -> Callable[[Seen], Say]:
    """A model that reads one file after the other."""

    def answer(seen: Seen) -> Say:
        number = 1 + max((int(at) for at in re.findall(rb'"look-(\d\d)"', seen.raw)), default=0)
        if number > CALLS or not seen.body.get("tools"):
            return Say("All were read.")
        return Say(f"I read {number}.", [(tool, arguments(number))], ids=[f"look-{number:02}"])

    return answer


def of_codex(folder: Path) -> tuple[list[str], Callable[[Seen], Say], str]:
    """The words of Codex, a model that works with its tools, and a bound."""
    node = shutil.which("node")
    if not CODEX.exists() or node is None:
        pytest.skip("needs npm's @openai/codex: make test-gateway")
    program = folder / "codex"
    program.write_text(f'#!/bin/sh\nexec {node} {CODEX} "$@"\n')
    program.chmod(0o755)
    anything = "--dangerously-bypass-approvals-and-sandbox"
    words = [str(program), "exec", "--skip-git-repo-check", anything, "-m", "m", "Read all."]
    return words, file_reader("exec_command", lambda number: {"cmd": f"cat {number}.txt"}), "25000"


def of_claude(folder: Path) -> tuple[list[str], Callable[[Seen], Say], str]:
    """The same of Claude Code."""
    if (claude := claude_code()) is None:
        pytest.skip("needs claude-agent-sdk: make test-gateway")
    words = [claude, "-p", "--model", "m", "--allowedTools", "Read", "--", "Read all."]
    return words, file_reader("Read", lambda number: {"file_path": str(folder / f"{number}.txt")}), "40000"


@pytest.mark.gateway
@pytest.mark.parametrize(("agent", "path"), [(of_codex, "/v1"), (of_claude, "")], ids=["codex", "claude"])
def test_a_real_coding_agent_runs_with_a_memory(
    agent: Any, path: str, tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, CALLS + 1):
        lines = [f"line {at} of {number} has {at * number * 7} units" for at in range(300)]
        (tmp_path / f"{number}.txt").write_text("\n".join([f"The code of {number} is ST-{number * 7919}.", *lines]))
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "ANTHROPIC_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    for name in ("HOME", "CODEX_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"):
        monkeypatch.setenv(name, "1")
    monkeypatch.chdir(tmp_path)
    words, answer, budget = agent(tmp_path)
    with ProviderServer(answer) as provider:
        given = ["--upstream", provider.url + path, "--folder", str(tmp_path / "m"), "--budget", budget]
        assert main(["wrap", *given, *words]) == 0
    said = capfd.readouterr()
    assert "All were read." in said.out
    assert re.search(r"\d\d requests: \S+ tokens instead of", said.err)
    assert b"ST-7919" in provider.seen[2].raw
