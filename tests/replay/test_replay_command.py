"""`amb replay` reads files and folders, prints a table, writes a report, and says what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from amb_cli import main
from amb_core import MemoryBank
from amb_replay import Trace
from amb_replay.progress_bar import ProgressBar

Orders = Callable[..., Trace]
Files = Callable[..., Path]


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory, where the report is written by default."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_a_file_gives_a_table_and_a_report_beside_the_user(
    orders: Orders, trace_file: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(trace_file(orders(12))), "--budget", "700", "--block", "200"]) == 0
    printed = capsys.readouterr()
    assert "newest + BM25" in printed.out
    assert "Requests: 14, runs: 1" in printed.out
    assert str(tmp_path / "replay-run.html") in printed.err.replace("\n", "")
    assert (tmp_path / "replay-run.html").read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(("user", "task", "more"), [
    ("zh", "en", []), ("en", "en", ["--language", "zh"]), ("en", "zh", ["--language", "auto"]),
])  # fmt: skip
def test_the_table_speaks_the_language_of_the_user_or_the_one_that_is_named(
    user: str, task: str, more: list[str], orders: Orders, trace_file: Files, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("AMB_LANGUAGE", user)
    assert main(["replay", str(trace_file(orders(4, task))), "--no-html", *more]) == 0
    printed = capsys.readouterr().out
    assert "最新消息" in printed
    assert "Memory" not in printed


def test_it_ends_in_money_also_where_no_model_is_named(
    orders: Orders, trace_file: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    file = trace_file(orders(12))
    assert main(["replay", str(file), "--budget", "700", "--no-html", "--arms", "masked,amb"]) == 0
    printed = capsys.readouterr().out
    assert re.search(
        r"instead of [\d,]+ tokens as billed.* At the price of \S+ \(\d{4}-\d\d-\d\d\) that is \$[\d.]+", printed
    )
    assert main(["replay", str(file), "--budget", "700", "--no-html", "--prices", "1,0.1,2", "--arms", "amb"]) == 0
    assert "$" not in capsys.readouterr().out


def test_figures_are_json_on_request_and_money_follows_the_model(
    orders: Orders, trace_file: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = trace_file(orders(4), orders(6))
    assert main(["replay", str(file), "--json", "-", "--no-html", "--model", "gpt-5-mini", "--arms", "window"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["runs"] == 2
    assert found["order"] == ["full", "window"]
    assert found["price"]["as_of"]
    assert found["arms"]["full"]["uncached_money"] > 0
    assert [*tmp_path.glob("*.html")] == []


def test_a_folder_is_read_file_by_file(
    orders: Orders, trace_file: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace_file(orders(3), name="a.jsonl")
    trace_file(orders(4), name="b.jsonl")
    assert main(["replay", str(tmp_path), "--json", "figures.json", "--no-html", "--arms", "full"]) == 0
    assert [run["id"] for run in json.loads(Path("figures.json").read_text("utf-8"))["traces"]] == [
        "orders-3",
        "orders-4",
    ]


def test_a_memory_is_filled_and_can_be_asked(
    orders: Orders, trace_file: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    file = trace_file(orders(4), orders(6))
    assert main(["replay", str(file), "--into", "sqlite:///task.db"]) == 0
    assert "12 results of 2 traces" in capsys.readouterr().out
    with MemoryBank.resume("sqlite:///task.db") as bank:
        assert "card_7005" in bank.recall("payment of order W-90005").text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--arms", "windo"], "there is no arm"),
        (["--prices", "cheap"], "IN,CACHED,OUT"),
        (["--model", "nobody-9"], "--prices"),
        (["--budget", "3"], "prompt_budget_tokens"),
        (["--limit", "0"], "from 1 on"),
        (["--html", "."], "names no file"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str], says: str, orders: Orders, trace_file: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(trace_file(orders(2))), *arguments]) == 1
    assert says in capsys.readouterr().err


def test_the_table_explains_every_row_and_column(
    orders: Orders, trace_file: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(trace_file(orders(4))), "--no-html"]) == 0
    table, _, explained = capsys.readouterr().out.partition("Requests: ")
    rows = [line.split("  ")[0] for line in table.partition("\nArm ")[2].splitlines()[1:] if line]
    columns = ["× everything", "worst run", "over", "far", "unsaid", "far words", "newest two, fit", "newest two"]
    assert len(rows) == 7
    assert [name for name in (*rows, *columns) if f"\n  {name}  " not in explained] == []


class _Terminal:
    """A stream that says whether it is a terminal, and keeps what is written."""

    def __init__(self, *, terminal: bool) -> None:
        self.text, self._terminal = "", terminal

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_a_bar_on_a_terminal_and_elsewhere_a_line_now_and_then(terminal: bool) -> None:
    stream = _Terminal(terminal=terminal)
    with ProgressBar(4, stream=stream, seconds=0.0) as bar:  # type: ignore[arg-type]
        bar.add(1)
        bar.add(0)
        bar.add(3)
    assert "100 %" in stream.text
    assert stream.text.endswith("\x1b[K") is terminal
    assert ("25 % done: 1 of 4 requests\n" in stream.text) is not terminal
