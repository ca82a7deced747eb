"""The pages of a bank with its history, and of a team: what its agents did, found and noted for one task."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amb_core.models import BankSnapshot
from amb_inspector.one_file import PageLanguage, one_file, write_text
from amb_inspector.payload import page_payload

if TYPE_CHECKING:
    from amb_team.team_export import TeamExport

__all__ = ["render_page", "render_team_page", "write_page", "write_team_page"]

_STYLES = ("inspector.css", "steps.css", "graph.css")
# One shared scope, so the order matters: what a file uses at load time stands before it.
_SCRIPTS = (
    "frame.js",
    "bank.js",
    "parts.js",
    "slider.js",
    "layout.js",
    "labels.js",
    "canvas.js",
    "graph.js",
    "chart.js",
    "token_chart.js",
    "receipts.js",
    "gain.js",
    "overview.js",
    "reasons.js",
    "turns.js",
    "conflicts.js",
    "records.js",
    "detail.js",
    "main.js",
)


def render_page(
    snapshot: BankSnapshot, *, title: str | None = None, language: PageLanguage = "auto", model: str = ""
) -> str:
    """One self-contained HTML page (text) showing the whole bank; equal snapshots give equal text.

    `title` defaults to the goal; `language` is that of the page's own words ("auto" follows the browser, else the
    goal), and can be switched on the page. `model` is the name of the agent's model, whose price says what the saved
    tokens would have cost. Raises InvalidParameter for an unknown language.
    """
    return one_file(
        page_payload(snapshot, model=model),
        title=title or "",
        about=snapshot.insight.task_goal,
        language=language,
        wording="words",
        styles=[f"styles/{name}" for name in _STYLES],
        scripts=[f"scripts/{name}" for name in _SCRIPTS],
    )


def write_page(
    snapshot: BankSnapshot,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    language: PageLanguage = "auto",
    model: str = "",
) -> Path:
    """Write the page as UTF-8, whole or not at all, and return its path; missing folders are made.

    Raises InvalidParameter when the path names no file and StoreError when the disk will not take it; a page that was
    there before is then unchanged.
    """
    return write_text(render_page(snapshot, title=title, language=language, model=model), path)


_TEAM_STYLES = ("team/styles/team.css",)
# One shared scope, so the order matters: what a file uses at load time stands before it.
_TEAM_SCRIPTS = (
    "scripts/frame.js",
    "team/scripts/sections.js",
    "team/scripts/team.js",
    "team/scripts/hops.js",
    "team/scripts/knowledge.js",
    "team/scripts/agents.js",
    "team/scripts/outcome.js",
    "team/scripts/parts_frame.js",
)


def render_team_page(
    snapshot: TeamExport | Mapping[str, Any], *, title: str | None = None, language: PageLanguage = "auto"
) -> str:
    """One self-contained HTML page (text) of a snapshot of TeamMemory; equal snapshots give equal text.

    With a snapshot of everything the page holds each agent's private notes, and says so. `title` defaults to the task;
    `language` is that of the page's own words ("auto" follows the browser, else the task), and can be switched there.
    Raises InvalidInput for what is no snapshot of a team, InvalidParameter for an unknown language.
    """
    from amb_team.team_export import TeamExport  # long-term memory comes with it: not for the page of a bank

    team = snapshot if isinstance(snapshot, TeamExport) else TeamExport.of(snapshot)
    return one_file(
        {"team": team.model_dump(mode="json")},
        title=title or "",
        about=team.task,
        language=language,
        wording="team/words",
        styles=_TEAM_STYLES,
        scripts=_TEAM_SCRIPTS,
    )


def write_team_page(
    snapshot: TeamExport | Mapping[str, Any],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    language: PageLanguage = "auto",
) -> Path:
    """Write the page of a team as UTF-8, whole or not at all, and return its path; missing folders are made.

    Raises InvalidParameter when the path names no file and StoreError when the disk will not take it; a page that was
    there before is then unchanged.
    """
    return write_text(render_team_page(snapshot, title=title, language=language), path)
