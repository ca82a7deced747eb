"""The chat model an author writes with: patient, but not for ever; what it costs is counted."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from amb_cli.command_parser import above_zero, address, positive
from amb_cli.console import say
from amb_cli.environment import Secrets, environment, model_told, number_told
from amb_cli.user_language import translate
from amb_core.errors import InvalidInput

if TYPE_CHECKING:
    from amb_book import Story
    from amb_book.desk import Desk
    from amb_chat import UsageMeter
    from amb_core.protocols import ChatModel

__all__ = ["AuthorModel", "add_model_options", "author_model", "tell_cost"]

_TIMEOUT, _TIMEOUT_HERE = 120.0, 180.0
"""Seconds one call may take, also from a server on this machine, which may have no fast one."""
_HERE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class AuthorModel:
    """A chat model with what is counted of it, how many options it is asked for, and what breaks its calls off."""

    chat: ChatModel
    meter: UsageMeter
    options: int
    cancel: threading.Event

    def desk(self, story: Story) -> Desk:
        """The desk of a book at which this model invents and reads off."""
        from amb_book.with_a_model import workshop_with

        return story.desk(chat=self.chat, workshop=workshop_with(self.chat, story, options=self.options))

    @property
    def spent(self) -> str:
        """What was asked of it, in words; "" when nothing was."""
        total = self.meter.total
        told = {"calls": total.calls, "model": self.chat.model, "tokens": total.tokens}
        return translate("{calls} calls of {model}, {tokens} tokens", **told) if total.calls else ""


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add what says which model is asked, where, and for how much."""
    parser.add_argument("--model", help="a chat model that invents; without one the book's memory answers")
    parser.add_argument("--base-url", type=address, help="its endpoint, such as http://127.0.0.1:11434/v1")
    parser.add_argument("--options", type=_options, default=3, help="how many options it offers, 1 to 9 (default: 3)")
    parser.add_argument(
        "--timeout",
        type=above_zero,
        metavar="S",
        help=f"seconds one call may take (default: {_TIMEOUT:.0f}, {_TIMEOUT_HERE:.0f} of a server on this machine)",
    )
    parser.add_argument(
        "--budget-tokens",
        type=positive,
        metavar="N",
        help="tokens it may take (default: AMB_BUDGET_TOKENS); then rules go on alone",
    )


@contextmanager
def author_model(options: argparse.Namespace) -> Iterator[AuthorModel | None]:
    """The model that was asked for, on the command line or in the environment; None for none.

    A call that is under way at the end is broken off. InvalidInput for an endpoint without a model.
    """
    cancel = threading.Event()
    with environment() as hidden:
        try:
            yield _opened(options, hidden, cancel)
        finally:
            cancel.set()


def tell_cost(model: AuthorModel | None) -> None:
    """Say on standard error what was asked of a model, when anything was."""
    if model is not None and model.spent:
        say(f"amb book: {model.spent}", file=sys.stderr)


def _opened(options: argparse.Namespace, hidden: Secrets, cancel: threading.Event) -> AuthorModel | None:
    from amb_chat import Budget, RetryPolicy, UsageMeter, metered, open_chat
    from amb_chat.user_environment import configured
    from amb_cli.discreet import DiscreetChat

    name = options.model or model_told()
    if name is None:
        if options.base_url is not None:
            raise InvalidInput("--base-url names an endpoint, and --model the model there; name both")
        return None
    url = options.base_url
    here = urlsplit(url or configured("LLM_BASE_URL") or "").hostname in _HERE
    limit = options.timeout or (_TIMEOUT_HERE if here else _TIMEOUT)
    patient = RetryPolicy(attempts=3, total=limit)  # what was not there in time is not asked for again
    chat = open_chat(name, base_url=url, timeout=limit, retries=patient, cancel=cancel)
    meter = UsageMeter(budget=Budget(tokens=options.budget_tokens or number_told("AMB_BUDGET_TOKENS")))
    return AuthorModel(metered(DiscreetChat(chat, hidden), meter=meter), meter, options.options, cancel)


def _options(text: str) -> int:
    if text not in "123456789" or not text:
        raise argparse.ArgumentTypeError("must be 1 to 9")
    return int(text)
