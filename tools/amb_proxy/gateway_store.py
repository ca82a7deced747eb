"""Where a gateway keeps its conversations, costs and secrets: a file in its folder, or a space in PostgreSQL."""

from __future__ import annotations

import secrets
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from amb_core import InvalidParameter
from amb_core.protocols import Record, RecordStore
from amb_core.stores import open_store

__all__ = ["COSTS", "has_worked_on", "open_gateway_store", "secret_in"]

_FILE = "gateway.db"
_SPACE = "gateway"
_SECRETS = "secret"
COSTS = "cost"
"""The namespace of what each conversation has cost, by its id."""


def open_gateway_store(place: Path | str) -> RecordStore:
    """The store of a folder, which only its owner may read, or of a tenant, `postgresql://…?tenant=acme`.

    InvalidParameter for another URL; StoreError where the database cannot be used.
    """
    if isinstance(place, Path):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = place / _FILE
        file.touch(mode=0o600)
        return open_store(f"sqlite:///{file}")
    parts = urlsplit(place)
    query = dict(parse_qsl(parts.query))
    if parts.scheme != "postgresql" or "space" in query:
        raise InvalidParameter(
            "a gateway keeps its memory in a folder (--folder) or in PostgreSQL "
            "(--store postgresql://user@host/database?tenant=acme, without a space)."
        )
    return open_store(urlunsplit(parts._replace(query=urlencode({**query, "space": _SPACE}))))


def has_worked_on(folder: Path) -> bool:
    """Whether a gateway has kept something in a folder."""
    return (folder / _FILE).is_file()


def secret_in(store: RecordStore, name: str) -> str:
    """A secret of the gateways of a store in hexadecimal digits, made when nobody has made it yet."""
    with store.transaction():
        found = store.get(_SECRETS, name)
        if found is None:
            found = Record(_SECRETS, name, {"secret": secrets.token_hex(32)})
            store.put([found])
    return str(found.data["secret"])
