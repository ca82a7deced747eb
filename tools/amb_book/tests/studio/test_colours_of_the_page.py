"""The studio has the colours of all of AMB's pages, whose contrast the inspector's tests measure, and none besides."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

PAGE = (
    Path(getattr(find_spec("amb_book.studio"), "origin", None) or "").parent / "page"
)  # not imported: it needs the extra
STYLES = {file.name: file.read_text("utf-8") for file in sorted((PAGE / "styles").glob("*.css"))}


def test_no_style_of_the_studio_has_a_colour_of_its_own() -> None:
    assert [name for name, text in STYLES.items() if re.search(r"#[0-9a-fA-F]{3,8}\b|\brgb|\bhsl", text)] == []
