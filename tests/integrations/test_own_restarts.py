"""Every host stopped and begun again in another process, with its own durable sessions: politely, and by SIGKILL."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amb_bench.doubles.streaming_server import StreamingChatServer

from amb_chat import ScriptedChatModel
from amb_core import Scope

HERE = Path(__file__).parent
HOSTS_FILE = HERE / "serving" / "hosts.py"
served = SimpleNamespace(**runpy.run_path(str(HOSTS_FILE)))
story = served.story
FRAMEWORKS = runpy.run_path(str(HERE.parent / "frameworks.py"))
RECALLED = story.RECALLED


DAILY = ("crewai", "google_adk", "langgraph")
"""A run takes half a minute a host: these by day, all at night."""


def _param(host: str) -> Any:
    framework = "langgraph" if host == "deepagents" else host
    marks = [*FRAMEWORKS["marks_for"]([framework]), *([] if host in DAILY else [pytest.mark.nightly])]
    return pytest.param(host, id=host, marks=marks)


hosts = pytest.mark.parametrize("host", [_param(host) for host in served.HOSTS])


def _process(host: str, folder: Path, url: str, *numbers: int, killed_at: str = "") -> int:
    """A process that asks these questions; its exit code."""
    env = {**os.environ, "KILLED_AT": killed_at, "CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true"}
    command = [sys.executable, str(HOSTS_FILE), host, str(folder), url, *map(str, numbers)]
    return subprocess.run(command, env=env, timeout=300, capture_output=True).returncode


def _last_question(double: Any) -> set[str]:
    """The codes that the model is shown when it is asked for what was read before."""
    shown = [text for task, text in double.seen if task == f"ann-1-{RECALLED}"]
    assert shown, "the last question was asked"
    return set(story.codes(shown[0]))


@pytest.mark.nightly
@hosts
def test_after_a_restart_the_model_is_shown_what_it_would_be_without_one(host: str, tmp_path: Path) -> None:
    if host == "deepagents":
        pytest.importorskip("deepagents")
    shown = []
    for folder, stops in (("whole", [[1, 2, RECALLED]]), ("restarted", [[1, 2], [RECALLED]])):
        double = story.Double()
        with StreamingChatServer(ScriptedChatModel(double)) as provider:
            for numbers in stops:
                assert _process(host, tmp_path / folder, provider.url, *numbers) == 0
        shown.append(_last_question(double))
    asked = {story.code(page) for page in story.recalled("ann", 1)}
    assert asked <= shown[0]
    assert asked <= shown[1]


@pytest.mark.sampled(2)
@hosts
def test_what_was_read_before_a_kill_is_known_after_it(host: str, tmp_path: Path) -> None:
    if host == "deepagents":
        pytest.importorskip("deepagents")
    double, folder = story.Double(), tmp_path / "killed"
    with StreamingChatServer(ScriptedChatModel(double)) as provider:
        killed = _process(host, folder, provider.url, 1, 2, killed_at="ann-1-2-1")
        assert killed == -signal.SIGKILL
        assert _process(host, folder, provider.url, RECALLED) == 0
    agent = served.HOSTS[host](folder, "http://127.0.0.1:1")
    named = ("ann", "ann-1") if host in ("langgraph", "deepagents", "strands") else ("ann", "1")
    entries = [entry.text for entry in agent.banks(Scope(*named)).snapshot().results]
    agent.close()
    assert entries[:4] == [story.fetch(page) for page in ("ann-1-1-0", "ann-1-1-1", "ann-1-1-2", "ann-1-2-0")]
    assert len(entries) == 4 or host == "strands", "Strands answers the call that was cut off when it opens the session"
    assert {story.code(page) for page in story.recalled("ann", 1)} <= _last_question(double)
