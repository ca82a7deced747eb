"""The application: the page, its files, and one JSON route for everything it asks."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import cache
from importlib import resources
from typing import Any, Literal

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from amb_book import Story
from amb_book.desk import Desk
from amb_book.studio import page_requests
from amb_book.studio.book_work import BookWork, DraftChecker
from amb_book.studio.desk_work import DeskWork
from amb_book.studio.import_job import ImportJob
from amb_book.studio.page_requests import Asked, body_of, bytes_of, query_of
from amb_book.studio.refusals import Refusal, as_json, refusal_of
from amb_book.studio.studio_guard import Guard, Sessions
from amb_core.errors import InvalidParameter
from amb_core.inspector import shared_script, shared_style
from amb_core.protocols import ChatModel, Clock

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
    about = {
        "book": story.place.name if story.place is not None else "",
        "model": model,
        "language": language,
    }
    routes = [
        Route("/", _page),
        Route("/static/{name:path}", _file),
        Route("/api/start", _starting(about)),
        *_desk_routes(DeskWork(story, desk, clock=clock)),
        *_book_routes(BookWork(story, checker=checker)),
        *_import_routes(ImportJob(story, chat=chat)),
        Route("/{rest:path}", _nowhere, methods=["GET", "POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, sessions=sessions)])


def _desk_routes(work: DeskWork) -> list[Route]:
    return [
        Route("/api/state", _answer(work.state)),
        Route("/api/task", _ask(work.task, page_requests.Named)),
        Route("/api/say", _do(work.say, page_requests.Say), methods=["POST"]),
        Route("/api/press", _do(work.press, page_requests.Press), methods=["POST"]),
        Route("/api/correct", _do(work.correct, page_requests.Correct), methods=["POST"]),
        Route("/api/confirm", _do(work.confirm, page_requests.Confirm), methods=["POST"]),
        Route("/api/discard", _do(work.discard, page_requests.Discard), methods=["POST"]),
    ]


def _book_routes(work: BookWork) -> list[Route]:
    return [
        Route("/api/position", _answer(work.position)),
        Route("/api/entities", _ask(work.entities, page_requests.At)),
        Route("/api/about", _ask(work.about, page_requests.Named)),
        Route("/api/graph", _ask(work.graph, page_requests.Graph)),
        Route("/api/hooks", _ask(work.hooks, page_requests.At)),
        Route("/api/plan", _answer(work.plan)),
        Route("/api/plan/step", _do(work.step, page_requests.StepPlan), methods=["POST"]),
        Route("/api/plan/add", _do(work.add, page_requests.NewPart), methods=["POST"]),
        Route("/api/lore", _ask(work.lore, page_requests.Lore)),
        Route("/api/check", _do(work.check, page_requests.Check), methods=["POST"]),
    ]


def _import_routes(job: ImportJob) -> list[Route]:
    async def begin(request: Request) -> Response:
        async def begun() -> Any:
            given = query_of(request, page_requests.Import)
            return job.start(await bytes_of(request), given.settle)

        return await _told(begun)

    return [Route("/api/import", _answer(job.state)), Route("/api/import", begin, methods=["POST"])]


# --- answering -------------------------------------------------------------------------------------------------------


def _answer(work: Callable[[], Any]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return await _told(lambda: run_in_threadpool(work))

    return endpoint


def _ask(work: Callable[[Any], Any], kind: type[Asked]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return await _told(lambda: run_in_threadpool(lambda: work(query_of(request, kind))))

    return endpoint


def _do(work: Callable[[Any], Any], kind: type[Asked]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        async def done() -> Any:
            given = await body_of(request, kind)
            return await run_in_threadpool(work, given)

        return await _told(done)

    return endpoint


async def _told(work: Callable[[], Awaitable[Any]]) -> Response:
    """What the work answers, or its error, as JSON; the book's memory is never asked on the server's own thread."""
    try:
        return as_json(await work())
    except Exception as error:  # noqa: BLE001 - whatever it is, the page is told in one form
        return refusal_of(error).response


def _starting(about: dict[str, Any]) -> Endpoint:
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
