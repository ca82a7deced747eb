"""Namespaces: whose memory it is and what for, as `scope/user`; compared whole, and nothing in them is a pattern."""

from __future__ import annotations

import unicodedata

from amb_core.errors import InvalidParameter

__all__ = ["checked_namespace", "namespace_of", "owner_of", "scope_of"]

_MAX_CHARS = 200
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


def scope_of(namespace: str) -> str:
    """What a namespace is for, without whose it is: its first part."""
    return namespace.partition("/")[0]


def owner_of(namespace: str) -> str:
    """The last part of a namespace: the user's id in `scope/user`."""
    return namespace.rpartition("/")[2].replace("%2F", "/").replace("%25", "%")
