"""The application: the page, its files, and one JSON route for everything it asks."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import cache
from importlib import resources
from typing import Literal

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from amb_book import Story
from amb_book.checking import DraftChecker
from amb_book.desk import Desk
from amb_book.studio import book_requests, desk_requests
from amb_book.studio.import_job import Import, ImportJob
from amb_book.studio.page_requests import Asked, Json, OpenBook, body_of, bytes_of, query_of
from amb_book.studio.refusals import Refusal, as_json, refusal_of
from amb_book.studio.studio_guard import Guard, Sessions
from amb_core.clock import SystemClock
from amb_core.errors import InvalidParameter
from amb_core.protocols import ChatModel, Clock
from amb_inspector import shared_script, shared_style

__all__ = ["create_app"]

_TYPES = {"js": "text/javascript", "css": "text/css"}
_TAKEN = "button, clip, h, hasWords, plain, said, say, svg, t, userLanguage, visible, words"
"""What the studio takes from the script of all of AMB's pages, which is no module by itself."""
Endpoint = Callable[[Request], Awaitable[Response]]


def create_app(
    story: Story,
    desk: Desk,
    *,
    checker: DraftChecker | None = None,
    model: str = "",
    chat: ChatModel | None = None,
    language: Literal["auto", "en", "zh"] = "auto",
    key: str | None = None,
    clock: Clock | None = None,
) -> Starlette:
    """The studio of a book, to be served on this machine alone; see `serve`.

    `desk` is the one of this story. Drafts are checked by `checker`, by default with `Story.check`. `model` is the
    name of the chat model the desk asks, "" for none; `chat` reads off the facts of a manuscript that is imported. With
    a `key`, a browser has to bring it once, as `/?key=…`. `clock` is the one the story has; it says how long closed
    tasks are kept. Story and desk stay open afterwards.
    """
    if language not in ("auto", "en", "zh"):
        raise InvalidParameter(f"{language!r:.40} is no language of the page; pass 'auto', 'en' or 'zh'.")
    sessions = Sessions(key)
    book = OpenBook(story, desk, clock or SystemClock(), checker)
    about = {
        "book": story.place.name if story.place is not None else "",
        "model": model,
        "language": language,
    }
    routes = [
        Route("/", _page),
        Route("/static/{name:path}", _file),
        Route("/api/start", _starting(about)),
        *(Route(f"/api/{name}", _question(kind, book)) for name, kind in _QUESTIONS.items()),
        *(Route(f"/api/{name}", _deed(kind, book), methods=["POST"]) for name, kind in _DEEDS.items()),
        *_import_routes(ImportJob(story, chat=chat)),
        Route("/{rest:path}", _nowhere, methods=["GET", "POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, sessions=sessions)])


_QUESTIONS: dict[str, type[Asked]] = {
    "state": desk_requests.Tasks,
    "task": desk_requests.OneTask,
    "position": book_requests.Where,
    "entities": book_requests.Entities,
    "about": book_requests.About,
    "graph": book_requests.Graph,
    "hooks": book_requests.Hooks,
    "plan": book_requests.Plan,
    "lore": book_requests.Lore,
}
_DEEDS: dict[str, type[Asked]] = {
    "say": desk_requests.Say,
    "press": desk_requests.Press,
    "correct": desk_requests.Correct,
    "confirm": desk_requests.Confirm,
    "discard": desk_requests.Discard,
    "plan/step": book_requests.StepPlan,
    "plan/add": book_requests.NewPart,
    "check": book_requests.CheckDraft,
}
"""What is asked under /api/NAME: with a query, or with JSON as its body."""


def _question(kind: type[Asked], book: OpenBook) -> Endpoint:
    async def asked(request: Request) -> Json:
        return await run_in_threadpool(query_of(request, kind).answer, book)

    return _told(asked)


def _deed(kind: type[Asked], book: OpenBook) -> Endpoint:
    async def done(request: Request) -> Json:
        return await run_in_threadpool((await body_of(request, kind)).answer, book)

    return _told(done)


def _import_routes(job: ImportJob) -> list[Route]:
    async def state(request: Request) -> Json:
        return job.state()

    async def begin(request: Request) -> Json:
        given = query_of(request, Import)
        return job.start(await bytes_of(request), given.settle)

    return [Route("/api/import", _told(state)), Route("/api/import", _told(begin), methods=["POST"])]


def _told(work: Callable[[Request], Awaitable[Json]]) -> Endpoint:
    """What the work answers, or its error, as JSON; the book's memory is never asked on the server's own thread."""

    async def endpoint(request: Request) -> Response:
        try:
            return as_json(await work(request))
        except Exception as error:  # noqa: BLE001 - whatever it is, the page is told in one form
            return refusal_of(error).response

    return endpoint


def _starting(about: Json) -> Endpoint:
    async def start(request: Request) -> Response:
        return as_json({**about, "token": request.state.token, "words": _words()})

    return start


# --- files -----------------------------------------------------------------------------------------------------------


async def _page(request: Request) -> Response:
    return Response(_bytes("studio.html"), media_type="text/html", headers={"cache-control": "no-store"})


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _files():
        return await _nowhere(request)
    kind = _TYPES[name.rpartition(".")[2]]
    return Response(_files()[name], media_type=kind, headers={"cache-control": "no-cache"})


async def _nowhere(request: Request) -> Response:
    return Refusal(404, "nowhere", "there is nothing at this address; the page is at /").response


@cache
def _files() -> dict[str, bytes]:
    """The files of the page by name, among them the look that all of AMB's pages share; no other is ever read."""
    page = resources.files("amb_book.studio").joinpath("page")
    own = {
        f"{folder}/{file.name}": file.read_bytes()
        for folder, ending in (("scripts", ".js"), ("styles", ".css"))
        for file in page.joinpath(folder).iterdir()
        if file.name.endswith(ending)
    }
    shared = {
        "scripts/shared.js": f"{shared_script()}\nexport {{ {_TAKEN} }};\n",
        "styles/shared.css": shared_style(),
    }
    return own | {name: text.encode() for name, text in shared.items()}


def _bytes(name: str) -> bytes:
    return resources.files("amb_book.studio").joinpath("page", *name.split("/")).read_bytes()


@cache
def _words() -> dict[str, dict[str, str]]:
    return {language: json.loads(_bytes(f"words/{language}.json")) for language in ("en", "zh")}
