"""A graph outside the book's own file belongs to one book, though another has a folder of the same name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

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


def test_a_book_that_was_refused_is_itself_after_its_folder_has_another_name(opens: Opens, tmp_path: Path) -> None:
    opens("one").close()
    with pytest.raises(BookMismatch):
        opens("other")
    (tmp_path / "other" / "围城").rename(tmp_path / "other" / "Siege")
    with Story(tmp_path / "other" / "Siege", graph=f"sqlite:///{tmp_path / 'graphs.db'}") as story:
        dead(story, "Lin Yue")
        assert story.facts.about("Lin Yue").status == "dead"
