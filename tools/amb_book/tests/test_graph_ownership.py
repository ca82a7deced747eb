"""A graph outside the book's own file belongs to one book, though another has a folder of the same name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from amb_book.facts import FactGraph
from amb_book.graph import open_graph
from amb_book.statements import parsed

from amb_book import Story
from amb_core import BookMismatch

Opens = Callable[[str], Story]


@pytest.fixture
def opens(tmp_path: Path) -> Opens:
    """Opens the book "围城" of an author, with the graph that all authors share."""

    def opened(author: str) -> Story:
        return Story(tmp_path / author / "围城", graph=f"sqlite:///{tmp_path / 'graphs.db'}")

    return opened


def dead(story: Story, name: str) -> None:
    story.settle(chapter=1, statements=[{"status": {"of": name, "is": "dead"}}])


def test_two_books_of_one_folder_name_do_not_share_a_graph(opens: Opens) -> None:
    with opens("one") as story:
        dead(story, "林月")
    with pytest.raises(BookMismatch, match=r"another name.*another database"):
        opens("other")
    with opens("one") as story:
        assert [each.name for each in story.facts.entities()] == ["林月"]


def test_a_book_that_was_refused_is_itself_after_its_folder_has_another_name(opens: Opens, tmp_path: Path) -> None:
    opens("one").close()
    with pytest.raises(BookMismatch):
        opens("other")
    (tmp_path / "other" / "围城").rename(tmp_path / "other" / "Siege")
    with Story(tmp_path / "other" / "Siege", graph=f"sqlite:///{tmp_path / 'graphs.db'}") as story:
        dead(story, "Lin Yue")
        assert story.facts.about("Lin Yue").status == "dead"


def test_a_graph_without_a_mark_becomes_that_of_the_first_book_that_opens_it(opens: Opens, tmp_path: Path) -> None:
    with closing(open_graph(f"sqlite:///{tmp_path / 'graphs.db'}", name="围城:facts")) as old:
        FactGraph(old).settle(chapter=1, statements=parsed([{"entity": "Mara", "kind": "character"}]))
    for _ in range(2):
        with opens("one") as story:
            assert [each.name for each in story.facts.entities()] == ["Mara"]
    with pytest.raises(BookMismatch):
        opens("other")


def test_a_book_in_memory_marks_nothing_and_uses_nothing_that_is_marked(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'graphs.db'}"
    for _ in range(2):
        Story(None, graph=url).close()
    Story(tmp_path / "book", graph=url).close()
    with pytest.raises(BookMismatch, match="'book'"):
        Story(None, graph=url)


def test_a_book_that_was_moved_keeps_its_graph(opens: Opens, tmp_path: Path) -> None:
    with opens("one") as story:
        dead(story, "林月")
    (tmp_path / "one").rename(tmp_path / "moved")
    with opens("moved") as story:
        assert story.facts.about("林月").status == "dead"
