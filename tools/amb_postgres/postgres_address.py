"""What a URL says about a place in PostgreSQL: the server, the tenant, the space, and the key that opens the tenant."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from amb_core.errors import InvalidParameter

__all__ = ["ANY_SPACE", "PostgresAddress", "address_of", "stored_text", "text_of_stored", "url_of_space"]

ANY_SPACE = "*"
"""As a space: all spaces of the tenant, to look through them or to delete them."""
_KEY = "AMB_POSTGRES_KEY"
_OURS = ("tenant", "space", "key")
_LONGEST = 1_000
_SPECIAL = re.compile(r"[\\\x00\ud800-\udfff]")
_ESCAPED = re.compile(r"\\(\\|0|u[0-9a-f]{4})")


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """A tenant's space on a server: `server` is the URL without them; `key` opens every tenant, and is never shown."""

    server: str = field(repr=False)
    tenant: str = "default"
    space: str = "default"
    key: bytes = field(default=b"", repr=False)

    def proof(self, key: bytes) -> str:
        """What the database asks for beside the names: their HMAC-SHA256 under the key, in hexadecimal digits."""
        tenant, space = stored_text(self.tenant).encode(), stored_text(self.space).encode()
        return hmac.new(key, b"%d:%b%b" % (len(tenant), tenant, space), hashlib.sha256).hexdigest()

    @property
    def shown(self) -> str:
        """Host and database, for messages: no user, no password."""
        parts = urlsplit(self.server)
        port = parts.netloc.rpartition("@")[2] or "the local socket"
        return f"postgresql://{port}{parts.path}"


def address_of(url: str) -> PostgresAddress:
    """The place `postgresql://user@host/database?tenant=acme&space=trip` names; what else it says is for the driver.

    The key is `key=` in it, or AMB_POSTGRES_KEY. Raises InvalidParameter for what cannot be a URL, a name, a key.
    """
    try:
        parts = urlsplit(url)
        said = parse_qsl(parts.query, keep_blank_values=True)
        if parts.scheme not in ("postgresql", "postgres"):
            raise ValueError
    except ValueError:
        raise InvalidParameter("the URL of the store cannot be read; write postgresql://user@host/database.") from None
    named = {name: _checked(name, value) for name, value in said if name in _OURS}
    key = _key(named.get("key") or os.environ.get(_KEY, ""))
    rest = [(name, value) for name, value in said if name not in _OURS]
    server = urlunsplit(("postgresql", parts.netloc, parts.path, urlencode(rest, quote_via=quote), ""))
    return PostgresAddress(server, named.get("tenant", "default"), named.get("space", "default"), key)


def url_of_space(address: PostgresAddress, *, tenant: str, space: str, key: bytes) -> str:
    """The URL of a space on the same server."""
    sign = "&" if "?" in address.server else "?"
    named = {"tenant": tenant, "space": space, **({"key": key.hex()} if key else {})}
    return f"{address.server}{sign}{urlencode(named, quote_via=quote)}"


def _checked(name: str, value: str) -> str:
    if not value.strip() or len(value) > _LONGEST or (name == "tenant" and value == ANY_SPACE):
        raise InvalidParameter(f"{name} in the URL of the store must be a name of 1 to {_LONGEST} characters.")
    return value


def _key(said: str) -> bytes:
    try:
        key = bytes.fromhex(said.strip())
    except ValueError:
        key = b"?"
    if key and len(key) != 32:
        raise InvalidParameter(f"{_KEY} is not a key; it has the 64 hexadecimal digits `amb postgres init` printed.")
    return key


def stored_text(text: str) -> str:
    """The text in a form PostgreSQL can keep and compare byte by byte, whatever is in it; see `text_of_stored`."""
    if text.isascii() and "\\" not in text and "\0" not in text:
        return text
    return _SPECIAL.sub(lambda found: _escape(found.group()), text)


def text_of_stored(stored: str) -> str:
    """The text that `stored_text` made this of."""
    if "\\" not in stored:
        return stored
    return _ESCAPED.sub(lambda found: _unescape(found.group(1)), stored)


def _escape(character: str) -> str:
    return {"\\": "\\\\", "\0": "\\0"}.get(character) or f"\\u{ord(character):04x}"


def _unescape(code: str) -> str:
    return {"\\": "\\", "0": "\0"}.get(code) or chr(int(code[1:], 16))
