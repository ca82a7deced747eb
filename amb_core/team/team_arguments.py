"""What a team's memory is told, checked."""

from __future__ import annotations

from collections.abc import Sequence

from amb_core.errors import InvalidInput, InvalidParameter
from amb_core.longterm import LongTermMemory

__all__ = ["check_meta", "check_names", "check_text"]


def check_text(name: str, given: object) -> str:
    """A text, "" for None; InvalidInput for anything else."""
    if given is None:
        return ""
    if not isinstance(given, str):
        raise InvalidInput(f"{name} is a text, not {type(given).__name__}.")
    return given


def check_meta(meta: object) -> LongTermMemory | None:
    """The long-term memory that outlives a task; InvalidParameter for anything else."""
    if meta is None or isinstance(meta, LongTermMemory):
        return meta
    raise InvalidParameter(
        f"meta is a LongTermMemory or the URL of one, such as sqlite:///meta.db, not {type(meta).__name__}."
    )


def check_names(agents: Sequence[str], *, taken: str) -> tuple[str, ...]:
    """The names of the members, each once; none may be called `taken`."""
    names = tuple(agents) if not isinstance(agents, str) else ()
    if not names or len(set(names)) != len(names) or not all(isinstance(name, str) and name.strip() for name in names):
        raise InvalidParameter(
            "agents are the names of the team's members, each once, such as ['solver', 'retriever']."
        )
    if taken in names:
        raise InvalidParameter(f"no agent can be called {taken!r}; it names what the team shares.")
    return names
