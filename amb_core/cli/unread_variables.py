"""Variables of the environment that look like AMB's and that nothing reads, such as misspelt settings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path

from amb_core.longterm.longterm_settings import LongTermSettings
from amb_core.registry import GROUPS, registered
from amb_core.settings import CheckedSettings, Settings
from amb_core.team.team_settings import TeamSettings
from amb_core.text.name_finder import TextSettings

__all__ = ["SETTINGS", "unread_names"]

SETTINGS: tuple[type[CheckedSettings], ...] = (Settings, TextSettings, TeamSettings, LongTermSettings)
_NAMED = re.compile(r"\bAMB_[A-Z0-9_]*[A-Z0-9]\b")
_FAMILY = re.compile(r"""f["'](AMB_[A-Z0-9_]*[A-Z0-9]_)\{""")
"""A name in the source, and the beginning of one that is put together there."""
_ALIKE = 0.85


def unread_names(folder: Path | None = None) -> dict[str, str]:
    """By variable of the environment or `.env` of the folder that nothing reads, the name it may be meant for, or "".

    What is read stands in the settings and in the source of the installed packages that bring something to AMB.
    Variables that do not begin with AMB_ are other programs' unless they are nearly the name of a setting.
    """
    read = {name for settings in SETTINGS for name in settings.variables()}
    prefixes = tuple({str(settings.model_config.get("env_prefix")) for settings in SETTINGS})
    told = sorted({name.upper() for name in _told(folder or Path()) if name.upper().startswith(prefixes)} - read)
    if not told:
        return {}
    families: set[str] = set()
    for source in _sources():
        read.update(_NAMED.findall(source))
        families.update(_FAMILY.findall(source))
    unread = [name for name in told if name not in read and not name.startswith(tuple(families))]
    near = {name: next(iter(get_close_matches(name, sorted(read), 1, _ALIKE)), "") for name in unread}
    return {name: meant for name, meant in near.items() if meant or name.startswith("AMB_")}


def _told(folder: Path) -> Iterator[str]:
    """The names of all variables that are set."""
    from dotenv import dotenv_values

    yield from os.environ
    file = folder / ".env"
    if file.is_file():
        yield from dotenv_values(file, interpolate=False)


def _sources() -> Iterator[str]:
    """The source of AMB, and of the packages that bring something to it."""
    modules = {point.module.partition(".")[0] for group in GROUPS for point in registered(group).values()}
    for name in sorted({"amb_core", *modules}):
        spec = find_spec(name)
        for place in (spec and spec.submodule_search_locations) or ():
            for file in sorted(Path(place).rglob("*.py")):
                yield file.read_text("utf-8", errors="replace")
