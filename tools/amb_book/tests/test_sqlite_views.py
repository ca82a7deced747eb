"""A book's file, opened with SQLite's own client."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from amb_book import Story

SAID = [
    {"subject": "林月", "relation": "IS_AT", "object": "青山城", "evidence": "林月到了\ud800青山城。"},
    {"subject": "Mara", "relation": "OWNS", "object": "the bell"},
    {"plan": "book", "kind": "general_outline", "title": "The bell", "status": "InProgress"},
]


def asked(place: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(place / "book.db")) as file:
        return file.execute(query).fetchall()


def test_the_file_reads_as_a_graph(tmp_path: Path) -> None:
    with Story(tmp_path) as story:
        story.settle(chapter=1, statements=SAID[1:])
        story.settle(chapter=4, statements=[{**SAID[1], "subject": "林月"}])
    assert asked(tmp_path, "SELECT subject, relation, object, since, until FROM facts") == [
        ("Mara", "OWNS", "the bell", 1, 4),
        ("林月", "OWNS", "the bell", 4, None),
    ]
    assert asked(tmp_path, "SELECT name, kind, status FROM plan_nodes") == [
        ("The bell", "GeneralOutline", "InProgress")
    ]


def test_text_that_is_no_unicode_does_not_hide_the_rest(tmp_path: Path) -> None:
    with Story(tmp_path) as story:
        story.settle(chapter=1, statements=SAID)
    with Story(tmp_path) as again:
        assert again.facts.about("林月").place == "青山城"
    assert ("Mara", "the bell") in asked(tmp_path, "SELECT subject, object FROM facts")
