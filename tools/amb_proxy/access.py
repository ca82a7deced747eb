"""Who may ask the gateway at all."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from amb_core import InvalidParameter

__all__ = ["Access"]

_SHORTEST_TOKEN = 16


class Access:
    """Checks the `Host`, the `Origin` and the token of each request, before anything of it is read.

    `hosts` are the names with ports it may be asked under; None checks none. `operator_token` is for status, pages and
    deletion.
    """

    def __init__(self, operator_token: str, *, hosts: Sequence[str] | None, token: str | None) -> None:
        if token is not None and len(token) < _SHORTEST_TOKEN:
            raise InvalidParameter(
                f"a token needs at least {_SHORTEST_TOKEN} characters; make one with `openssl rand -hex 16`"
            )
        self._hosts = None if hosts is None else {host.casefold() for host in hosts}
        self._token = token
        self.operator_token = operator_token

    def refusal(self, request: Request) -> Response | None:
        """The answer to a request that may not ask; None for one that may."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if self._hosts is not None and host.casefold() not in self._hosts:
            return _refused(421, "this gateway is not asked under that name (--allow-host NAME:PORT)")
        if self._hosts is not None and origin is not None and urlsplit(origin).netloc.casefold() not in self._hosts:
            return _refused(403, "web pages of other sites may not ask")
        given = request.headers.get("x-amb-token", "")
        if self._token is not None and not self._known(given):
            return _refused(401, "the header x-amb-token is needed")
        return None

    def _known(self, given: str) -> bool:
        known = (self._token or "", self.operator_token)
        return any(hmac.compare_digest(given.encode(), one.encode()) for one in known)


def _refused(status: int, why: str) -> Response:
    error = {"error": {"type": "amb_proxy", "message": f"amb proxy: {why}."}}
    return JSONResponse(error, status_code=status, headers={"x-amb": "refused"})
