"""Chat models and tools that cannot say a secret, though what an endpoint sends back may hold the key of the call.

While a chat model works, it is said on standard error how long it has been and on what.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Self

from amb_chat.prices import Price
from amb_cli.environment import Secrets
from amb_cli.user_language import translate
from amb_core.adapter import Tool, ToolOutput
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel

__all__ = ["DiscreetChat", "DiscreetReader", "ModelWait", "discreet_tool"]


_FIRST, _ON_A_TERMINAL, _ELSEWHERE = 1.5, 0.5, 2.0
"""Seconds until the first word; and until the next one on a terminal, where it replaces the last, and elsewhere."""
_DOTS = 7
"""So many of the words elsewhere are dots, between two lines."""


class ModelWait:
    """`with wait.during(model, request):` around a call; calls at one time are told together, each wait for itself.

    On a terminal one line is written over and goes when the answer is there; elsewhere a line comes every so often,
    and dots between.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._teller = threading.Thread()
        self._calls = self._sent = self._spent = 0
        self._model = ""

    def during(self, model: str, request: ChatRequest) -> Self:
        """Which model is asked, and what it is sent."""
        from amb_chat.token_figures import estimated

        self._model, self._sent = model, estimated(request).prompt_tokens
        return self

    def answered(self, reply: ChatReply) -> None:
        """What an answer has cost counts among the tokens so far."""
        with self._lock:
            self._spent += reply.usage.tokens

    def __enter__(self) -> Self:
        with self._lock:
            self._calls += 1
            if self._calls == 1:
                self._over = threading.Event()
                self._teller = threading.Thread(target=self._tell, args=(self._over,), daemon=True)
                self._teller.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._calls -= 1
            if not self._calls:
                self._over.set()
                self._teller.join()  # so that what is printed next begins a line of its own

    def _tell(self, over: threading.Event) -> None:
        began, count = time.monotonic(), 0
        there = sys.stderr.isatty()
        pause, after = _FIRST, ""
        while not over.wait(pause):
            if there:
                text, after = f"\r\x1b[K {self._line(began)}", "\r\x1b[K"
            elif count % (_DOTS + 1):
                text, after = ".", "\n"
            else:
                text, after = f"{after}amb: {self._line(began)}\n", ""
            print(text, end="", file=sys.stderr, flush=True)
            count, pause = count + 1, _ON_A_TERMINAL if there else _ELSEWHERE
        print(after, end="", file=sys.stderr, flush=True)

    def _line(self, began: float) -> str:
        return translate(
            "{model} works: {seconds} s, about {sent:,} tokens sent, {spent:,} spent before",
            model=self._model,
            seconds=round(time.monotonic() - began),
            sent=self._sent,
            spent=self._spent,
        )


@dataclass(frozen=True, slots=True)
class DiscreetChat:
    """A chat model asked without the secrets, whose replies and errors come without them; waits are told."""

    chat: ChatModel
    secrets: Secrets
    wait: ModelWait = field(default_factory=ModelWait, compare=False)

    @property
    def model(self) -> str:
        """The name of the model behind it."""
        return self.chat.model

    @property
    def endpoint(self) -> str:
        """The endpoint behind it."""
        return self.secrets.hide(self.chat.endpoint)

    @property
    def price(self) -> Price | None:
        """The price the model itself knows."""
        price: Price | None = getattr(self.chat, "price", None)
        return price

    def complete(self, request: ChatRequest) -> ChatReply:
        """One answer; what is said of `ChatModel.complete`."""
        try:
            with self.wait.during(self.model, request):
                reply = self.chat.complete(replace(request, messages=_hidden(request.messages, self.secrets)))
        except ModelError as error:
            error.args = (self.secrets.hide(str(error)),)
            raise
        self.wait.answered(reply)
        hide = self.secrets.hide
        calls = tuple(replace(call, name=hide(call.name), arguments=hide(call.arguments)) for call in reply.tool_calls)
        return replace(reply, text=hide(reply.text), tool_calls=calls, model=hide(reply.model))


def _hidden(told: Any, secrets: Secrets) -> Any:
    """Texts however deep in messages, without the secrets: a page that a tool reads with a model may hold them."""
    if isinstance(told, str):
        return secrets.hide(told)
    if isinstance(told, Mapping):
        return {name: _hidden(value, secrets) for name, value in told.items()}
    return type(told)(_hidden(value, secrets) for value in told) if isinstance(told, (tuple, list)) else told


@dataclass(frozen=True, slots=True)
class DiscreetReader:
    """A reader of pages whose pages come without the secrets: what it reads is kept in files, whole."""

    reader: Any
    secrets: Secrets

    def read(self, url: str) -> Any:
        """The page; what is said of `PageReader.read`."""
        page, hide = self.reader.read(url), self.secrets.hide
        return replace(page, url=hide(page.url), text=hide(page.text), title=hide(page.title), main=hide(page.main))


def discreet_tool(tool: Tool, secrets: Secrets) -> Tool:
    """The tool, with texts and sources that come without the secrets, errors included."""

    def run(**arguments: Any) -> ToolOutput:
        output = tool.run(**arguments)
        source = None if output.source is None else secrets.hide(output.source)
        return replace(output, text=secrets.hide(output.text), source=source)

    return replace(tool, function=run)
