"""Whatever LiteLLM reaches; the package is imported when the first model of it is made."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from amb_core.chat.replies import reply_of, response_format, with_choice
from amb_core.chat.retrying import Failure, Retrier, RetryPolicy
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import InvalidParameter, MissingExtra, ModelRefused, ModelUnavailable

__all__ = ["LiteLLMChatModel"]

_AGAIN = frozenset({408, 409, 425, 429})
_MALFORMED = frozenset({400, 415, 422})


class LiteLLMChatModel:
    """A model by its LiteLLM name (`anthropic/…`, `gemini/…`, `openai/…`); keys are read as LiteLLM reads them.

    `extra` are further fields of every call (`api_base`, `api_key`). Raises MissingExtra without the package litellm.
    """

    def __init__(
        self,
        model: str,
        *,
        timeout: float = 120.0,
        retries: RetryPolicy | None = None,
        extra: Mapping[str, Any] | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        if not model.strip():
            raise InvalidParameter("name the model as LiteLLM does, for example anthropic/claude-sonnet-4-5")
        try:
            import litellm
        except ImportError:
            raise MissingExtra("litellm", extra="litellm") from None
        self._completion = litellm.completion
        self._model = model
        self._timeout = float(timeout)
        self._extra = dict(extra or {})
        self._retrier = Retrier(retries or RetryPolicy(), cancel=cancel)

    @property
    def model(self) -> str:
        """The model's LiteLLM name."""
        return self._model

    @property
    def endpoint(self) -> str:
        """The base URL if one was given, else the word `litellm`."""
        return str(self._extra.get("api_base") or "litellm")

    def complete(self, request: ChatRequest) -> ChatReply:
        """One answer; what is said of `ChatModel.complete`."""
        fields: dict[str, Any] = {
            **self._extra,
            "model": self._model,
            "messages": [dict(message) for message in request.messages],
            "max_tokens": request.max_output_tokens,
            "timeout": self._timeout,
            "num_retries": 0,
            "drop_params": True,
        }
        if request.temperature is not None:
            fields["temperature"] = request.temperature
        if request.tools:
            fields["tools"] = [dict(tool) for tool in request.tools]
        if (wanted := response_format(request)) is not None:
            fields["response_format"] = wanted
        answer, failed = self._retrier.call(lambda: with_choice(self._completion(**fields)), meaning=_meaning)
        return reply_of(answer, request=request, model=self._model, failed=failed)


def _meaning(error: Exception) -> Failure | None:
    """What one of LiteLLM's exceptions means: they carry the status of the endpoint."""
    if isinstance(error, ValueError) and not hasattr(error, "status_code"):
        return Failure(ModelUnavailable("the endpoint's answer has nothing in it or cannot be read"), again=True)
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return None
    text = f"the endpoint answered {status} ({type(error).__name__})"
    if status in _AGAIN or status >= 500:
        return Failure(ModelUnavailable(f"{text}; try again later"), again=True)
    advice = "check the key, the model's name and the request"
    return Failure(ModelRefused(f"{text}; {advice}", malformed=status in _MALFORMED), again=False)
