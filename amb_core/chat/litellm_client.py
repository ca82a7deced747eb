"""Whatever LiteLLM reaches; the package is imported when the first model of it is made."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from amb_core.chat.replies import reply_of, request_fields, status_failure, unreadable, with_choice
from amb_core.chat.retrying import Failure, Retrier, RetryPolicy
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import InvalidParameter, MissingExtra

__all__ = ["LiteLLMChatModel"]


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
        fields = {
            **self._extra,
            **request_fields(request, model=self._model, timeout=self._timeout),
            "num_retries": 0,
            "drop_params": True,
        }
        answer, failed = self._retrier.call(lambda: with_choice(self._completion(**fields)), meaning=_meaning)
        return reply_of(answer, request=request, model=self._model, failed=failed)


def _meaning(error: Exception) -> Failure | None:
    """What one of LiteLLM's exceptions means: they carry the status of the endpoint."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return status_failure(status, type(error).__name__)
    return unreadable() if isinstance(error, ValueError) and status is None else None
