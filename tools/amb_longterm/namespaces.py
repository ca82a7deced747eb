"""Namespaces: whose memory it is and what for, as `scope/user`; compared whole, and nothing in them is a pattern."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from amb_core.errors import InvalidParameter

__all__ = [
    "EXPERIENCE",
    "TEAM_META",
    "TEAM_USERS",
    "belongs_to",
    "checked_namespace",
    "mentions",
    "namespace_of",
    "owner_of",
    "scope_of",
    "split_namespace",
]

EXPERIENCE = "experience"
"""The scope of what earlier runs did; the agent follows where it has a name, then the user."""
TEAM_META = "team_meta"
"""The scope of what a team learnt and outlives a task; the user follows, or `all`."""
TEAM_USERS = "team-users"
"""Where a store says for whom its teams work."""

_MAX_CHARS = 200
_BY_AGENT = f"{EXPERIENCE}/"
"""Namespaces of runs: experience/agent/user, or experience/user."""
_HOW = "pass a namespace such as user_profile/u1 (scope/user)"


def checked_namespace(namespace: object) -> str:
    """The namespace itself; InvalidParameter for none, for a blank part, `.`, `..` or a character nobody sees.

    A namespace has one or more parts between slashes. Case, `%`, `_`, `*` and every other visible character stand for
    themselves; two spellings that only look alike are two namespaces.
    """
    if not isinstance(namespace, str) or not namespace.strip():
        raise InvalidParameter(f"long-term memory is never used without a namespace; {_HOW}.")
    if len(namespace) > _MAX_CHARS:
        raise InvalidParameter(f"a namespace has at most {_MAX_CHARS} characters, this one {len(namespace)}.")
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in namespace):
        raise InvalidParameter(f"the namespace {namespace!r} has a character nobody can see; {_HOW}.")
    parts = namespace.split("/")
    if any(part.strip() != part or part in ("", ".", "..") for part in parts):
        raise InvalidParameter(f"the namespace {namespace!r} has a blank or dotted part; {_HOW}.")
    return namespace


def namespace_of(scope: str, user: str) -> str:
    """`scope/user`, where a slash in the user's id is no further part: it is written as %2F, and % as %25."""
    if not isinstance(user, str) or not user.strip():
        raise InvalidParameter("a user needs an id; make one up and keep it for the session if nobody is signed in.")
    return checked_namespace(f"{scope}/{user.replace('%', '%25').replace('/', '%2F')}")


def split_namespace(namespace: str, *, scopes: Collection[str] = ()) -> tuple[str, str]:
    """A namespace as scope and user as they are written; without a slash it is the user alone.

    A scope is one part, so that what follows may be any id, `acme/ann` too. Those of AMB that have the name of an agent
    as a second part are known; `scopes` are others of several parts, the longest that fits counts.
    """
    if namespace.startswith(_BY_AGENT):
        scope, _, user = namespace.rpartition("/")
        return scope, user
    longer = max((each for each in scopes if namespace.startswith(f"{each}/")), key=len, default="")
    if longer:
        return longer, namespace[len(longer) + 1 :]
    scope, slash, user = namespace.partition("/")
    return (scope, user) if slash else ("", scope)


def belongs_to(namespace: str, user: str, *, scopes: Collection[str] = ()) -> bool:
    """Whether a namespace is the user's, written by `namespace_of` or as plain `scope/user`."""
    written = split_namespace(namespace, scopes=scopes)[1]
    return user in (written, _unescaped(written))


def mentions(namespace: str, user: str) -> bool:
    """Whether whole parts of a namespace are the user's id, so that somebody may have meant it to be the user's."""
    return f"/{user}/" in f"/{namespace}/"


def scope_of(namespace: str) -> str:
    """What a namespace is for, without whose it is: its first part."""
    return namespace.partition("/")[0]


def owner_of(namespace: str) -> str:
    """The user's id in `scope/user`, which may have slashes itself."""
    return _unescaped(split_namespace(namespace)[1])


def _unescaped(user: str) -> str:
    return user.replace("%2F", "/").replace("%25", "%")
