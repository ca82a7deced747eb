"""Who may ask: a page of this very address, on this machine, opened with the key; every other request is refused."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from amb_book.studio.refusals import Refusal

__all__ = ["POLICY", "Guard", "Sessions"]

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Only our own scripts and styles, nothing from elsewhere, and no HTML out of text."""

_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_HOST = re.compile(r"(?:127\.0\.0\.1|localhost)(?::(\d{1,5}))?", re.IGNORECASE)
_MOST_SESSIONS = 64
_HOSTS = "this address is answered only as 127.0.0.1 or localhost; open the link that amb studio printed"
_SESSION = "this page is not open here any more; open the link that amb studio printed"
_ORIGIN = "this was asked from a page of another address, and nothing was done; use the page of amb studio"
_TOKEN = "this page is older than amb studio, which was started anew; nothing was done: reload the page"


class Sessions:
    """The browsers that opened the page, each with the token that has to come with whatever changes something.

    With a `key`, a browser has to bring it once.
    """

    def __init__(self, key: str | None = None) -> None:
        self._key = key
        self._tokens: dict[str, str] = {}

    def opens(self, key: str) -> bool:
        """Whether a browser that brings this key may have a session."""
        return self._key is None or hmac.compare_digest(key.encode(), self._key.encode())

    def begin(self) -> str:
        """The id of a new session; of very many the oldest goes."""
        session = secrets.token_urlsafe(24)
        self._tokens[session] = secrets.token_urlsafe(24)
        while len(self._tokens) > _MOST_SESSIONS:
            del self._tokens[next(iter(self._tokens))]
        return session

    def token(self, session: str) -> str | None:
        """The token of a session; None for one there is not."""
        return self._tokens.get(session)


class Guard:
    """Checks host, session, origin and token before anything of a request is read, and adds the headers of safety."""

    def __init__(self, app: ASGIApp, *, sessions: Sessions) -> None:
        self._app, self._sessions = app, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            opening = self._admitted(scope)
        except Refusal as no:
            answer = no.words if scope["path"] == "/" else no.response
            await answer(scope, receive, _with_headers(send))
            return
        if opening is not None:  # the key goes out of the address at once
            response = RedirectResponse("/", 303, {"cache-control": "no-store", **opening})
            await response(scope, receive, _with_headers(send))
            return
        await self._app(scope, receive, _with_headers(send))

    def _admitted(self, scope: Scope) -> Mapping[str, str] | None:
        """None for a request that may be answered, headers for one that opens the page; Refusal for any other."""
        headers = Headers(scope=scope)
        found = _HOST.fullmatch(headers.get("host", ""))
        if found is None or len(headers.getlist("host")) != 1:
            raise Refusal(403, "foreign_host", _HOSTS)
        name = f"amb-studio-{found[1] or 80}"
        session = _cookies(headers).get(name, "")
        token = self._sessions.token(session)
        scope.setdefault("state", {})["token"] = token
        if scope["method"] in ("GET", "HEAD"):
            given = parse_qs(scope["query_string"].decode("latin-1")).get("key")
            if token is None:
                return {"set-cookie": self._begun(scope["path"], name, given or [""])}
            return {} if given and scope["path"] == "/" else None
        if headers.get("origin", "").casefold() != f"http://{headers['host']}".casefold():
            raise Refusal(403, "foreign_origin", _ORIGIN)
        if token is None or not hmac.compare_digest(headers.get("x-amb-token", "").encode(), token.encode()):
            raise Refusal(403, "token", _TOKEN)
        return None

    def _begun(self, path: str, name: str, given: list[str]) -> str:
        """The cookie of a new session."""
        if path != "/" or not self._sessions.opens(given[0]):
            raise Refusal(403, "session", _SESSION)
        return f"{name}={self._sessions.begin()}; Path=/; HttpOnly; SameSite=Strict"


def _cookies(headers: Headers) -> Mapping[str, str]:
    try:
        return {name: each.value for name, each in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
        await send(message)

    return sent
