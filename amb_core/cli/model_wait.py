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

_FIRST, _ON_A_TERMINAL, _ELSEWHERE = 1.5, 0.5, 15.0
"""Seconds until the first word; and until the next one on a terminal, where it replaces the last, and elsewhere."""


class ModelWait:
    """`with wait.during(model, request):` around a call; calls at one time are told together, each wait for itself.

    On a terminal one line is written over and goes when the answer is there; elsewhere a line comes every so often.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = threading.Event()
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
                threading.Thread(target=self._tell, args=(self._over,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._calls -= 1
            if not self._calls:
                self._over.set()

    def _tell(self, over: threading.Event) -> None:
        began, said, pause = time.monotonic(), False, _FIRST
        there = sys.stderr.isatty()
        while not over.wait(pause):
            text = translate(
                "{model} works: {seconds} s, about {sent:,} tokens sent, {spent:,} spent before",
                model=self._model,
                seconds=round(time.monotonic() - began),
                sent=self._sent,
                spent=self._spent,
            )
            print(
                *(("\r\x1b[K ", text) if there else ("amb:", text)),
                end="" if there else "\n",
                file=sys.stderr,
                flush=True,
            )
            said, pause = True, _ON_A_TERMINAL if there else _ELSEWHERE
        if said and there:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
