"""Errors as typed JSON: a kind for the page, and a text that says what to do."""

from __future__ import annotations

import json
import logging
from typing import Any

from pydantic import ValidationError
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from amb_core.errors import (
    AmbError,
    BankClosed,
    InvalidInput,
    ModelError,
    SettlementConflict,
    StoreError,
    UnknownId,
)

__all__ = ["Refusal", "as_json", "refusal_of"]

_log = logging.getLogger("amb.studio")
_STORE = "the book's file could not be written or read, and nothing was lost; try again, or see the log of amb studio"
_INTERNAL = "something failed in amb studio, and nothing was changed; its log says what"


class Refusal(Exception):
    """A request that is not answered; `kind` is for the page, the text for its reader."""

    def __init__(self, status: int, kind: str, text: str) -> None:
        super().__init__(text)
        self.status, self.kind, self.text = status, kind, text

    @property
    def response(self) -> Response:
        """It as JSON."""
        return as_json({"error": {"kind": self.kind, "text": self.text}}, status=self.status)

    @property
    def words(self) -> Response:
        """It as plain text, for where a reader expects the page."""
        return Response(f"amb studio: {self.text}\n", self.status, {"cache-control": "no-store"}, "text/plain")


def as_json(told: Any, *, status: int = 200) -> Response:
    """A JSON answer no cache keeps; what is no Unicode survives as escapes."""
    body = json.dumps(told, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Response(body, status, {"cache-control": "no-store"}, "application/json")


def refusal_of(error: Exception) -> Refusal:
    """How an error is told to the page; of one that nobody foresaw only that there was one."""
    match error:
        case Refusal():
            return error
        case ValidationError():
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(str(part) for part in first["loc"]) or "the request"
            return Refusal(400, "invalid", f"{where}: {first['msg']}.")
        case SettlementConflict():
            return Refusal(409, "contradiction", str(error))
        case InvalidInput():
            return Refusal(400, "invalid", str(error))
        case UnknownId():
            return Refusal(404, "unknown", str(error))
        case ModelError():
            return Refusal(502, "model_failed", str(error))
        case StoreError() | BankClosed():
            _log.warning("%s", error)
            return Refusal(503, "store", _STORE)
        case ClientDisconnect():
            return Refusal(400, "invalid", "the request broke off, and nothing was done; try again")
        case AmbError():
            return Refusal(400, "invalid", str(error))
    _log.error("a request failed", exc_info=error)
    return Refusal(500, "internal", _INTERNAL)
