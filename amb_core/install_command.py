"""The command that installs AMB or an extra of it the way this AMB was installed; the standard library is enough."""

from __future__ import annotations

import json
import os
import shlex
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

__all__ = ["install_command"]

_NAME = "amb"
_ROOT = Path(__file__).resolve().parents[1]


def install_command(extra: str = "", *, options: str = "") -> str:
    """`pip install …` with these options for AMB with an extra ("": none): from the checkout, folder, file or
    repository that this AMB came from, else from the package index.

    Of a folder or file that is gone, an extra is named by the packages it brings.
    """
    marked = f"[{extra}]" if extra else ""
    wanted = _wanted(marked) or _packages(extra) or _quoted(_NAME + marked)
    return " ".join(filter(None, ("pip install", options, wanted)))


def _wanted(marked: str) -> str:
    """What pip is told where AMB came from no index; "" from an index, or from a place that is gone."""
    if _is_checkout(_ROOT):
        return f"-e {_quoted(_place(_ROOT) + marked)}"
    source = _source()
    url = str(source.get("url") or "")
    parts = urlsplit(url)
    file = Path(url2pathname(unquote(parts.path))) if parts.scheme == "file" else None
    if file is not None and not file.exists():
        return ""
    if "dir_info" in source and file is not None:
        return _quoted(_place(file) + marked)
    if isinstance(kept := source.get("vcs_info"), dict):
        at = f"@{kept['requested_revision']}" if kept.get("requested_revision") else ""
        url = f"{kept.get('vcs', 'git')}+{url}{at}"
    within = f"#subdirectory={source['subdirectory']}" if source.get("subdirectory") else ""
    return _quoted(f"{_NAME}{marked} @ {url}{within}") if url else ""


def _is_checkout(folder: Path) -> bool:
    """Whether the folder holds the sources of AMB."""
    try:
        return f'\nname = "{_NAME}"\n' in (folder / "pyproject.toml").read_text("utf-8")
    except (OSError, ValueError):
        return False


def _place(folder: Path) -> str:
    """The folder as it is named from the working directory: "." there."""
    try:
        return "." if Path.cwd() == folder else str(folder)
    except OSError:
        return str(folder)


def _quoted(text: str) -> str:
    return f'"{text}"' if os.name == "nt" or not set('"$`\\!') & set(text) else shlex.quote(text)


@cache
def _source() -> dict[str, Any]:
    """What pip wrote of where this AMB came from (PEP 610); nothing of one from an index."""
    try:
        told = json.loads(distribution(_NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError, OSError):
        return {}
    return told if isinstance(told, dict) else {}


def _packages(extra: str) -> str:
    """The packages of an extra where the place that AMB came from is gone."""
    if not extra or not _source().get("url"):
        return ""
    mark = f"extra == '{extra}'"
    needed = (each.replace('"', "'").partition(";") for each in distribution(_NAME).requires or ())
    return " ".join(_quoted(name.strip()) for name, _, condition in needed if mark in condition)
