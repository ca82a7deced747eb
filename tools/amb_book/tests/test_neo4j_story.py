"""A whole book whose graphs are on a server says what one in a file says, also after the server was killed.

The server is ArcadeDB, which speaks Bolt and can be killed here; what Neo4j itself does was not tested.
"""

from __future__ import annotations

import runpy
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from amb_book import Story
from amb_core.errors import BookMismatch, StoreError, UnknownId

_SERVED = runpy.run_path(str(Path(__file__).with_name("bolt_server.py")))
BoltServer, can_serve_bolt = _SERVED["BoltServer"], _SERVED["can_serve_bolt"]
neo4j = pytest.importorskip("neo4j", reason="needs the neo4j extra")
pytestmark = [
    pytest.mark.neo4j,
    pytest.mark.skipif(not can_serve_bolt(), reason="needs arcadedb-embedded, which `make test-neo4j` installs"),
]

PLAN: list[dict[str, Any]] = [
    {"plan": "book", "kind": "general_outline", "title": "围城"},
    {"plan": "war", "kind": "long_outline", "title": "The war", "within": "book"},
    {"plan": "siege", "kind": "short_outline", "title": "The siege", "within": "war", "storyline": "Lin Yue"},
    {"plan": "walls", "kind": "step", "title": "The walls", "within": "siege", "status": "InProgress"},
    {"plan": "breach", "kind": "step", "title": "The breach", "within": "siege"},
]
CHAPTERS: list[list[dict[str, Any]]] = [
    [
        {"entity": "Lin Yue", "kind": "character", "aliases": ["林月"], "properties": {"age": 31, "titles": ["seer"]}},
        {"subject": "Lin Yue", "relation": "IS_AT", "object": "玉门关", "evidence": "她到了玉门关。"},
        {"subject": "Lin Yue", "relation": "OWNS", "object": "the jade pendant"},
        {"subject": "Lin Yue", "relation": "ALLY_OF", "object": "Qiu Han"},
        {"hook": "whose pendant?", "status": "Unresolved", "text": "Who wore it first?"},
        {"lore": "tides", "text": "Two moons pull the sea."},
        *PLAN,
    ],
    [
        {"entity": "Lin Yue", "kind": "character"},
        {"subject": "Qiu Han", "relation": "OWNS", "object": "the jade pendant"},
        {"subject": "Qiu Han", "relation": "ALLY_OF", "object": "Lin Yue", "until": True},
        {"subject": "Lin Yue", "relation": "FEARS", "object": "the Wolf"},
        {"plan": "walls", "status": "Completed"},
    ],
    [
        {"entity": "the Wolf", "kind": "faction"},
        {"status": {"of": "Qiu Han", "is": "dead"}},
        {"hook": "whose pendant?", "status": "Resolved"},
        {"plan": "breach", "status": "InProgress"},
    ],
]
TEXT = "Lin Yue came to the gate.\n\n“We hold,” said Qiu Han. Lin Yue took the jade pendant."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltServer]:
    server = BoltServer(tmp_path_factory.mktemp("bolt"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def books(server: BoltServer, tmp_path: Path) -> Iterator[Callable[..., list[Story]]]:
    """Opens the same book in a file and on the server, any number of times."""
    opened: list[Story] = []

    def both() -> list[Story]:
        for story in opened:
            story.close()
        opened[:] = [Story(tmp_path / "file"), Story(tmp_path / f"{tmp_path.name} 书", graph=server.url)]
        return opened

    yield both
    for story in opened:
        story.close()


def settle(story: Story) -> None:
    for number, statements in enumerate(CHAPTERS, 1):
        story.settle(chapter=number, statements=statements, title=f"第{number}章", id=f"s{number}")


def told(story: Story) -> dict[str, Any]:
    """All that a book says, as of every chapter."""
    facts, said = story.facts, {}
    for at in range(6):
        people = facts.entities(at=at)
        said[f"as of {at}"] = [
            facts.facts(at=at),
            people,
            facts.chapters(at=at),
            facts.hooks(at=at),
            facts.mentions("林月, Qiu Han and the Wolf", at=at),
            [(facts.about(each.id, at=at), facts.timeline(each.id, at=at)) for each in people],
            story.check(TEXT, at=at),
        ]
    said["now"] = [story.position(), story.plan.parts(), story.plan.upcoming(), story.lore.entries()]
    return said


def graphs(story: Story) -> list[Any]:
    """Nodes and edges with all that is kept of them, in their order."""
    return [each for part in (story.facts, story.plan) for each in (part._graph.nodes(), part._graph.edges())]


def test_a_book_on_a_server_says_what_one_in_a_file_says(books: Callable[..., list[Story]]) -> None:
    for story in books():
        settle(story)
    one, other = books()
    assert told(one) == told(other)
    assert graphs(one) == graphs(other)
    kept = str(graphs(other))
    assert all(f"'{name}'" in kept for name in ("ended", "named", "guessed", "since", "settlement", "storyline"))
    for story in books():
        assert story.undo("s2") == 3
        story.settle(
            chapter=3, statements=[{"subject": "Lin Yue", "relation": "IS_AT", "object": "the breach"}], id="x"
        )
    one, other = books()
    assert told(one) == told(other)
    assert graphs(one) == graphs(other)


def test_what_is_confirmed_while_the_server_is_away_is_carried_over_once(
    server: BoltServer, books: Callable[..., list[Story]]
) -> None:
    settle(books()[0])
    away = books()[1]
    away.settle(chapter=1, statements=CHAPTERS[0], title="第1章", id="s1")
    server.kill()
    try:
        for number in (2, 3):
            with pytest.raises(StoreError, match="does not answer"):
                away.settle(chapter=number, statements=CHAPTERS[number - 1], title=f"第{number}章", id=f"s{number}")
        assert [entry.state for entry in away.log.entries()] == ["applied", "confirmed", "confirmed"]
    finally:
        server.start()
    for _ in range(2):
        one, other = books()
        assert told(one) == told(other)
        assert {entry.state for entry in other.log.entries()} == {"applied"}


def test_what_is_undone_while_the_server_is_away_is_taken_back_once(
    server: BoltServer, books: Callable[..., list[Story]]
) -> None:
    one, away = books()
    for story in (one, away):
        settle(story)
    one.undo("s2")
    server.kill()
    try:
        with pytest.raises(StoreError, match="does not answer"):
            away.undo("s2")
        assert away.log.get("s2").state == "undoing"
    finally:
        server.start()
    for _ in range(2):
        one, other = books()
        assert told(one) == told(other)
        assert other.log.get("s2").state == "undone"
    with pytest.raises(UnknownId):
        other.undo("s2")


def test_an_undoing_that_ended_on_the_server_alone_ends_in_the_file_too(books: Callable[..., list[Story]]) -> None:
    story = books()[1]
    settle(story)
    story.log.mark("s2", "undoing")  # as a process leaves it that was killed between the two
    story.facts.undo("s2")
    again = books()[1]
    assert again.log.get("s2").state == "undone"
    again.settle(chapter=2, statements=CHAPTERS[1], title="第2章", id="s2")
    assert again.undo("s2") == 3


@pytest.mark.parametrize("seconds", [0.1, 0.6])
def test_a_server_killed_in_the_middle_of_settling_loses_and_doubles_nothing(
    seconds: float, server: BoltServer, books: Callable[..., list[Story]]
) -> None:
    one, other = books()
    settle(one)
    death = threading.Timer(seconds, server.kill)
    death.start()
    with suppress(StoreError):
        settle(other)
    death.join()
    server.start()
    one, other = books()
    settle(other)
    assert told(one) == told(other)
    assert {entry.state for entry in other.log.entries()} == {"applied"}


def asked(server: BoltServer, statement: str, **values: str) -> list[tuple[Any, ...]]:
    """What the engine's own client answers."""
    password, _, address = server.url.removeprefix("bolt://root:").partition("@")
    host, _, database = address.partition("/")
    with neo4j.GraphDatabase.driver(f"bolt://{host}", auth=("root", password)) as driver:
        found = driver.execute_query(statement, values, database_=database)
        return [tuple(row.values()) for row in found.records]


def test_a_reader_asks_the_server_in_cypher(server: BoltServer, books: Callable[..., list[Story]]) -> None:
    story = books()[1]
    settle(story)
    book = story.facts._graph.name  # type: ignore[attr-defined]
    owners = "MATCH (who:Character {book: $book})-[r:OWNS]->(what:Item)"
    assert asked(server, f"{owners} RETURN who.name, what.name, r.since, r.until ORDER BY r.since", book=book) == [
        ("Lin Yue", "the jade pendant", 1, 2),
        ("Qiu Han", "the jade pendant", 2, None),
    ]
    early = "MATCH (who:Character {book: $book}) WHERE who.since <= 1 RETURN who.name ORDER BY who.name"
    assert asked(server, early, book=book) == [("Lin Yue",), ("Qiu Han",)]
    ended = "MATCH ({book: $book})-[r:ALLY_OF]->() WHERE r.ended RETURN r.since, r.until"
    assert asked(server, ended, book=book) == [(2, 2)]


def test_two_books_of_one_folder_name_do_not_share_a_graph_on_the_server(server: BoltServer, tmp_path: Path) -> None:
    with Story(None, graph=server.url) as old:
        old.settle(chapter=1, statements=CHAPTERS[0], id="s1")
    for _ in range(2):  # a graph without a mark becomes that of the first who opens it
        with Story(tmp_path / "one" / "book", graph=server.url) as story:
            assert "Lin Yue" in [each.name for each in story.facts.entities()]
            story.settle(chapter=2, statements=CHAPTERS[1], id="s2")
    for other in (tmp_path / "other" / "book", None):
        with pytest.raises(BookMismatch, match="another name"):
            Story(other, graph=server.url)
