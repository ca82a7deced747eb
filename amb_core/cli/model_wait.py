"""What is said while a chat model works: after two seconds, on standard error, how long it has been and on what."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Self

from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.cli.user_language import translate

__all__ = ["ModelWait"]

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
        from amb_core.chat.token_figures import estimated

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
