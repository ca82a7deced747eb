"""`amb book BOOK talk`, fed by a pipe in a process of its own and otherwise in this one; also with a model."""

from __future__ import annotations

import json
import runpy
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_book import Story

pytestmark = pytest.mark.slow
STUDIO = Path(__file__).parents[1] / "studio"
WritingModel = runpy.run_path(str(STUDIO / "writing_model.py"))["WritingModel"]
STATEMENTS = [
    {"entity": "Lin Yue", "kind": "character"},
    {"status": {"of": "Old Wen", "is": "dead"}},
]


def _begin(folder: Path) -> None:
    with Story(folder / "war") as story:
        story.settle(chapter=3, statements=STATEMENTS, id="first")


def talk_here(amb_here: Any, *lines: str, arguments: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    _begin(amb_here.folder)
    return cast(subprocess.CompletedProcess[str], amb_here("book", "war", "talk", *arguments, lines=lines))


def talk(amb: Any, *lines: str, arguments: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    _begin(amb.folder)
    process = amb.start("book", "war", "talk", *arguments, stdin=subprocess.PIPE)
    out, error = process.communicate("".join(f"{line}\n" for line in lines), timeout=120)
    return subprocess.CompletedProcess(lines, process.returncode, out, error)


def test_a_task_is_talked_through_corrected_and_settled(amb: Any) -> None:
    ran = talk(
        amb,
        "/new chapter 4\\",
        "Lin Yue was wounded, and Old Wen is at the gate.",
        "/settle",
        "/fill 1 wounded",
        '/add {"status": {"of": "Old Wen", "is": "tired"}}',
        "/drop 9",
        "/drop 3",
        "/confirm",
        "/nonsense",
        "/quit",
        "/new never",
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "! say which of the statements 1 to 3 go, as in: /drop 2 3" in ran.stdout
    assert "Settled for chapter 4: 2 statements." in ran.stdout
    assert "! There is no command /nonsense." in ran.stdout
    with Story(amb.folder / "war") as story:
        assert story.facts.about("Lin Yue").status == "wounded"
        assert [task.title for task in story.desk().tasks()] == ["chapter 4"]


def test_the_places_of_the_form_are_numbered_and_filled_in(amb_here: Any) -> None:
    ran = talk_here(
        amb_here, "/new chapter 4", "Lin Yue fell.", "/settle", "/fill 9 tired", "/fill 2 the gate", "/confirm"
    )
    assert "[1] the state of Lin Yue:\n[2] Lin Yue is at:" in ran.stdout
    assert "! say which of the places 1 to 2, and what stands there, as in: /fill 1 dead" in ran.stdout
    with Story(amb_here.folder / "war") as story:
        assert (story.facts.about("Lin Yue").place, story.facts.about("Lin Yue").status) == ("the gate", "")


def test_a_terminal_without_the_characters_shows_their_codes(amb: Any) -> None:
    amb.environment = {"PYTHONIOENCODING": "ascii"}
    _begin(amb.folder)
    assert "\\u5c1a\\u65e0" in amb("book", "war", "plan", "--language", "zh").stdout


def test_for_programs_each_reply_is_a_line(amb_here: Any) -> None:
    ran = talk_here(amb_here, "[开始新任务：规划大纲]", "/drop 1", "/tasks", arguments=("--json",))
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [each["kind"] for each in told] == ["memory", "error", "tasks"]
    assert told[2]["tasks"] == [{"id": "t1", "title": "规划大纲", "state": "open"}]


def test_a_model_offers_options_and_what_it_costs_is_told(amb_here: Any) -> None:
    pytest.importorskip("openai", reason='needs: pip install "amb[openai]"')
    with ChatServer(WritingModel()) as server:
        amb_here.environment = {"LLM_MODEL": "writer", "LLM_BASE_URL": server.url, "LLM_API_KEY": "sk-0123456789"}
        ran = talk_here(amb_here, "/new chapter 4", "I take option 1, but she is captured.", "/settle", "/confirm")
    assert "Option 3:\nOld Wen walked in" in ran.stdout
    assert "! Old Wen has been dead since chapter 3" in ran.stdout
    assert '{"status": {"of": "Lin Yue", "is": "captured"}}' in ran.stdout
    assert ran.stderr.startswith("amb book: ")
    assert "calls of writer" in ran.stderr


def test_a_model_that_is_not_there_is_told_and_nothing_is_lost(amb_here: Any) -> None:
    pytest.importorskip("openai", reason='needs: pip install "amb[openai]"')
    gone = ("--model", "writer", "--base-url", "http://127.0.0.1:9/v1", "--timeout", "0.3")
    ran = talk_here(amb_here, "/new chapter 4", "Lin Yue died.", "/settle", arguments=gone)
    assert ran.returncode == 0
    assert "The model brought no answer" in ran.stdout
    assert "The model failed, so that not everything was read off" in ran.stdout
    assert "[1] the state of Lin Yue:" in ran.stdout
