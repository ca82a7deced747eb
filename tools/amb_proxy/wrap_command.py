"""`amb wrap`: run a coding agent, or any program, with a gateway of its own that lives as long as it does.

The address of the model is changed in the environment of that program alone, and for Codex on its command line: no file
of the user's is touched, so there is nothing to undo.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from amb_chat.client_call import without_credentials
from amb_cli.command_parser import Commands, path, positive, share
from amb_cli.console import say
from amb_cli.user_language import translate
from amb_core import InvalidInput
from amb_proxy.proxy_command import QUIET, add_memory_options, app_options, listening

if TYPE_CHECKING:
    from amb_proxy import AMBProxy

__all__ = ["add_to", "wrap"]

_BUDGET = 100_000
"""Coding agents carry 10,000 to 25,000 tokens of instructions and tools, and compact themselves from 150,000 on."""
_AGENTS = ("claude", "codex", "opencode")
_LONGEST_NAME = 200
"""So much of a command is repeated at its end."""
_OPENAI, _ANTHROPIC = "https://api.openai.com/v1", "https://api.anthropic.com"
_CODEX = '{{ name = "AMB", base_url = "{url}/v1", env_key = "OPENAI_API_KEY", wire_api = "responses" }}'
_SENT_ON = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
_OF_THE_TERMINAL = ("SIGINT", "SIGQUIT")


def add_to(commands: Commands) -> None:
    """Add `wrap`."""
    parser = commands.add_parser("wrap", help="run a coding agent, or any program, with a memory")
    parser.add_argument("--dry", action="store_true", help="show what would be run, and run nothing")
    parser.add_argument(
        "--upstream", metavar="URL", help="the provider's base URL (default: what the program would ask by itself)"
    )
    parser.add_argument(
        "--folder", type=path, help="where its memory is kept (default: one for each program and working directory)"
    )
    add_memory_options(parser, budget=_BUDGET)
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="COMMAND",
        help="claude, codex, opencode, or another, and its options",
    )
    parser.set_defaults(command=wrap)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run: the words of the command, and the variables that are set for it."""

    words: Sequence[str]
    upstream: str
    variables: Mapping[str, str] = field(default_factory=dict)


def wrap(options: argparse.Namespace) -> int:
    """Run the command behind a gateway; returns its exit code, or 128 and the number of the signal that ended it.

    As from a shell, 127 stands for a command that is not there and 126 for a file that cannot be run.
    """
    as_it_is = options.words[:1] == ["--"]
    words = options.words[1:] if as_it_is else options.words
    if not words:
        raise InvalidInput("name what to run: amb wrap claude, amb wrap codex, or amb wrap python agent.py")
    words = words if as_it_is else _without_ours(words, options)
    program = shutil.which(words[0])
    if program is None and not options.dry:
        return _not_found(words)
    upstream = options.upstream or _upstream_of(words, os.environ)
    folder = options.folder or _folder_of(words[0])
    if program is None or options.dry:
        _show(plan_of(words, upstream, "http://127.0.0.1:PORT", os.environ), folder, options)
        return 0
    with _gateway(upstream, folder, options) as (app, url):
        before = app.status()
        plan = plan_of([program, *words[1:]], upstream, url, os.environ)
        code = _run(plan)
        after = app.status()
        after["conversations"] = [one for one in after["conversations"] if one["id"] in app.worked_on]
        lines = list(_summary(before, after, options.budget, shlex.join(words)))
    for line in lines:
        say(f"amb: {line}", file=sys.stderr)
    if app.worked_on:
        say(f"amb: {translate('memory: {folder}', folder=folder)}", file=sys.stderr)
    if (log := folder / "wrap.log").exists():
        line = translate(_LOG, file=log) if options.verbose else translate(_TROUBLE, file=log)
        say(f"amb: {line}", file=sys.stderr)
    return code


def _without_ours(words: Sequence[str], options: argparse.Namespace) -> list[str]:
    """The command without those options of ours that stand behind the name of an agent, none of which has them."""
    if _name_of(words[0]) not in _AGENTS:
        return list(words)
    parser = argparse.ArgumentParser("amb wrap", add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--keep-tool", action="append")
    parser.add_argument("--budget", type=positive)
    parser.add_argument("--cut-to", type=share)
    end = words.index("--") if "--" in words else len(words)
    _, theirs = parser.parse_known_args(words[1:end], options)
    return [words[0], *theirs, *words[end:]]


def _not_found(words: Sequence[str]) -> int:
    """Say why a command cannot be run, as a shell does."""
    there = Path(words[0]).is_file()
    wrong = _NOT_EXECUTABLE if there else _NO_COMMAND
    say(f"amb: {translate(wrong, name=words[0], command=shlex.join(words))}", file=sys.stderr)
    return 126 if there else 127


# --- what is run ------------------------------------------------------------------------------------------------------


def plan_of(words: Sequence[str], upstream: str, url: str, environment: Mapping[str, str]) -> Plan:
    """The command for a gateway at a URL: each coding agent is told of it in its own way."""
    name, rest = _name_of(words[0]), list(words[1:])
    near = ",".join(filter(None, [environment.get("NO_PROXY") or environment.get("no_proxy"), "127.0.0.1"]))
    variables = {"NO_PROXY": near, "no_proxy": near}
    kind = _kind_of(upstream)
    if name == "codex":
        told = ["-c", 'model_provider="amb"', "-c", f"model_providers.amb={_CODEX.format(url=url)}"]
        return Plan([words[0], *told, *rest], upstream, variables)
    if name == "opencode":
        variables["OPENCODE_CONFIG_CONTENT"] = _opencode(environment.get("OPENCODE_CONFIG_CONTENT", ""), kind, url)
    if name != "opencode" and kind != "openai":
        variables["ANTHROPIC_BASE_URL"] = url
    if name not in ("opencode", "claude") and kind != "anthropic":
        variables |= {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_BASE": f"{url}/v1"}
    return Plan([words[0], *rest], upstream, variables)


def _upstream_of(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Where the command would ask by itself; InvalidInput where nobody can know."""
    name = _name_of(words[0])
    openai = environment.get("OPENAI_BASE_URL") or environment.get("OPENAI_API_BASE")
    anthropic = environment.get("ANTHROPIC_BASE_URL")
    if name == "claude":
        return anthropic or _ANTHROPIC
    if name == "codex":
        return openai or _OPENAI
    openai = openai or (_OPENAI if "OPENAI_API_KEY" in environment else None)
    anthropic = anthropic or (_ANTHROPIC if "ANTHROPIC_API_KEY" in environment else None)
    known = [url for url in (openai, anthropic) if url]
    if len(known) != 1:
        command = shlex.join(words)
        if known:
            raise InvalidInput(
                f"there are keys of OpenAI and of Anthropic, so say which one it asks: "
                f"amb wrap --upstream https://api.openai.com/v1 {command}, or --upstream https://api.anthropic.com"
            )
        raise InvalidInput(
            f"there is no OPENAI_API_KEY and no ANTHROPIC_API_KEY, so say where the model is: "
            f"amb wrap --upstream http://127.0.0.1:8080/v1 {command}"
        )
    return known[0]


def _kind_of(upstream: str) -> str:
    """Which API a provider speaks, by the name of its host; both where that does not tell."""
    host = urlsplit(upstream).hostname or ""
    return next((kind for kind in ("openai", "anthropic") if kind in host), "both")


def _opencode(told: str, kind: str, url: str) -> str:
    """The settings that opencode takes over its files, with the gateway's address in them."""
    try:
        settings: dict[str, Any] = json.loads(told or "{}")
    except ValueError:
        raise InvalidInput("OPENCODE_CONFIG_CONTENT is no JSON; correct it or leave it out") from None
    providers = settings.setdefault("provider", {})
    for name in ("openai", "anthropic") if kind == "both" else (kind,):
        providers.setdefault(name, {}).setdefault("options", {})["baseURL"] = f"{url}/v1"
    return json.dumps(settings, ensure_ascii=False)


def _name_of(word: str) -> str:
    return Path(word).stem.casefold() if word.casefold().endswith((".exe", ".cmd")) else Path(word).name.casefold()


def _folder_of(word: str) -> Path:
    """A folder of the user's own, one for each program and working directory."""
    if sys.platform == "win32":
        data = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    here = hashlib.sha256(str(Path.cwd()).encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return data / "amb" / "wrap" / f"{_name_of(word)}-{here}"


# --- running it -------------------------------------------------------------------------------------------------------


@contextmanager
def _gateway(upstream: str, folder: Path, options: argparse.Namespace) -> Iterator[tuple[AMBProxy, str]]:
    """A gateway on a free port while the context is open; what it logs goes to a file, for the terminal is taken."""
    from amb_proxy import AMBProxy  # first, for it tells of an extra that is missing

    import uvicorn  # isort: skip

    with listening("127.0.0.1", 0) as server_socket:
        port = server_socket.getsockname()[1]
        app = AMBProxy(upstream, folder=folder, **app_options(options, port))
        handler = logging.FileHandler(folder / "wrap.log", mode="w", encoding="utf-8", delay=True)
        (folder / "wrap.log").unlink(missing_ok=True)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        handler.setLevel(logging.INFO if options.verbose else logging.WARNING)
        logger = logging.getLogger("amb")
        logger.addHandler(handler)
        logger.setLevel(handler.level)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, **QUIET))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [server_socket]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.005)
        try:
            yield app, f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()
            logger.removeHandler(handler)
            handler.close()


def _run(plan: Plan) -> int:
    """Run the command to its end. It hears Ctrl-C from the terminal as we do; what only we are sent is sent on."""
    running: list[subprocess.Popen[bytes]] = []
    early: list[int] = []

    def send_on(number: int, _frame: object) -> None:
        if running:
            running[0].send_signal(number)
        else:
            early.append(number)

    def wait(number: int, frame: object) -> None:
        if not sys.stdin.isatty():
            send_on(number, frame)

    before: dict[int, Any] = {}
    for names, handler in ((_SENT_ON, send_on), (_OF_THE_TERMINAL, wait)):
        for number in (getattr(signal, name) for name in names if hasattr(signal, name)):
            before[number] = signal.signal(number, handler)
    try:
        running.append(subprocess.Popen(plan.words, env={**os.environ, **plan.variables}))
        for number in early:
            running[0].send_signal(number)
        code = running[0].wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code if code >= 0 else 128 - code


# --- what is told -----------------------------------------------------------------------------------------------------


def _show(plan: Plan, folder: Path, options: argparse.Namespace) -> None:
    say(translate("would run: {command}", command=shlex.join(plan.words)))
    for name, value in plan.variables.items():
        say(f"  {name}={value}")
    say(translate("its requests go on to: {upstream}", upstream=without_credentials(plan.upstream)))
    say(translate("one above {budget:,} tokens is cut, and gets back what it needs", budget=options.budget))
    if options.keep_tool:
        say(translate("calls that stay in it: {tools}", tools=", ".join(options.keep_tool)))
    say(translate("memory: {folder}", folder=folder))


def _summary(before: Mapping[str, Any], after: Mapping[str, Any], budget: int, name: str) -> Iterator[str]:
    """What memory did since: lines for the user."""
    known = {one["id"]: one for one in before["conversations"]}
    figures = dict.fromkeys(("requests", "raw_tokens", "sent_tokens", "raw_billed", "sent_billed", "entries"), 0.0)
    for one in after["conversations"]:
        for key in figures:
            figures[key] += one[key] - known.get(one["id"], {}).get(key, 0)
    passed = sum(after["bypassed"].values())
    requests, raw, sent = (int(figures[key]) for key in ("requests", "raw_tokens", "sent_tokens"))
    if not requests and passed:
        yield translate(_NONE, passed=passed)
        return
    if not requests:
        yield translate(_NOT_ASKED, name=name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…")
        return
    told = {"requests": requests, "raw": raw, "sent": sent, "entries": int(figures["entries"])}
    if raw == sent:
        yield translate(_ALL_FIT, budget=budget, **told)
        return
    share = figures["sent_billed"] / figures["raw_billed"] if figures["raw_billed"] else 1.0
    yield translate(_SAVED, less=1 - sent / raw, share=share, **told)


_LOG, _TROUBLE = "its log: {file}", "some requests had trouble: {file}"
_NO_COMMAND = "there is no command {name} here"
_NOT_EXECUTABLE = "{name} is a file that cannot be run by itself; name what runs it, such as: amb wrap python {command}"
_NOT_ASKED = "no request came through: does {name} read OPENAI_BASE_URL or ANTHROPIC_BASE_URL?"
_NONE = "{passed} requests went through unchanged, for none of them had tools"
_ALL_FIT = (
    "{requests} requests with {raw:,} tokens; all fit into {budget:,} tokens, so nothing was cut; "
    "{entries} new tool results in memory"
)
_SAVED = (
    "{requests} requests: {sent:,} tokens instead of {raw:,} ({less:.0%} less), {share:.2f} of the cost with the "
    "provider's cache; {entries} new tool results in memory"
)
