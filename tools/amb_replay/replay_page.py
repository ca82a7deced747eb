"""The report as one HTML file that loads nothing: figures, curves, costs, and any call of any run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from amb_core.inspector.one_file import PageLanguage, checked_language, one_file, write_text
from amb_core.text import detect_language
from amb_replay.replay_report import ReplayReport

__all__ = ["render_replay_page", "shown_language", "write_replay_page"]

_STYLES = ("amb_replay:styles/replay.css",)
# One shared scope, so the order matters: what a file uses at load time stands before it.
_SCRIPTS = (
    "scripts/frame.js",
    "team/scripts/sections.js",
    "scripts/chart.js",
    "amb_replay:scripts/runs.js",
    "amb_replay:scripts/verdict.js",
    "amb_replay:scripts/curves.js",
    "amb_replay:scripts/calls.js",
    "team/scripts/parts_frame.js",
)


def shown_language(report: ReplayReport, language: PageLanguage) -> Literal["en", "zh"]:
    """The language of a report's own words: the one named, or with "auto" that of the first task."""
    wanted = checked_language(language)
    if wanted == "auto":
        return detect_language(report.runs[0].run.goal) if report.runs else "en"
    return wanted


def render_replay_page(report: ReplayReport, *, title: str = "", language: PageLanguage = "auto") -> str:
    """One self-contained HTML page (text) of a report; what traces say is text in it, and never markup or script.

    `title` defaults to the id of the first run. Raises InvalidParameter for an unknown language.
    """
    return one_file(
        {"replay": report.page_data()},
        title=title or (report.runs[0].trace.id if report.runs else "replay"),
        about=report.runs[0].run.goal if report.runs else "",
        language=language,
        wording="amb_replay:words",
        styles=_STYLES,
        scripts=_SCRIPTS,
    )


def write_replay_page(
    report: ReplayReport, path: str | os.PathLike[str], *, title: str = "", language: PageLanguage = "auto"
) -> Path:
    """Write the page as UTF-8, whole or not at all, and return its path; missing folders are made.

    Raises InvalidParameter when the path names no file and StoreError when the disk will not take it.
    """
    return write_text(render_replay_page(report, title=title, language=language), path)
