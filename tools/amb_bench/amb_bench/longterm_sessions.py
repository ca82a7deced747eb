"""Twenty sessions of four users, English and Chinese, told in advance: what is said, asked, handed on and found out.

Each user has another one whose id begins like his (u1 and u10), and who wants other things of the same kind.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from amb_core.frozen import Frozen
from amb_core.text import Language

__all__ = ["WORKERS", "Session", "Turn", "known_facts", "scripted_sessions"]

WORKERS = ("text2sql", "statistics", "analysis")
_FILE = Path(__file__).with_name("longterm_sessions.jsonl")


class Turn(Frozen):
    """One message of a user and what comes of it.

    `tells` something to keep, `repeats` in other words what is kept, `changes` it, `asks` for what needs some of it, is
    `routine` work for which nothing has to be known, asks for something
    `else` that no memory speaks of, or is `idle`: small talk, a sum, a text to translate. `needs` are words without
    which the answer cannot be right, in what is put before the `worker` with its `task`, or before the supervisor where
    there is no worker; `over` are words of a rule that no longer holds. `earlier`: what is needed is of an earlier
    session. `answer` is what is said when it is known, `query` the SQL that served.
    """

    kind: Literal["tells", "repeats", "changes", "asks", "routine", "else", "idle"]
    says: str
    worker: str = ""
    task: str = ""
    needs: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    answer: str = ""
    query: str = ""
    earlier: bool = True


class Session(Frozen):
    """The turns of one user on one day, counted from the first."""

    user: str
    language: Language
    day: int
    turns: tuple[Turn, ...]


def scripted_sessions() -> tuple[Session, ...]:
    """All sessions in the order of their days."""
    return tuple(Session.model_validate(row) for row in _rows() if "user" in row)


def known_facts(language: Language) -> tuple[str, ...]:
    """What is known before the first session and that nobody asks for: what has to be told apart from the rest."""
    return next(tuple(row["known"]) for row in _rows() if "known" in row and row["language"] == language)


@lru_cache(maxsize=1)
def _rows() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines())
