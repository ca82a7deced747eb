"""Any endpoint that speaks OpenAI's chat protocol: OpenAI, DeepSeek, vLLM, Ollama, llama.cpp and many more."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlsplit

from amb_chat.client_call import ClientCall, without_credentials
from amb_chat.replies import status_failure, unreadable
from amb_chat.retries import Failure, RetryPolicy, seconds_to_wait
from amb_chat.user_environment import configured
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import InvalidParameter, MissingExtra, ModelUnavailable

__all__ = ["OpenAIChatModel"]

_OPENAI = "https://api.openai.com/v1"
_OWN_HOSTS = ("openai.com", "openai.azure.com")


class OpenAIChatModel:
    """A model behind an OpenAI-compatible endpoint.

    `base_url` and `api_key` default to LLM_BASE_URL / OPENAI_BASE_URL and LLM_API_KEY / OPENAI_API_KEY, from the
    environment or `.env`; the last of them is sent to OpenAI and OPENAI_BASE_URL only, and a server of one's own needs
    no key. `timeout` are seconds for one attempt, from the first byte sent to the last one read; `retries` says what is
    tried again and for how long in all. `extra` are further fields of every request, as the endpoint takes them
    (`{"reasoning_effort": "low"}`). `client` takes an existing `openai.OpenAI`. `cancel` ends a call that is waited
    for. Raises MissingExtra without the package openai and InvalidParameter without a key where one is needed.
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
            raise InvalidParameter("name the model, for example gpt-5-mini or deepseek-flash")
        self._model = model
        self._extra = dict(extra or {})
        self._client = _client(base_url, api_key) if client is None else client.with_options(max_retries=0)
        self._caller = ClientCall(
            self._client.chat.completions.create, meaning=self._meaning, timeout=timeout, retries=retries, cancel=cancel
        )

    def __repr__(self) -> str:
        return f"OpenAIChatModel({self._model!r}, base_url={self.endpoint!r})"

    @property
    def model(self) -> str:
        """The model's name as the endpoint knows it."""
        return self._model

    @property
    def endpoint(self) -> str:
        """The base URL."""
        return without_credentials(str(self._client.base_url))

    def complete(self, request: ChatRequest) -> ChatReply:
        """One answer; what is said of `ChatModel.complete`."""
        return self._caller.call(request, model=self._model, also={"extra_body": self._extra or None})

    def _meaning(self, error: Exception) -> Failure | None:
        """What an exception of the client means; the words of the endpoint are kept short and without the key."""
        import openai

        if isinstance(error, openai.APITimeoutError):
            return Failure(ModelUnavailable("the model did not answer in time; raise the timeout or try later"), True)
        if isinstance(error, openai.APIStatusError):
            refused = cast("Any", error)
            said = _said(refused).replace(self._client.api_key or "\0", "…")
            return status_failure(refused.status_code, said, retry_after=seconds_to_wait(refused.response.headers))
        if isinstance(error, openai.APIConnectionError):
            return Failure(ModelUnavailable(f"{self.endpoint} cannot be reached; check the URL"), again=True)
        if isinstance(error, openai.APIError | ValueError):  # an answer that is no JSON, or none of the protocol
            return unreadable()
        return None


def _said(error: Any) -> str:
    body = error.body if isinstance(error.body, Mapping) else {}
    said = body.get("message") or body.get("detail") or type(error).__name__
    field = body.get("param")
    return f"{said} [{field}]" if field and str(field) not in str(said) else str(said)


def _client(base_url: str | None, api_key: str | None) -> Any:
    try:
        import openai
    except ImportError:
        raise MissingExtra("openai", extra="openai") from None
    url = _checked(base_url or configured("LLM_BASE_URL", "OPENAI_BASE_URL") or _OPENAI)
    key = api_key or configured("LLM_API_KEY")
    if key is None and (_is_openais(url) or url == configured("OPENAI_BASE_URL")):
        key = configured("OPENAI_API_KEY")
    if key is None and _is_openais(url):
        raise InvalidParameter("no key for the model: set LLM_API_KEY, or name a server of your own with base_url")
    return openai.OpenAI(base_url=url, api_key=key or "none", max_retries=0)


def _checked(url: str) -> str:
    """The URL, if it is one that can be called."""
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        fine = False
    if not fine:
        raise InvalidParameter("the base URL of the model is none; it looks like https://host/v1")
    return url


def _is_openais(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return any(host == own or host.endswith(f".{own}") for own in _OWN_HOSTS)
