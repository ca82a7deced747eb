"""Who asks: the credential of a request, and what its client says of its user and its session."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["KEYS_IN_QUERY", "Client", "caller_of", "credential_of"]

SESSION_HEADERS = (
    "x-amb-conversation",
    "x-claude-code-session-id",
    "session_id",
    "session-id",
    "conversation_id",
    "x-session-id",
)
"""Headers in which clients name their conversation, ours first."""
KEYS_IN_QUERY = ("key", "api-key", "api_key", "subscription-key")
"""Names under which a credential may stand in the query; `caller` gets them as headers with a `?` before the name."""
_CREDENTIALS = (
    "authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "ocp-apim-subscription-key",
    *(f"?{name}" for name in KEYS_IN_QUERY),
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks: a digest of the credential and of the user it names, the session if it names one; the credential.

    `named` is a digest of the user's name alone, by which an operator deletes.
    """

    user: str
    session: str | None = None
    key: str = ""
    named: str = ""


def credential_of(headers: Mapping[str, str]) -> list[str]:
    """What a request proves itself with, in the headers and the query."""
    return [headers.get(name, "") for name in _CREDENTIALS]


def caller_of(headers: Mapping[str, str], body: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The user and the session that a client names, each None where it names none.

    A `prompt_cache_key` counts where it is a UUID, as agents send it: others may be one for all users of a program.
    """
    user, session = headers.get("x-amb-user"), next((headers[one] for one in SESSION_HEADERS if headers.get(one)), None)
    given = body.get("metadata")
    told = given.get("user_id") if isinstance(given, Mapping) else None
    if isinstance(told, str) and (found := _session_in(told)):
        session = session or found
    elif isinstance(told, str):
        user = user or told
    named = body.get("safety_identifier") or body.get("user")
    user = user or (named if isinstance(named, str) else None)
    key = body.get("prompt_cache_key")
    if isinstance(key, str) and _UUID.fullmatch(key.casefold()):
        session = session or key
    return user, session


def _session_in(user_id: str) -> str | None:
    """The session in the `user_id` of a coding agent, which is text with a session or JSON; None in any other's."""
    if user_id.startswith("{"):
        try:
            found = json.loads(user_id).get("session_id")
        except ValueError:
            return None
        return found if isinstance(found, str) else None
    _, mark, session = user_id.rpartition("_session_")
    return session if mark and _UUID.fullmatch(session.casefold()) else None
