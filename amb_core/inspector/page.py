"""Puts the template pieces and a snapshot's data together into one HTML file."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import threading
import unicodedata
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, Literal

from amb_core.errors import InvalidParameter, StoreError
from amb_core.inspector.payload import json_for_html, page_payload
from amb_core.models import BankSnapshot
from amb_core.text import detect_language

__all__ = ["render_page", "write_page"]

PageLanguage = Literal["auto", "en", "zh"]

_STYLES = (
    "elements.css",
    "frame.css",
    "parts.css",
    "overview.css",
    "turns.css",
    "conflicts.css",
    "records.css",
    "graph.css",
    "detail.css",
    "narrow.css",
)
# One shared scope, so the order matters: what a file uses at load time stands before it.
_SCRIPTS = (
    "dom.js",
    "bank.js",
    "parts.js",
    "layout.js",
    "labels.js",
    "canvas.js",
    "graph.js",
    "chart.js",
    "receipts.js",
    "overview.js",
    "turns.js",
    "conflicts.js",
    "records.js",
    "detail.js",
    "main.js",
)
_TITLE_CHARS = 120


def render_page(snapshot: BankSnapshot, *, title: str | None = None, language: PageLanguage = "auto") -> str:
    """One self-contained HTML page (text) showing the whole bank; equal snapshots give equal text.

    `title` defaults to the goal; `language` is that of the page's own words ("auto" follows the goal), and can be
    switched on the page. Raises InvalidParameter for an unknown language.
    """
    if language not in ("auto", "en", "zh"):
        raise InvalidParameter(f"{language!r} is no language of the page. Use 'auto', 'en' or 'zh'.")
    shown = language if language != "auto" else detect_language(snapshot.insight.task_goal)
    payload = page_payload(snapshot) | {"strings": _strings(), "page": {"language": shown, "title": title or ""}}
    style, script = _joined("styles", _STYLES), _joined("scripts", _SCRIPTS)
    return Template(_piece("page.html")).substitute(
        language="zh-CN" if shown == "zh" else "en",
        title=html.escape(_one_line(title or snapshot.insight.task_goal)),
        policy=_content_policy(style, script),
        style=style,
        script=script,
        data=json_for_html(payload),
    )


def write_page(
    snapshot: BankSnapshot, path: str | os.PathLike[str], *, title: str | None = None, language: PageLanguage = "auto"
) -> Path:
    """Write the page as UTF-8, whole or not at all, and return its path; missing folders are made.

    Raises InvalidParameter when the path names no file and StoreError when the disk will not take it; a page that was
    there before is then unchanged.
    """
    page = render_page(snapshot, title=title, language=language).encode("utf-8")
    target = Path(path)
    if not target.name or "\0" in target.name or target.is_dir():
        raise InvalidParameter(f"{str(target)!r} names no file. Pass the path of the page, such as 'page.html'.")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(page)
        unfinished.replace(target)
    except OSError as error:
        _discard(unfinished)
        raise StoreError(f"{target} cannot be written ({error.strerror or error}); choose another place") from error
    return target


def _discard(unfinished: Path) -> None:
    """Remove what was written so far; where even that is refused there was nothing."""
    with suppress(OSError):
        unfinished.unlink(missing_ok=True)


@cache
def _piece(name: str) -> str:
    return resources.files("amb_core.inspector").joinpath("template", name).read_text(encoding="utf-8")


def _joined(folder: str, names: tuple[str, ...]) -> str:
    return "\n".join(_piece(f"{folder}/{name}") for name in names)


@cache
def _strings() -> dict[str, Any]:
    return {language: json.loads(_piece(f"words/{language}.json")) for language in ("en", "zh")}


def _content_policy(style: str, script: str) -> str:
    """Allows exactly this style and this script, and no other source of anything; HTML from text is refused too."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash_source(script)}",
            f"style-src {_hash_source(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash_source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _one_line(text: str) -> str:
    """The start of the text without line breaks and without characters that cannot be seen or written."""
    unseen = ("Cc", "Cf", "Cs")
    start = (" " if unicodedata.category(char) in unseen else char for char in text[: 4 * _TITLE_CHARS])
    line = " ".join("".join(start).split())
    return line if len(line) <= _TITLE_CHARS else line[: _TITLE_CHARS - 1].rstrip() + "…"
