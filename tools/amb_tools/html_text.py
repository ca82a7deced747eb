"""An HTML page as readable plain text: headings, lists and tables stay recognisable, scripts and menus go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import BeautifulSoup
    from bs4.element import Tag

__all__ = ["declared_charset", "html_text", "mended", "mended_html_text"]

_DROPPED = frozenset(("head", "title", "script", "style", "nav", "noscript", "template", "svg", "iframe"))
# fmt: off
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "dd", "div", "dl", "dt", "fieldset",
     "figcaption", "figure", "footer", "form", "header", "hr", "html", "main", "ol", "p", "pre", "section",
     "table", "tbody", "tfoot", "thead", "ul"}
)
# fmt: on
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
# Lines are marked with characters that cannot be in the page (see `html_text`), so that its own white space can fold.
_LINE, _PARAGRAPH, _SPACE = "\x00", "\x01", "\x02"
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_VERBATIM = str.maketrans({"\n": _LINE, " ": _SPACE, "\t": _SPACE * 4})


def declared_charset(data: bytes) -> str | None:
    """The charset an HTML page declares in its first 2,048 bytes, or None."""
    found = _CHARSET.search(data[:2_048])
    return found.group(1).decode("ascii") if found else None


def html_text(html: str) -> str:
    """The page's text; headings as `#` lines, list items as `-` lines, table rows as cells parted by ` | `.

    The page title becomes the first heading when the page has no h1. Time and memory are linear in the page.
    """
    return mended_html_text(mended(html))


def mended_html_text(html: str) -> str:
    """`html_text` of a page that `mended` has been through already."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(re.sub(r"[\x00-\x02]", " ", html), "html.parser")
    text = _folded("".join(_marked(soup)))
    title = " ".join(soup.title.get_text(" ").split()) if soup.title else ""
    return f"# {title}\n\n{text}".strip() if title and not soup.find("h1") else text


def _marked(soup: BeautifulSoup) -> Iterator[str]:
    """Texts and marks in document order; a stack instead of recursion, as pages may nest thousands deep."""
    from bs4.element import NavigableString, PageElement, Tag

    stack: list[tuple[PageElement | str, bool]] = [(soup, False)]
    while stack:
        item, verbatim = stack.pop()
        if isinstance(item, str):
            if type(item) is str:
                yield item
            elif type(item) is NavigableString:  # comments and declarations are subclasses
                yield item.translate(_VERBATIM) if verbatim else re.sub(r"\s+", " ", item)
        elif isinstance(item, Tag) and item.name not in _DROPPED:
            before, after = _marks(item)
            yield before
            stack.append((after, False))
            stack.extend((child, verbatim or item.name == "pre") for child in reversed(item.contents))


def _marks(tag: Tag) -> tuple[str, str]:
    """What stands before and after the content of this element."""
    name = tag.name
    if name in _HEADINGS:
        return _PARAGRAPH + "#" * int(name[1]) + _SPACE, _PARAGRAPH
    if name in ("br", "tr"):
        return _LINE, ""
    if name == "li":
        return _LINE + "-" + _SPACE, ""
    if name in ("td", "th"):
        return ("", f"{_SPACE}|{_SPACE}") if tag.find_next_sibling(["td", "th"]) else ("", "")
    if name not in _BLOCKS:
        return "", ""
    inside = tag.parent.name if tag.parent else ""
    if inside in ("li", "td", "th"):  # a paragraph there must not tear the item from its bullet or the row apart
        return " ", " "
    return _PARAGRAPH, _PARAGRAPH


def _folded(marked: str) -> str:
    text = re.sub(r" *([\x00\x01]) *", r"\1", re.sub(r" +", " ", marked))
    text = re.sub(r"\x00*\x01[\x00\x01]*", "\n\n", text)
    text = re.sub(r"\x00{2,}", "\n\n", text).replace(_LINE, "\n")
    return re.sub(r" *\x02 *", " ", text).strip()


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
