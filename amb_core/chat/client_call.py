"""One call as every client makes it: tried again when that may help, in the words the endpoint takes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from amb_core.chat.dialect import Dialect
from amb_core.chat.replies import reply_of, request_fields, without_choice
from amb_core.chat.retries import Failure, Retrier, RetryPolicy
from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage
from amb_core.errors import ModelError, ModelRefused

__all__ = ["ClientCall", "without_credentials"]


class ClientCall:
    """Makes calls with a client's function; what the endpoint refuses of their fields is learnt and remembered."""

    def __init__(
        self,
        create: Callable[..., Any],
        *,
        meaning: Callable[[Exception], Failure | None],
        timeout: float,
        retries: RetryPolicy | None,
        cancel: threading.Event | None,
    ) -> None:
        self._create = create
        self._meaning = meaning
        self._retrier = Retrier(retries or RetryPolicy(), timeout=timeout, cancel=cancel)
        self._dialect = Dialect()

    def call(self, request: ChatRequest, *, model: str, also: Mapping[str, Any]) -> ChatReply:
        """One answer; `also` are further arguments of the client's function. Raises a ModelError without one."""
        fields, dialect, spent = request_fields(request, model=model), self._dialect, TokenUsage()
        while True:
            try:
                answered = self._retrier.call(
                    partial(self._answer, request, {**dialect.spoken(fields), **also}), meaning=self._meaning
                )
            except ModelError as error:
                error.spent = spent = spent + error.spent
                other = dialect.after(str(error)) if isinstance(error, ModelRefused) and error.malformed else None
                if other is None:
                    raise
                dialect = other
                continue
            self._dialect = dialect  # only what brought an answer is remembered
            return reply_of(answered.answer, request=request, model=model, spent=spent + answered.spent)

    def _answer(self, request: ChatRequest, arguments: Mapping[str, Any], seconds: float) -> Any:
        """The client's answer, or what it means that there is no choice in it; `seconds` is for each read of it."""
        answer = self._create(timeout=seconds, **arguments)
        return without_choice(answer, request=request) or answer


def without_credentials(url: str) -> str:
    """The URL without a user's name and password in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
