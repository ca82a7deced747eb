"""HTML without what parsers stumble over: comments, declarations and tags that never end cost them quadratic time."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["mended"]

_NO_TAG = re.compile(r"<(?![a-z]|/[a-z])", re.IGNORECASE)
_DOCTYPE = re.compile(r"<!doctype[^<>]{0,1000}>", re.IGNORECASE)
_LONGEST_TAG = 20_000


def mended(html: str) -> str:
    """The page without comments, every `<` that opens no tag of a bearable length written as text."""
    whole = _DOCTYPE.sub("", "".join(_without_comments(html)), count=1)
    parts = _NO_TAG.sub("&lt;", whole).split("<")
    return "".join([parts[0], *_tags(parts)])


def _without_comments(html: str) -> Iterator[str]:
    done = 0
    while (start := html.find("<!--", done)) >= 0:
        end = html.find("-->", start + 4)
        if end < 0:  # never closed: what follows may still be the page
            break
        yield html[done:start]
        done = end + 3
    yield html[done:].replace("<!--", "")


def _tags(parts: list[str]) -> Iterator[str]:
    """The pieces behind each `<`; from right to left is known how far the next `>` is."""
    distance = _LONGEST_TAG
    closed: list[bool] = []
    for part in reversed(parts[1:]):
        found = part.find(">")
        distance = found if found >= 0 else distance + len(part) + 1
        closed.append(found >= 0 or distance < _LONGEST_TAG)
    for part, is_closed in zip(parts[1:], reversed(closed), strict=True):
        yield ("<" if is_closed else "&lt;") + part
