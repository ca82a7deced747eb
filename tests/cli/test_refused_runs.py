"""What cannot be run is said in one line, before anything is written."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

CORPUS = Path(__file__).resolve().parents[2] / "examples" / "corpora" / "island_microgrid"
SEARCH = ["--search", f"corpus:{CORPUS}"]


def refused(amb: Any, *arguments: str) -> str:
    """What a run says that is refused in one line and has written nothing."""
    ran = amb("run", *arguments)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    told = [line for line in ran.stderr.splitlines() if " works: " not in line and line.strip(".")]  # how long it takes
    assert len(told) == 1, ran.stderr
    assert list(amb.folder.iterdir()) == []
    return str(ran.stderr)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["What?"], "name a model: --model or LLM_MODEL"),
        (["What?", "--model", "gpt-5-mini", *SEARCH], "LLM_API_KEY"),
        (["What?", "--model", "deepseek-flash", *SEARCH], "DEEPSEEK_API_KEY"),
        (["What?", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--search", "serper"], "SERPER_API_KEY"),
        (["What?", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--search", "bing"], "bing"),
        (["What?", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--search", "corpus:none"], "none"),
        (["What?", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", *SEARCH, "--role", "cook=m"], "cook"),
        (["What?", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", *SEARCH, "--budget-money", "1"], "price"),
        (["--resume"], "no unfinished task"),
        (["--resume", "--store", "sqlite:///none.db"], "no unfinished task"),
        (["What?", "--replay", "none.jsonl", *SEARCH], "none.jsonl"),
        (["What?", "--corpus", "none"], "none"),
    ],
)
def test_what_is_missing_is_one_line(amb_here: Any, arguments: list[str], said: str) -> None:
    assert said in refused(amb_here, *arguments)


@pytest.mark.nightly  # eight seconds of waiting between its attempts
@pytest.mark.slow
def test_an_endpoint_that_is_not_there_is_one_line(amb: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    said = refused(amb, "What?", "--model", "m", "--base-url", f"http://127.0.0.1:{port}/v1", *SEARCH)

    assert "cannot be reached; check the URL" in said


@pytest.mark.parametrize("arguments", [["--corpus", "a", "--search", "web"], ["--budget-calls", "0"], ["--role", "x"]])
def test_wrong_usage_is_exit_code_2(amb_here: Any, arguments: list[str]) -> None:
    assert amb_here("run", "What?", *arguments).returncode == 2


@pytest.mark.nightly  # half a minute of waiting between its attempts
@pytest.mark.slow
def test_an_endpoint_that_goes_away_ends_the_run_and_it_can_go_on(
    amb: Any, asked: Callable[..., list[str]], endpoint: ChatServer, wait_until: Any
) -> None:
    process = amb.start(*asked())
    wait_until(lambda: endpoint.requests >= 5)
    endpoint.vanish()
    out, error = process.communicate(timeout=180)

    assert process.returncode == 1, error
    assert "ended after" in out
    assert "the model does not answer any more" in out
    assert "Receipts" in out
    assert "Go on with: amb run --resume --out out" in out
    assert (amb.folder / "out" / "memory.html").exists()
    assert (amb.folder / "out" / "memory.db").exists()


def test_a_worker_that_goes_on_has_no_result_to_print(amb_here: Any) -> None:
    ran = amb_here("worker", "postgresql://nobody@127.0.0.1/nothing", "--json")
    assert ran.returncode == 2
    assert "--json needs --once" in ran.stderr


@pytest.mark.parametrize("files", [[], ["--corpus", str(CORPUS)]])
def test_without_a_model_the_context_of_a_question_is_read(amb_here: Any, files: list[str]) -> None:
    for asked in (
        "Context: The Ardra dam is 86 metres high. Moss built it.\nQuestion: How high is the Ardra dam?",
        "上下文：海燕水库的坝高为86米。库区有鹤。\n问题：海燕水库的坝高是多少？",
        "The Ardra dam is 86 metres high. Moss built it.\n\nHow high is the Ardra dam?",
    ):
        ran = amb_here("run", asked, *files, "--out", "out")
        assert ran.returncode == 0, ran.stderr
        assert "[context:1]" in ran.stdout
        assert "86" in ran.stdout
