"""Any endpoint that speaks OpenAI's chat protocol: OpenAI, DeepSeek, vLLM, Ollama, llama.cpp and many more."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any, cast

from amb_core.chat.replies import reply_of, request_fields, status_failure, unreadable, with_choice
from amb_core.chat.retrying import Failure, Retrier, RetryPolicy
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import InvalidParameter, MissingExtra, ModelUnavailable

__all__ = ["OpenAIChatModel"]


class OpenAIChatModel:
    """A model behind an OpenAI-compatible endpoint.

    `base_url` and `api_key` default to LLM_BASE_URL / OPENAI_BASE_URL and LLM_API_KEY / OPENAI_API_KEY; a server of
    one's own needs no key. `timeout` are seconds for one attempt, `retries` says what is tried again. `extra` are
    further fields of every request, as the endpoint takes them (`{"reasoning_effort": "low"}`). `client` takes an
    existing `openai.OpenAI`. `cancel` ends waiting between attempts. Raises MissingExtra without the package openai
    and InvalidParameter without a key where one is needed.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 120.0,
        retries: RetryPolicy | None = None,
        extra: Mapping[str, Any] | None = None,
        client: Any = None,
        cancel: threading.Event | None = None,
    ) -> None:
        if not model.strip():
            raise InvalidParameter("name the model, for example gpt-5-mini or deepseek-chat")
        if timeout <= 0:
            raise InvalidParameter(f"the timeout must be above 0 seconds, not {timeout}")
        self._model = model
        self._timeout = float(timeout)
        self._extra = dict(extra or {})
        self._retrier = Retrier(retries or RetryPolicy(), cancel=cancel)
        self._client = client if client is not None else _client(base_url, api_key)

    @property
    def model(self) -> str:
        """The model's name as the endpoint knows it."""
        return self._model

    @property
    def endpoint(self) -> str:
        """The base URL."""
        return str(self._client.base_url)

    def complete(self, request: ChatRequest) -> ChatReply:
        """One answer; what is said of `ChatModel.complete`."""
        fields = request_fields(request, model=self._model, timeout=self._timeout)
        fields["extra_body"] = self._extra or None
        create = self._client.chat.completions.create
        answer, failed = self._retrier.call(lambda: with_choice(create(**fields)), meaning=_meaning)
        return reply_of(cast("Any", answer), request=request, model=self._model, failed=failed)


def _meaning(error: Exception) -> Failure | None:
    """What an exception of the client means; the text of the endpoint is kept short and without a key."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return Failure(ModelUnavailable("the model did not answer in time; raise the timeout or try again"), again=True)
    if isinstance(error, openai.APIStatusError):
        refused = cast("Any", error)
        after = _seconds(refused.response.headers.get("retry-after"))
        return status_failure(refused.status_code, _said(refused), retry_after=after)
    if isinstance(error, openai.APIConnectionError):
        return Failure(ModelUnavailable("the endpoint cannot be reached; check its URL"), again=True)
    if isinstance(error, openai.APIError | ValueError):  # an answer that is no JSON, or none of the protocol
        return unreadable()
    return None


def _said(error: Any) -> str:
    body = error.body if isinstance(error.body, Mapping) else {}
    message = body.get("message") or type(error).__name__
    return " ".join(str(message).split())[:200]


def _seconds(text: str | None) -> float | None:
    try:
        return max(float(text), 0.0) if text else None
    except ValueError:
        return None


def _client(base_url: str | None, api_key: str | None) -> Any:
    try:
        import openai
    except ImportError:
        raise MissingExtra("openai", extra="openai") from None
    url = base_url or os.environ.get("LLM_BASE_URL") or os.environ.get("OPENAI_BASE_URL")
    key = api_key or os.environ.get("LLM_API_KEY") or os.environ.get("OPENAI_API_KEY") or ("none" if url else None)
    if key is None:
        raise InvalidParameter("no key for the model: set LLM_API_KEY, or name a server of your own with base_url")
    return openai.OpenAI(base_url=url, api_key=key, max_retries=0)
