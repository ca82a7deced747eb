"""What `amb doctor` checks: interpreter, packages and what they bring, round trips through two stores, chat model."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, distributions, metadata, version
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from amb_core.errors import AmbError, ForeignPackage, InvalidParameter
from amb_core.install_command import install_command
from amb_core.registry import GROUPS, registered
from amb_core.stores.openers import CheckedOpener, opener_of

if TYPE_CHECKING:
    from amb_core.protocols import ChatModel
    from amb_core.settings import CheckedSettings

__all__ = ["Check", "checks", "foreign_packages", "settings_kinds", "store_checks", "unread_names"]

_OF_EXTRA = re.compile(r"""([\w.-]+).*;.*\bextra == ['"]([\w.-]+)['"]""")
_OURS = re.compile(r"^\"?amb_core/", re.MULTILINE)
_CALL_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Check:
    """One finding; a missing extra is no failure."""

    name: str
    ok: bool
    detail: str


def store_checks(url: str) -> Iterator[Check]:
    """What is to be said of the store at a URL; InvalidParameter where nothing is known of such a URL."""
    opener = opener_of(url)
    if not isinstance(opener, CheckedOpener):
        raise InvalidParameter("`amb doctor URL` looks at servers, such as postgresql://…; a file needs no check.")
    yield from (Check(*finding) for finding in opener.findings(url))


def checks(*, call: bool = False, through: Callable[[ChatModel], ChatModel] = lambda chat: chat) -> Iterator[Check]:
    """All findings, the quick ones first; `call` asks the chat model that the environment names for a word.

    `through` gives what that model is asked through, such as one that tells the user how long it takes.
    """
    yield Check("python", sys.version_info >= (3, 11), sys.version.split()[0])
    for extra, there in _extras().items():
        yield Check(
            f"extra {extra}",
            ok=True,
            detail="installed" if there else f"not installed (optional): {install_command(extra)}",
        )
    for group in GROUPS:
        found = registered(group)
        yield Check(group.partition(".")[2], ok=bool(found), detail=_known(found))
    yield _tried("package amb_core", _one_package)
    yield _tried("settings", _settings)
    yield from _variables()
    yield _tried("memory round trip", lambda: _round_trip("memory://"))
    with tempfile.TemporaryDirectory(prefix="amb-doctor-") as folder:
        yield _tried("SQLite round trip", lambda: _round_trip(f"sqlite:///{Path(folder) / 'check.db'}"))
    yield _tried("chat model", lambda: _chat_model(through if call else None))


def _known(names: Collection[str]) -> str:
    return f"known (installed or not): {', '.join(names)}" if names else "none: AMB is not installed"


def foreign_packages() -> list[str]:
    """The distributions beside AMB whose lists of files name the folder `amb_core`."""
    found = ((each.name, each.read_text("RECORD") or "") for each in distributions())
    return sorted({name for name, files in found if name != "amb" and _OURS.search(files)})


def _one_package() -> str:
    others = foreign_packages()
    if others:
        raise ForeignPackage(others)
    return "only AMB ships it"


def _extras() -> dict[str, bool]:
    """Whether all that an extra brings is installed, by the metadata of AMB; empty where AMB is only on the path."""
    try:
        about = metadata("amb")
    except PackageNotFoundError:
        return {}
    found = dict.fromkeys(about.get_all("Provides-Extra", []), True)
    for needed in filter(None, map(_OF_EXTRA.match, about.get_all("Requires-Dist", []))):
        name, extra = needed.groups()
        found[extra] = found[extra] and _is_installed(name)
    return found


def _is_installed(distribution: str) -> bool:
    try:
        return bool(version(distribution))
    except PackageNotFoundError:
        return False


def _tried(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, ok=True, detail=check())
    except (AmbError, OSError) as error:
        return Check(name, ok=False, detail=str(error))


def _settings() -> str:
    from amb_core.settings import Settings

    settings = Settings()
    return f"k={settings.retrieval_k} alpha={settings.alpha} prompt budget={settings.prompt_budget_tokens} tokens"


def _variables() -> Iterator[Check]:
    """Each variable that is set and nothing reads; it is wrong where it is nearly a name that is read."""
    unread, idle = unread_names(), [name for name in _IDLE if name in {told.upper() for told in _told(Path())}]
    for name in idle:
        detail = f"nothing reads {name}; AMB_AGENT_WINDOW (or CLASSIFICATION_AGENT_WINDOW) is the window of all agents"
        if name.startswith("EMBEDDING"):
            detail = f"nothing reads {name}; name the embedder in code, or with --embedder"
        yield Check("environment", ok=True, detail=detail)
    if not unread and not idle:
        yield Check("environment", ok=True, detail="no variable is misspelt")
    for name, meant in unread.items():
        detail = f"nothing reads {name}; did you mean {meant}?" if meant else f"nothing reads {name}"
        yield Check("environment", ok=not meant, detail=detail)


def _round_trip(store: str) -> str:
    from amb_core.bank import MemoryBank
    from amb_core.models import ToolResult

    with MemoryBank("Which cells last longest?", store=store) as bank:
        fact = "The LFP cell reaches 6,000 cycles."
        bank.absorb(ToolResult(tool="doctor", output=fact))
        if fact not in bank.recall("cycles of the LFP cell").text:
            raise AmbError("a fact that was absorbed is not recalled; please report this")
    return "a fact went in and came back"


def _chat_model(through: Callable[[ChatModel], ChatModel] | None) -> str:
    """Which model is set, and with `through` that it answers; that none is set is no failure."""
    from amb_chat import RetryPolicy, open_chat
    from amb_chat.user_environment import configured
    from amb_core.chat_io import ChatRequest

    if configured("LLM_MODEL") is None:
        where = configured("LLM_BASE_URL")
        if where:
            return "none set (optional): set LLM_MODEL beside LLM_BASE_URL"
        return "none set (optional): set LLM_MODEL and LLM_API_KEY"
    chat = open_chat(retries=RetryPolicy(attempts=2))
    named = f"{chat.model} at {chat.endpoint}"
    if through is None:
        return f"{named} is set; `amb doctor --call` asks it for a word"
    asked = {"role": "user", "content": "Answer with the word: ready"}
    reply = through(chat).complete(ChatRequest(messages=(asked,), max_output_tokens=_CALL_TOKENS, purpose="check"))
    return f"{named} answers; the question cost {reply.usage.tokens} tokens"


_NAMED = re.compile(r"\bAMB_[A-Z0-9_]*[A-Z0-9]\b")
_IDLE = (
    *("EMBEDDING_MODEL", "EMBEDDING_DIM", "STRUCTURE_AGENT_WINDOW", "ANALYSIS_AGENT_WINDOW"),
    *("INTEGRATION_AGENT_WINDOW", "PLANNING_AGENT_WINDOW"),
)
"""Variables of the design documents that do nothing here."""
_FAMILY = re.compile(r"""f["'](AMB_[A-Z0-9_]*[A-Z0-9]_)\{""")
"""A name in the source, and the beginning of one that is put together there."""
_ALIKE = 0.85


def settings_kinds() -> tuple[type[CheckedSettings], ...]:
    """All kinds of settings that are read from the environment."""
    from amb_core.settings import Settings
    from amb_longterm.longterm_settings import LongTermSettings
    from amb_team.team_settings import TeamSettings
    from amb_values.name_finder import TextSettings

    return Settings, TextSettings, TeamSettings, LongTermSettings


def unread_names(folder: Path | None = None) -> dict[str, str]:
    """By variable of the environment or `.env` of the folder that nothing reads, the name it may be meant for, or "".

    What is read stands in the settings and in the source of the installed packages that bring something to AMB.
    Variables that do not begin with AMB_ are other programs' unless they are nearly the name of a setting.
    """
    classes = settings_kinds()
    read = {name for settings in classes for name in settings.variables()}
    prefixes = tuple({str(settings.model_config.get("env_prefix")) for settings in classes})
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
    """The source of AMB with all of its packages, and of others that bring something to it."""
    ours = {found.name for found in iter_modules() if found.name.startswith("amb_")}
    modules = {point.module.partition(".")[0] for group in GROUPS for point in registered(group).values()}
    for name in sorted(ours | {"amb_core", *modules}):
        spec = find_spec(name)
        for place in (spec and spec.submodule_search_locations) or ():
            for file in sorted(Path(place).rglob("*.py")):
                yield file.read_text("utf-8", errors="replace")
