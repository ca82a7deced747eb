"""Writing the page: whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from amb_core.errors import InvalidParameter, StoreError
from amb_core.models import BankSnapshot
from amb_inspector import render_page, write_page


def test_an_existing_page_is_replaced(depot: BankSnapshot, bridge: BankSnapshot, tmp_path: Path) -> None:
    write_page(depot, tmp_path / "page.html")
    write_page(bridge, str(tmp_path / "page.html"), title="Second")
    assert (tmp_path / "page.html").read_text("utf-8") == render_page(bridge, title="Second")


def test_a_place_that_takes_no_file_is_named_in_the_error(depot: BankSnapshot, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"file.page\.html cannot be written .*choose another place"):
        write_page(depot, tmp_path / "file" / "page.html")


@pytest.mark.parametrize("name", ["", ".", "bad\0name"])
def test_what_is_no_file_name_is_refused(depot: BankSnapshot, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidParameter):
        write_page(depot, f"{tmp_path}/{name}")
    assert list(tmp_path.iterdir()) == []


def test_a_page_that_cannot_be_put_in_place_leaves_nothing_behind(depot: BankSnapshot, tmp_path: Path) -> None:
    before = tmp_path / "page.html"
    before.mkdir()
    with pytest.raises(InvalidParameter, match="names no file"):
        write_page(depot, before)
    assert list(tmp_path.iterdir()) == [before]
