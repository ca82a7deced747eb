"""What the page may ask for, checked before anything is done."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from amb_book.desk.commands import CommandKind
from amb_book.studio.refusals import Refusal

__all__ = [
    "Asked",
    "At",
    "Check",
    "Confirm",
    "Correct",
    "Discard",
    "Graph",
    "Import",
    "Lore",
    "Named",
    "NewPart",
    "Press",
    "Say",
    "Settle",
    "StepPlan",
    "body_of",
    "bytes_of",
    "query_of",
]

_LONGEST_BODY, _LONGEST_MANUSCRIPT = 1_000_000, 6_000_000
"""Bytes of a request, and of one that brings a whole manuscript."""

Settle = Literal["names", "facts", "nothing"]
"""What becomes fact of a manuscript: who and where there is, also what a model reads off, or nothing."""

_LET_PASS = 64_000_000
_MOST_ROWS = 2_000
_Chapter = Annotated[int, Field(ge=0, le=1_000_000)]
_Name = Annotated[str, Field(max_length=400)]
_Text = Annotated[str, Field(max_length=400_000)]


class Asked(BaseModel):
    """What all requests have: exactly the fields that are named."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Say(Asked):
    """Something the author typed, in the task a window shows ("" for none)."""

    text: _Text
    task: _Name = ""


class Press(Asked):
    """A button: a command with its argument, and the text that goes with it."""

    kind: CommandKind
    argument: _Name = ""
    text: _Text = ""
    task: _Name = ""


class Correct(Asked):
    """Corrections to a proposal, kept but not settled."""

    proposal: _Name
    statements: list[dict[str, Any]] = Field(max_length=_MOST_ROWS)
    chapter: _Chapter
    text: _Text | None = None
    revision: int | None = None


class Confirm(Correct):
    """A proposal that is to be settled as it is written here."""

    title: _Name | None = None
    replace: bool = False


class Discard(Asked):
    """A proposal that is to be thrown away."""

    proposal: _Name


class At(Asked):
    """A question as of a chapter; None for where the story stands."""

    at: _Chapter | None = None


class Named(At):
    """A question about somebody or something."""

    name: _Name


class Graph(At):
    """Facts as nodes and edges, around one entity or of all."""

    name: _Name = ""


class Lore(Asked):
    """Entries of lore that fit; all of them for an empty query."""

    query: _Name = ""


class StepPlan(Asked):
    """A part of the plan that begins, ends, or is taken up again."""

    id: _Name
    action: Literal["start", "complete", "reopen", "put_off"]


class NewPart(Asked):
    """A new part of the plan."""

    kind: Literal["general_outline", "long_outline", "short_outline", "step"]
    title: Annotated[str, Field(min_length=1, max_length=400)]
    text: _Text = ""
    within: _Name = ""
    after: _Name = ""
    storyline: _Name = ""


class Check(At):
    """A draft to be checked against the facts."""

    draft: _Text


class Import(Asked):
    """What is to become fact of the manuscript that is the body."""

    settle: Settle = "names"


_A = TypeVar("_A", bound=Asked)


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
        raise _too_long(most)
    return bytes(read)


def _too_long(most: int) -> Refusal:
    return Refusal(413, "too_long", f"that is too long: at most {most // 1_000_000} MB at once; send less, or in parts")
