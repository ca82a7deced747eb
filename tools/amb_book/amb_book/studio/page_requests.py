"""What every request of the page has, and how it is read: checked before anything is done."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeVar, Unpack, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from amb_book import Story
from amb_book.checking import DraftChecker, Finding
from amb_book.checking.findings import BookParts
from amb_book.desk import Desk
from amb_book.studio.refusals import Refusal
from amb_core.protocols import Clock

__all__ = ["Asked", "At", "Json", "Name", "OpenBook", "Text", "body_of", "bytes_of", "query_of"]

Json = dict[str, Any]
_LONGEST_BODY, _LONGEST_MANUSCRIPT = 1_000_000, 6_000_000
"""Bytes of a request, and of one that brings a whole manuscript."""
_LET_PASS = 64_000_000

Chapter = Annotated[int, Field(ge=0, le=1_000_000)]
Name = Annotated[str, Field(max_length=400)]
Text = Annotated[str, Field(max_length=400_000)]


@runtime_checkable
class ExplainingChecker(DraftChecker, Protocol):
    """One with a model, which says why that had no say; "" where it had."""

    def looked_over(self, draft: str, **book: Unpack[BookParts]) -> tuple[Sequence[Finding], str]: ...


@dataclass(frozen=True)
class OpenBook:
    """The book that is open on the page, with its desk and what checks drafts (None for the story itself)."""

    story: Story
    desk: Desk
    clock: Clock
    checker: DraftChecker | None = None


class Asked(BaseModel, ABC):
    """What all requests have: exactly the fields that are named, and an answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @abstractmethod
    def answer(self, book: OpenBook) -> Json:
        """What the page is told; the book's memory is asked, and where the request says so changed."""


class At(Asked):
    """A question as of a chapter; None for where the story stands."""

    at: Chapter | None = None


_A = TypeVar("_A", bound=BaseModel)


async def body_of(request: Request, kind: type[_A]) -> _A:
    """The body of a request as what it has to be; Refusal for one that is too long, or no JSON."""
    _check_type(request, "application/json")
    try:
        given = json.loads(await _read(request, _LONGEST_BODY))
    except (ValueError, RecursionError):
        raise Refusal(400, "invalid", "the request is no JSON; reload the page") from None
    return kind.model_validate(given)


async def bytes_of(request: Request) -> bytes:
    """The body of a request that brings a file; Refusal for one that is too long."""
    _check_type(request, "application/octet-stream")
    return await _read(request, _LONGEST_MANUSCRIPT)


def query_of(request: Request, kind: type[_A]) -> _A:
    """The query of a request as what it has to be."""
    return kind.model_validate({name: value for name, value in request.query_params.items() if value != ""})


def _check_type(request: Request, wanted: str) -> None:
    """A form of another site can send neither of our types."""
    if request.headers.get("content-type", "").partition(";")[0].strip().casefold() != wanted:
        raise Refusal(415, "invalid", f"this is sent as {wanted}")


async def _read(request: Request, most: int) -> bytes:
    """The bytes of a body. One that is too long is let pass without being kept, so that its sender hears why."""
    read, length = bytearray(), 0
    async for chunk in request.stream():
        length += len(chunk)
        if length > _LET_PASS:
            break
        if length <= most:
            read += chunk
    if length > most:
        text = f"that is too long: at most {most // 1_000_000} MB at once; send less, or in parts"
        raise Refusal(413, "too_long", text)
    return bytes(read)
