"""Puts the template pieces and a snapshot's data together into one HTML file."""

from __future__ import annotations

import os
from pathlib import Path

from amb_core.inspector.one_file import PageLanguage, checked_language, one_file, words, write_text
from amb_core.inspector.payload import page_payload
from amb_core.models import BankSnapshot
from amb_core.text import detect_language

__all__ = ["render_page", "write_page"]

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


def render_page(snapshot: BankSnapshot, *, title: str | None = None, language: PageLanguage = "auto") -> str:
    """One self-contained HTML page (text) showing the whole bank; equal snapshots give equal text.

    `title` defaults to the goal; `language` is that of the page's own words ("auto" follows the goal), and can be
    switched on the page. Raises InvalidParameter for an unknown language.
    """
    wanted = checked_language(language)
    shown = detect_language(snapshot.insight.task_goal) if wanted == "auto" else wanted
    payload = page_payload(snapshot) | {"strings": words("words"), "page": {"language": shown, "title": title or ""}}
    return one_file(
        payload,
        title=title or snapshot.insight.task_goal,
        language=shown,
        styles=[f"styles/{name}" for name in _STYLES],
        scripts=[f"scripts/{name}" for name in _SCRIPTS],
    )


def write_page(
    snapshot: BankSnapshot, path: str | os.PathLike[str], *, title: str | None = None, language: PageLanguage = "auto"
) -> Path:
    """Write the page as UTF-8, whole or not at all, and return its path; missing folders are made.

    Raises InvalidParameter when the path names no file and StoreError when the disk will not take it; a page that was
    there before is then unchanged.
    """
    return write_text(render_page(snapshot, title=title, language=language), path)
