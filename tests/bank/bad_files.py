# ruff: noqa: E501
"""Files no caller should pass: exports that were changed, documents that are bombs or torn, and command lines."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from amb_cli import main
from amb_core import MemoryBank, UnreadableSource
from amb_core.errors import InvalidExport
from amb_tools.corpus import read_corpus

Change = Callable[[dict[str, Any]], object]


def loaded(at: Any, text: str) -> MemoryBank:
    """Load a file with this text into a new store; one that is refused leaves no store behind."""
    store = at.fresh_store()
    try:
        return MemoryBank.load(at.file("changed.json", text), store=store)
    finally:
        assert not Path(store.removeprefix("sqlite:///")).exists()


def changed(at: Any, change: Change) -> MemoryBank:
    """Load the export of a bank with everything in it, after a change to its data."""
    data = json.loads(at.exported().read_text(encoding="utf-8"))
    change(data)
    return loaded(at, json.dumps(data))


def puts(name: str, value: Any, *path: Any) -> Change:
    """A change that sets one field of a list's first item, or what `path` leads to."""

    def change(data: dict[str, Any]) -> None:
        place = data[name][0] if not path else data[name]
        for step in path[:-1]:
            place = place[step]
        place[path[-1] if path else value[0]] = value if path else value[1]

    return change


def twice(name: str) -> Change:
    return lambda data: data[name].append(data[name][0])


HEAD = '{"format": "amb-task-memory", "version": 1'
IMPORTS: list[tuple[str, Callable[[Any], Any], type[Exception]]] = [
    (f"import: {name}", lambda at, change=change: changed(at, change), InvalidExport)
    for name, change in {
        "another format": lambda d: d.update(format="zip"),
        "no format": lambda d: d.pop("format"),
        "a newer version": lambda d: d.update(version=99),
        "a version that is text": lambda d: d.update(version="1"),
        "a version that is true": lambda d: d.update(version=True),
        "version zero": lambda d: d.update(version=0),
        "no version": lambda d: d.pop("version"),
        "a part nobody knows": lambda d: d.update(extra=1),
        "no Insight Doc": lambda d: d.pop("insight"),
        "an empty goal": puts("insight", "  ", "task_goal"),
        "a goal that is a number": puts("insight", 5, "task_goal"),
        "an id that leads out of the folder": puts("insight", "../../etc", "doc_id"),
        "two pending steps": lambda d: d["insight"]["pending_tasks"].extend(d["insight"]["pending_tasks"] * 2),
        "a step of a type nobody knows": puts("insight", "DELETE", "pending_tasks", 0, "type"),
        "a step about a conflict that is not there": puts("insight", "c99", "pending_tasks", 0, "conflict_id"),
        "notes that are text": lambda d: d.update(nodes="n1"),
        "a note twice": twice("nodes"),
        "an entry twice": twice("entries"),
        "a digestion twice": twice("digestions"),
        "a conflict twice": twice("conflicts"),
        "a merge twice": twice("merges"),
        "a note with a full-width id": puts("nodes", ("id", "ｎ1")),
        "a note with a Cyrillic id": puts("nodes", ("id", "\u043f1")),
        "a note with an invisible id": puts("nodes", ("id", "n1\u200b")),
        "a note with an Arabic digit": puts("nodes", ("id", "n\u0661")),
        "a note with a leading zero": puts("nodes", ("id", "n01")),
        "a note with a negative id": puts("nodes", ("id", "n-1")),
        "a note with an endless id": puts("nodes", ("id", "n" + "9" * 5000)),
        "a note that is an entry": puts("nodes", ("id", "e1")),
        "an entry without a digestion": lambda d: d["digestions"].pop(),
        "a digestion without an entry": puts("digestions", ("entry_id", "e99")),
        "an entry that repeats itself": puts("digestions", ("repeat_of", "e1")),
        "an entry that repeats a repeat": lambda d: [x.update(repeat_of="e5") for x in d["digestions"][1:]],
        "a digestion in a state nobody knows": puts("digestions", ("state", "eaten")),
        "a span past the end": puts("nodes", 10**9, 0, "sources", 0, "end"),
        "a span before the start": puts("nodes", -1, 0, "sources", 0, "start"),
        "a span turned round": lambda d: d["nodes"][0]["sources"][0].update(start=9, end=2),
        "a span of an entry that is not there": puts("nodes", "e99", 0, "sources", 0, "entry_id"),
        "a refuted span past the end": puts("nodes", ("refuted", [{"entry_id": "e1", "start": 0, "end": 10**6}])),
        "a link to itself": lambda d: d["links"].append({"a": d["nodes"][0]["id"], "b": d["nodes"][0]["id"]}),
        "a link to nothing": lambda d: d["links"].append({"a": d["nodes"][0]["id"], "b": "n99"}),
        "a conflict of one side": puts("conflicts", ("node_ids", ["n1"])),
        "a conflict with itself": puts("conflicts", ("node_ids", ["n1", "n1"])),
        "a conflict of a note that is not there": lambda d: d["conflicts"].append(
            {"id": "c50", "node_ids": ["n1", "n77"], "description": "x", "status": "open"}
        ),
        "merges in a circle": puts("merges", ("merged_node_ids", ["n99", "n98"])),
        "a merge into itself": lambda d: d["merges"][0].update(new_node_id=d["merges"][0]["merged_node_ids"][0]),
        "a merge whose sides are not kept": lambda d: d.update(archive=[]),
        "an archived note of no merge": puts("archive", ("event_id", "m99")),
        "a time that is no number": puts("nodes", ("timestamp", float("nan"))),
        "a time without end": puts("entries", ("timestamp", float("inf"))),
        "a time before the epoch": puts("entries", ("timestamp", -1.0)),
        "a time that is text": puts("entries", ("timestamp", "noon")),
        "a vector without an embedder": puts("nodes", ("embedding", "AAAAAA==")),
        "a vector that is no base64": puts("nodes", ("embedding", "%%%")),
        "a counter of nobody": lambda d: d["counters"].update(zz=1),
        "a counter below zero": lambda d: d["counters"].update(n=-4),
        "a counter without end": lambda d: d["counters"].update(n=10**30),
        "text that is a number": puts("entries", ("text", 5)),
    }.items()
] + [
    (f"import: {name}", lambda at, text=text: loaded(at, text), InvalidExport)
    for name, text in {
        "torn": HEAD + ', "insight": {"doc_id": "d',
        "no object": "[1, 2, 3]",
        "a number": "7",
        "nothing": "null",
        "text": '"amb-task-memory"',
        "a brace bomb": "[" * 200_000,
        "an object bomb": '{"a":' * 200_000,
        "a deep part": HEAD + ', "insight": ' + "[" * 50_000 + "]" * 50_000 + "}",
        "a number without end": HEAD + ', "insight": ' + "9" * 50_000 + "}",
        "only white space": " \n" * 100,
        "no JSON": "PK\x03\x04 zip",
    }.items()
]


def pdf(*objects: bytes, root: int = 1) -> bytes:
    """A PDF of these objects with a table of where they are."""
    data, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    trailer = b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, root, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


def stream(data: bytes, extra: bytes = b"") -> bytes:
    return b"<</Length %d%b>>\nstream\n%b\nendstream" % (len(data), extra, data)


def flate(data: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        data = zlib.compress(data, 9)
    return stream(data, b"/Filter[%b]" % (b"/FlateDecode" * times))


CATALOG, PAGES = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>"


def page_tree(depth: int) -> bytes:
    """Pages within pages within pages."""
    nodes = [b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % (number + 3) for number in range(depth)]
    return pdf(CATALOG, *nodes, b"<</Type/Page/MediaBox[0 0 9 9]>>")


BOMBS: dict[str, Callable[[], bytes]] = {
    "bomb.pdf": lambda: pdf(CATALOG, PAGES, PAGE, flate(b"\0" * 80_000_000)),
    "bomb-twice.pdf": lambda: pdf(CATALOG, PAGES, PAGE, flate(b"\0" * 60_000_000, 2)),
    "circle.pdf": lambda: pdf(CATALOG, b"<</Type/Pages/Kids[2 0 R]/Count 1>>"),
    "circle-two.pdf": lambda: pdf(CATALOG, b"<</Type/Pages/Kids[3 0 R]/Count 1>>", b"<</Type/Pages/Kids[2 0 R]/Count 1>>"),
    "circle-contents.pdf": lambda: pdf(CATALOG, PAGES, PAGE, b"[4 0 R 4 0 R]"),
    "own-length.pdf": lambda: pdf(CATALOG, PAGES, PAGE, b"<</Length 4 0 R>>\nstream\nBT ET\nendstream"),
    "deep.pdf": lambda: page_tree(3_000),
    "count.pdf": lambda: pdf(CATALOG, b"<</Type/Pages/Kids[]/Count 999999999>>"),
    "many.pdf": lambda: pdf(CATALOG, b"<</Type/Pages/Kids[" + b"3 0 R " * 2_500 + b"]/Count 2500>>", PAGE, stream(b"BT ET")),
    "nested.pdf": lambda: pdf(CATALOG, PAGES, PAGE, stream(b"[" * 200_000)),
    "dictionaries.pdf": lambda: pdf(b"<</A" * 20_000 + b">>" * 20_000),
    "xref.pdf": lambda: b"%PDF-1.4\nxref\n0 99999999\ntrailer\n<</Size 9/Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF",
    "head-only.pdf": lambda: b"%PDF-1.7\n",
    "scan.pdf": lambda: pdf(CATALOG, PAGES, PAGE, stream(b"q Q")),
    "empty.txt": lambda: b"",
    "blank.md": lambda: b" \n\t\n",
    "binary.txt": lambda: bytes(range(256)) * 50,
    "latin.txt": lambda: "caf\xe9 na\xefve".encode("latin-1"),
    "image.png": lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 99,
    "empty.html": lambda: b"<html><script>x()</script></html>",
    "empty.pdf": lambda: b"",
}  # fmt: skip


def unreadable(name: str) -> Callable[[Any], Any]:
    return lambda at: read_corpus(at.bytes_file(name, BOMBS[name]()))


DOCUMENTS: list[tuple[str, Callable[[Any], Any], type[Exception]]] = [
    *((f"document: {name}", unreadable(name), UnreadableSource) for name in BOMBS),
    ("document: missing", lambda at: read_corpus(at.folder / "none.txt"), UnreadableSource),
    ("document: an empty folder", lambda at: read_corpus(at.subfolder()), UnreadableSource),
    ("document: a pipe", lambda at: read_corpus(at.pipe()), UnreadableSource),
    ("document: a device", lambda at: read_corpus("/dev/zero"), UnreadableSource),
    ("document: a link in a circle", lambda at: read_corpus(at.link("ring.txt", "ring.txt")), UnreadableSource),
    ("document: NUL in the path", lambda at: read_corpus("a\0b"), UnreadableSource),
    ("document: over the limit", lambda at: read_corpus(at.file("a.txt", "x" * 99), max_bytes=10), UnreadableSource),
    ("document: a path that is a number", lambda at: read_corpus(5), UnreadableSource),
    ("document: an empty path", lambda at: read_corpus(""), UnreadableSource),
]


class Refused(Exception):
    """What a command line that was refused is turned into: its one line of text."""


def command(*words: str) -> Callable[[Any], Any]:
    """Run `amb` with these words, `{…}` filled in; Refused unless it ended with 0."""

    def run(at: Any) -> None:
        filled: Sequence[str] = [at.filled(word) for word in words]
        try:
            code = main(filled)
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        if code:
            said = at.capsys.readouterr().err.strip()
            assert code in (1, 2)
            assert "Traceback" not in said
            raise Refused(said.splitlines()[-1])

    return run


COMMANDS: list[tuple[str, Callable[[Any], Any], type[Exception]]] = [
    (f"amb {' '.join(words)}", command(*words), Refused)
    for words in (
        ("fly",),
        ("run",),
        ("run", "q"),
        ("run", "", "--corpus", "{text}", "--out", "{folder}/o"),
        ("run", "q", "--corpus", ""),
        ("run", "q", "--corpus", "{folder}/none"),
        ("run", "q", "--corpus", "{empty}", "--out", "{folder}/o"),
        ("run", "q", "--corpus", "{text}", "--pieces", "0"),
        ("run", "q", "--corpus", "{text}", "--pieces", "many"),
        ("run", "q", "--corpus", "{text}", "--rounds", "-1"),
        ("run", "q", "--corpus", "{text}", "--out", "{text}"),
        ("run", "q", "--corpus", "{text}", "--out", "{folder}/o", "--embedder", "magic"),
        ("run", "q", "--corpus", "{text}", "--out", "{folder}/o", "--store", "redis://x"),
        ("inspect", "{folder}/none.json", "-o", "{folder}/p.html"),
        ("inspect", "{text}", "-o", "{folder}/p.html"),
        ("inspect", "{export}", "-o", "{text}/p.html"),
        ("inspect", "{export}", "-o", "{folder}"),
        ("export", "memory://", "{folder}/m.json"),
        ("export", "sqlite:///{folder}/none.db", "{folder}/m.json"),
        ("export", "sqlite:///{text}", "{folder}/m.json"),
        ("import", "{text}", "sqlite:///{folder}/t.db"),
        ("import", "{export}", "sqlite:///{folder}"),
        ("import", "{export}", "nowhere://"),
        ("bench", "nothing-of-the-kind"),
        ("bench", "speed", "--data"),
        ("demo", "--budget", "-3"),
    )
]
