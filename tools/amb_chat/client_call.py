"""One call as every client makes it: tried again when that may help, in the fields the endpoint takes.

Some models take `max_completion_tokens` where others take `max_tokens`, and some no `temperature` but their own; what
an endpoint has refused is learnt once.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self
from urllib.parse import urlsplit

from amb_chat.replies import reply_of, request_fields, without_choice
from amb_chat.retries import Failure, Retrier, RetryPolicy
from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage
from amb_core.errors import ModelError, ModelRefused

__all__ = ["ClientCall", "Dialect", "without_credentials"]


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
                other = dialect.after(str(error)) if isinstance(error, ModelRefused) and _is_of_fields(error) else None
                if other is None and isinstance(error, ModelRefused) and error.malformed and fields.get("logprobs"):
                    other = replace(dialect, logprobs=False) if dialect.logprobs else None  # it may be this, untold
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


def _is_of_fields(error: ModelRefused) -> bool:
    """Whether a refusal may be about a field of the request; some forbid what they do not tell."""
    return error.malformed or "logprobs" in str(error).lower()


def without_credentials(url: str) -> str:
    """The URL without a user's name and password in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


_LIMIT, _NEWER_LIMIT = "max_tokens", "max_completion_tokens"
_REFUSED = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|extra|deprecated"
    r"|only the default|invalid (?:param|field|arg)|does not accept|must be 1|不支持|未知|不允许",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which of the fields an endpoint takes: the name of its output limit, whether a temperature may be set, and
    whether it says how probable its tokens are.
    """

    limit: str = _LIMIT
    temperature: bool = True
    logprobs: bool = True

    def spoken(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a request as this endpoint takes them."""
        said = dict(fields)
        if self.limit != _LIMIT and _LIMIT in said:
            said[self.limit] = said.pop(_LIMIT)
        if not self.temperature:
            said.pop("temperature", None)
        if not self.logprobs:
            said.pop("logprobs", None)
        return said

    def after(self, refusal: str) -> Self | None:
        """The dialect to try after the endpoint refused a request in these words; None when they are about no field."""
        if self.logprobs and "logprobs" in refusal.lower():  # in whatever words: nobody needs them
            return replace(self, logprobs=False)
        if not _REFUSED.search(refusal):
            return None
        if self.limit == _LIMIT and _LIMIT in refusal:
            return replace(self, limit=_NEWER_LIMIT)
        if self.temperature and "temperature" in refusal.lower():
            return replace(self, temperature=False)
        return None
