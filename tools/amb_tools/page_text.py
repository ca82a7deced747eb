"""The answer of a server as a page of text: HTML, PDF, and every kind of plain text, in any charset."""

from __future__ import annotations

import json
import re
from email.message import Message
from html import unescape

from amb_core import UnreadableSource
from amb_files.pdf_text import pdf_text
from amb_files.text_decoder import decode_text, looks_binary
from amb_tools.html_text import declared_charset, mended, mended_html_text
from amb_tools.http_client import Reply
from amb_tools.pages import Page
from amb_tools.tool_errors import PageUnreadable

__all__ = ["page_of"]

_TEXTS = re.compile(r"text/.+|application/(?:[\w.-]+\+)?(?:json|xml|yaml|toml|javascript|x-ndjson|rtf|sql|x-tex)")
_HTML = frozenset(("text/html", "application/xhtml+xml"))
_UNKNOWN = frozenset(("", "application/octet-stream", "binary/octet-stream", "application/force-download"))
_LOOKS_LIKE_HTML = re.compile(
    rb"\s*+(?:(?>(?:<!--.*?-->|<\?xml[^>]*>))\s*+)*+<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_HEADING = re.compile(r"^#[ \t]+(\S.{0,200})$", re.MULTILINE)
# The web calls these by the names of their smaller predecessors.
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "latin-1": "cp1252", "us-ascii": "cp1252",
          "ascii": "cp1252", "big5": "big5hkscs", "shift_jis": "cp932", "euc-kr": "cp949"}  # fmt: skip
_NO_CHARSETS = frozenset(("", "utf-7", "utf7", "idna", "punycode", "unicode_escape", "raw_unicode_escape"))
_FEW = 8
_BROKEN_SHARE = 0.02
_EXTRACTED_UP_TO = 1_000_000
"""Characters of HTML beyond which telling content from furniture takes too long."""
_LEAST_MAIN = 0.1
"""A main text below this share of all text has missed the content more often than it has found it."""


def page_of(reply: Reply) -> Page:
    """The page in an answer; PageUnreadable when it has no text."""
    header = Message()
    header["content-type"] = reply.header("content-type") or "application/octet-stream"
    media_type, body, url = header.get_content_type(), reply.body, reply.location.url
    if not body.strip():
        raise PageUnreadable(f"{url[:200]} is empty; try another source.")
    if body.startswith(b"%PDF-") or media_type == "application/pdf":
        return _pdf_page(url, body)
    if media_type in _UNKNOWN:
        media_type = "text/html" if _LOOKS_LIKE_HTML.match(body[:2_048]) else "text/plain"
    charset = header.get_content_charset()
    if media_type in _HTML:
        return _html_page(url, _decoded(url, body, charset or declared_charset(body)), media_type)
    if not _TEXTS.fullmatch(media_type):
        raise PageUnreadable(f"{url[:200]} is {media_type}, which has no text to read; try another source.")
    text = _decoded(url, body, charset)
    return Page(url, _laid_out(text) if media_type.endswith("json") else text, _heading(text), media_type=media_type)


def _pdf_page(url: str, body: bytes) -> Page:
    try:
        text = pdf_text(body)
    except UnreadableSource as error:
        raise PageUnreadable(f"the PDF {url[:200]} cannot be read: {error}.") from None
    return Page(url, text, media_type="application/pdf")


def _decoded(url: str, body: bytes, declared: str | None) -> str:
    """The text of a body: as it shows, as declared, or with the few bytes that fit nothing replaced.

    What is valid UTF-8 over several characters is UTF-8 whatever is declared; two or three may also be GBK.
    """
    wanted = _known(declared)
    sure = _strictly(body, "utf-8")
    if sure is not None and (wanted is None or not 0 < sum(char > "\x7f" for char in sure[:100_000]) < _FEW):
        return sure
    text = _strictly(body, wanted) if wanted else None
    found = decode_text(body, declared=wanted) if text is None else None
    if text is not None or found is not None:
        return text if text is not None else found.text if found else ""
    if looks_binary(body):
        raise PageUnreadable(f"{url[:200]} is a binary file; try another source.")
    for charset in dict.fromkeys((wanted or "utf-8", "utf-8", "gb18030")):
        text = body.decode(charset, "replace")
        if text.count("\ufffd") <= _BROKEN_SHARE * len(text):
            return _line_feeds(text)
    raise PageUnreadable(f"the charset of {url[:200]} cannot be told; try another source.")


def _strictly(body: bytes, charset: str) -> str | None:
    try:
        text = body.decode(charset)
    except UnicodeError:
        return None
    return None if "\0" in text else _line_feeds(text)


def _known(charset: str | None) -> str | None:
    """The charset under the name of the one the web means by it; None for one nobody knows."""
    name = (charset or "").strip().lower()
    wider = _WIDER.get(name, name)
    try:
        "".encode(wider)
    except (LookupError, ValueError):  # no charset, or none of text
        return None
    return None if wider in _NO_CHARSETS else wider


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _html_page(url: str, html: str, media_type: str) -> Page:
    html = mended(html)
    text = _all_text(html)
    main = _main_text(html, url) if len(html) <= _EXTRACTED_UP_TO else ""
    if len(main) < _LEAST_MAIN * len(text):
        main = ""
    if not text.strip() and not main:
        raise PageUnreadable(f"{url[:200]} shows no text without running scripts; try another source.")
    return Page(url, text or main, _title(html) or _heading(text), main, media_type)


def _all_text(html: str) -> str:
    """Everything readable; empty when the parser gives up."""
    try:
        return mended_html_text(html)
    except Exception:  # noqa: BLE001  what a parser raises for broken pages differs between its releases
        return ""


def _main_text(html: str, url: str) -> str:
    """The content without menus; empty when the library finds none."""
    try:
        import trafilatura

        found = trafilatura.extract(
            html, url=url, output_format="markdown", include_comments=False, include_tables=True, favor_recall=True
        )
    except Exception:  # noqa: BLE001  pages that break the library, or a part of it that is missing: the plain way
        return ""
    return (found or "").strip()


def _title(html: str) -> str:
    head = html[:200_000]
    folded = head.lower()
    start = folded.find(">", folded.find("<title")) + 1 if "<title" in folded and len(folded) == len(head) else 0
    end = folded.find("</title", start)
    return " ".join(unescape(head[start:end]).split())[:300] if 0 < start < end else ""


def _heading(text: str) -> str:
    found = _HEADING.search(text[:20_000])
    return found[1].strip() if found else ""


def _laid_out(text: str) -> str:
    """JSON with line breaks, so that it can be cut into passages; as it is when it is none."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, separators=(",\n", ": "))
    except (ValueError, RecursionError):
        return text
