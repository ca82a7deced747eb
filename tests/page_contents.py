"""What stands on a page of one file: its tags, and the data it is given. Loaded with `runpy.run_path`."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

__all__ = ["data", "data_block", "tags"]


def tags(page: str) -> list[str]:
    """The tags that open and close, in order."""
    found: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.append(tag)  # type: ignore[method-assign]
    parser.handle_endtag = lambda tag: found.append("/" + tag)  # type: ignore[method-assign]
    parser.feed(page)
    return found


def data_block(page: str) -> str:
    """The text of the script that holds the page's data."""
    match = re.search(r'<script type="application/json" id="amb-data">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    return match[1]


def data(page: str) -> Any:
    """The data that the page is given."""
    return json.loads(data_block(page))
