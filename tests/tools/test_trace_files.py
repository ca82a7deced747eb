"""Files that are broken, hostile or of another kind: a typed error that says where, and nothing is half-read."""

from __future__ import annotations

import json
import os
import random
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from amb_core.errors import ForbiddenPath, InvalidInput, UnreadableSource
from amb_replay.formats import read_traces
from amb_replay.formats.chat_transcript import MOST_MESSAGES

FILES = Path(__file__).with_name("replay_files")
SAID = {"role": "user", "content": "Find it."}
LINE = json.dumps(SAID)


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Writes a file with this content."""

    def write(content: str | bytes) -> Path:
        path = tmp_path / "run"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def error_of(path: Path, **options: Any) -> str:
    with pytest.raises(UnreadableSource) as caught:
        list(read_traces(path, **options))
    assert str(path) in str(caught.value)
    return str(caught.value)


# --- what is no trace -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", ["{}", "[]", "null", "7", '"text"', '{"role": 1}', '[{"role": "king", "content": ""}]']
)
def test_a_file_in_no_format_is_told_where_the_formats_are_listed(file: Any, content: str) -> None:
    said = error_of(file(content))
    assert "`amb replay --help` lists the formats" in said
    assert "it begins with" in said or "it is empty" in said


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ('{"role": "user", "con', ":1 is no JSON"),
        (f"{LINE}\n{LINE[:-4]}", ":2 is no JSON"),
        (f'[\n{LINE},\n{LINE}', "run is no JSON"),
        (LINE.encode("utf-16"), "UTF-16"),
        (b'{"role": "user", "content": "\xff"}', ":1 is not UTF-8 (byte 29 is 0xff)"),
        (b"\0\0\0\0", "no JSON"),
        ('{"role": "user", "content": "a\0b"}', "no JSON"),
        ("Dear all,\nplease find", "no JSON"),
        (b"\x89PNG\r\n\x1a\n\0\0", "no JSON"),
    ],
)  # fmt: skip
def test_a_broken_file_is_told_where(file: Any, content: str | bytes, told: str) -> None:
    assert told in error_of(file(content))


def test_nothing_of_a_file_that_is_broken_at_its_end_is_given(file: Any) -> None:
    conversation = json.dumps({"messages": [SAID]})
    with pytest.raises(UnreadableSource):
        next(read_traces(file(f"{conversation}\n" * 5 + "{")))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "no regular file" in error_of(tmp_path / "pipe")


# --- bombs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        (f'[{LINE[:-1]}, "n": {"9" * 5_000}}}]', "5,000 digits"),
        (f'[{LINE[:-1]}, "n": 1e999}}]', "too large"),
        (f'[{LINE[:-1]}, "role": "user"}}]', "'role' twice"),
        ("[" + ",".join(["{}"] * 400_000) + "]", "ten times|10 times"),
        ("[" + ",".join(["[]"] * 400_000) + "]", "10 times"),
        ("{" + ",".join(f'"{n}":1' for n in range(200_000)) + "}", "10 times"),
    ],
    ids=["lists", "objects", "digits", "infinite", "twice", "tiny objects", "tiny lists", "many keys"],
)
def test_a_bomb_is_not_read(file: Any, content: str, told: str) -> None:
    assert any(part in error_of(file(content)) for part in told.split("|"))


def test_a_bomb_in_a_text_of_a_span_is_not_opened(file: Any) -> None:
    told = {"gen_ai.input.messages": "[" + ",".join(["[]"] * 400_000) + "]"}
    assert error_of(file(json.dumps({"context": {}, "trace_id": "1", "attributes": told})))


def test_arguments_that_are_nested_deeply_do_no_harm(file: Any) -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": "DEEP"}}
    made = json.dumps([{"role": "assistant", "content": "", "tool_calls": [call]}])
    try:
        (trace,) = read_traces(file(made.replace('"DEEP"', "[" * 700 + "]" * 700)))
    except UnreadableSource:
        return
    assert trace.messages[0]["tool_calls"][0]["function"]["arguments"].startswith("[[[")


def test_a_line_over_the_limit_is_not_read(file: Any) -> None:
    path = file(f'{LINE}\n{{"role": "user", "content": "{"a" * 300_000}"}}\n')
    assert ":2 is a line of more than 200,000 bytes" in error_of(path, largest=200_000)


@pytest.mark.slow
def test_more_messages_than_any_run_has_are_not_read(file: Any) -> None:
    assert "split the file" in error_of(file('{"role":"user","content":""}\n' * (MOST_MESSAGES + 1)))


# --- memory -----------------------------------------------------------------------------------------------------------

PAGE = "Some words of a page that an agent reads. " * 40


def _lines(messages: Iterable[Any]) -> str:
    return "".join(json.dumps(message, ensure_ascii=False) + "\n" for message in messages)


def _calls(count: int) -> Iterator[dict[str, Any]]:
    for n in range(count):
        function = {"name": "find", "arguments": json.dumps({"number": n})}
        yield {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{n}", "function": function}]}
        yield {"role": "tool", "tool_call_id": f"c{n}", "content": "here"}


def _repeating(count: int) -> list[Any]:
    """Requests of which each holds all before it."""
    said = [{"role": "user", "content": f"{n} {PAGE}"} for n in range(count)]
    return [{"messages": said[:n]} for n in range(1, count)]


def _spans(count: int) -> Iterator[dict[str, Any]]:
    """A span for each request, as OTLP has it."""
    for request in _repeating(count):
        told = [
            {"role": one["role"], "parts": [{"type": "text", "content": one["content"]}]} for one in request["messages"]
        ]
        attribute = {"key": "gen_ai.input.messages", "value": {"stringValue": json.dumps(told)}}
        span = {"traceId": "a", "startTimeUnixNano": str(len(told)), "attributes": [attribute]}
        yield {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


SHAPES: dict[str, Callable[[], str]] = {
    "lines": lambda: _lines([{"role": "user", "content": PAGE}] * 500),
    "one list": lambda: json.dumps([{"role": "user", "content": PAGE}] * 500),
    "laid out": lambda: json.dumps([{"role": "user", "content": PAGE}] * 500, indent=1),
    "an emoji": lambda: json.dumps(
        [{"role": "user", "content": PAGE}] * 500 + [SAID | {"content": "😀"}], ensure_ascii=False
    ),
    "Chinese": lambda: _lines([{"role": "user", "content": "码头长八十米。" * 100}] * 400),
    "short calls": lambda: _lines(_calls(4_000)),
    "one long line": lambda: _lines([{"role": "user", "content": PAGE * 500}]),
    "requests": lambda: _lines(_repeating(35)),
    "spans": lambda: _lines(_spans(35)),
    "numbers": lambda: json.dumps([{"messages": [SAID], "vector": [n / 7 for n in range(50_000)]}]),
}


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_reading_takes_at_most_ten_times_the_size_of_a_file(file: Any, shape: str) -> None:
    path = file(SHAPES[shape]())
    size = path.stat().st_size
    assert size > 500_000
    tracemalloc.start()
    try:
        traces = list(read_traces(path))
        assert tracemalloc.get_traced_memory()[1] <= 10 * size
    finally:
        tracemalloc.stop()
    assert traces


# --- fields of another kind -------------------------------------------------------------------------------------------


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield (*path, key)
        yield from _paths(part, (*path, key))


def _spoiled(value: Any, dice: random.Random) -> Any:
    """The value with one of its fields made into something else."""
    value = json.loads(json.dumps(value))
    *way, last = dice.choice(list(_paths(value)))
    at = value
    for key in way:
        at = at[key]
    at[last] = dice.choice([None, 7, "x", [], {}, [[1]], {"a": [None]}, True, -1.5, "[{}]", [None, 3]])
    return value


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "name", sorted(path.name for path in FILES.iterdir() if path.suffix in (".json", ".jsonl", ".traj"))
)
def test_fields_of_any_kind_are_read_or_refused(name: str, tmp_path: Path) -> None:
    text, dice = (FILES / name).read_text(), random.Random(name)
    lines = text.splitlines() if name.endswith("l") else [" ".join(text.splitlines())]
    path = tmp_path / "run"
    for _ in range(40):
        at = dice.randrange(len(lines))
        try:
            spoiled = json.dumps(_spoiled(json.loads(lines[at]), dice))
        except ValueError:  # the console exporter writes one value after another
            return
        path.write_text("\n".join([*lines[:at], spoiled, *lines[at + 1 :]]))
        try:
            traces = list(read_traces(path))
        except UnreadableSource:
            continue
        assert all(isinstance(m["content"], str | list | None) for trace in traces for m in trace.messages)


# --- folders ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two traces, one of them in a folder of the folder, among other things."""
    made = tmp_path / "runs"
    (made / "more").mkdir(parents=True)
    for path in (made / "b.json", made / "more" / "c.txt"):
        path.write_text(json.dumps([SAID]))
    (made / "notes.md").write_text("# Notes")
    (made / "torn.jsonl").write_text(LINE[:-3])
    (made / ".hidden.json").write_text(json.dumps([SAID]))
    return made


def test_a_folder_gives_its_traces_and_tells_what_was_passed_over(folder: Path) -> None:
    skipped: dict[str, InvalidInput] = {}
    traces = list(read_traces(folder, on_skip=lambda path, error: skipped.update({path.name: error})))
    assert [trace.id for trace in traces] == ["b", "c"]
    assert sorted(skipped) == ["notes.md", "torn.jsonl"]
    assert all(str(folder / name) in str(error) for name, error in skipped.items())


def test_a_link_out_of_the_folder_is_not_followed(folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "d.json").write_text(json.dumps([SAID]))
    (folder / "link").symlink_to(outside)
    (folder / "link.json").symlink_to(outside / "d.json")
    skipped: dict[str, InvalidInput] = {}
    traces = list(read_traces(folder, on_skip=lambda path, error: skipped.update({path.name: error})))
    assert [trace.id for trace in traces] == ["b", "c"]
    assert {name for name, error in skipped.items() if isinstance(error, ForbiddenPath)} == {"link", "link.json"}


def test_a_folder_without_a_trace_says_where_the_formats_are_listed(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes")
    assert "`amb replay --help` lists the formats" in error_of(tmp_path)


def test_large_files_that_are_no_json_cost_nothing_and_each_file_is_told_of(folder: Path) -> None:
    with (folder / "disk.img").open("wb") as image:
        image.write(b"\x7fELF")
        image.truncate(60_000_000)
    looked_at: list[str] = []
    began = time.monotonic()
    assert len(list(read_traces(folder, on_file=lambda path: looked_at.append(path.name)))) == 2
    assert time.monotonic() - began < 2
    assert looked_at == ["b.json", "disk.img", "notes.md", "torn.jsonl", "c.txt"]
