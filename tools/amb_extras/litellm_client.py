"""Whatever LiteLLM reaches; the package is imported when the first model of it is made."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any

from amb_chat.client_call import ClientCall, without_credentials
from amb_chat.prices import Price
from amb_chat.replies import status_failure, unreadable
from amb_chat.retries import Failure, RetryPolicy, seconds_to_wait
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import InvalidParameter, MissingExtra, ModelUnavailable

__all__ = ["LiteLLMChatModel"]


class LiteLLMChatModel:
    """A model by its LiteLLM name (`anthropic/…`, `gemini/…`, `openai/…`); keys are read as LiteLLM reads them.

    `base_url` and `api_key` are for endpoints of one's own, `extra` are further arguments of every call. The rest is
    as with OpenAIChatModel. Raises MissingExtra without the package litellm.
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
        cancel: threading.Event | None = None,
    ) -> None:
        if not model.strip():
            raise InvalidParameter("name the model as LiteLLM does, for example anthropic/claude-sonnet-5-5")
        self._litellm = _litellm()
        self._model = model
        given = {"api_base": base_url, "api_key": api_key}
        self._extra = {**{name: value for name, value in given.items() if value}, **(extra or {})}
        self._caller = ClientCall(
            self._litellm.completion, meaning=self._meaning, timeout=timeout, retries=retries, cancel=cancel
        )

    def __repr__(self) -> str:
        return f"LiteLLMChatModel({self._model!r}, base_url={self.endpoint!r})"

    @property
    def model(self) -> str:
        """The model's LiteLLM name."""
        return self._model

    @property
    def endpoint(self) -> str:
        """The base URL if one was given, else the word `litellm`."""
        return without_credentials(str(self._extra.get("api_base") or "litellm"))

    @property
    def price(self) -> Price | None:
        """What LiteLLM's own table says of the model; None for one it does not know, or at an endpoint of one's own."""
        told = {} if self._extra.get("api_base") else self._litellm.model_cost.get(self._model, {})
        prompt, completion = told.get("input_cost_per_token"), told.get("output_cost_per_token")
        cached = told.get("cache_read_input_token_cost")
        if not prompt or not completion or any(name.startswith("input_cost_per_token_above") for name in told):
            return None
        return Price(prompt * 1e6, completion * 1e6, cached=None if cached is None else cached * 1e6)

    def complete(self, request: ChatRequest) -> ChatReply:
        """One answer; what is said of `ChatModel.complete`."""
        also = {**self._extra, "num_retries": 0, "max_retries": 0, "drop_params": True}
        if request.tools:  # otherwise LiteLLM looks for tools of MCP servers among them, and needs the package mcp
            also["_skip_mcp_handler"] = True
        return self._caller.call(request, model=self._model, also=also)

    def _meaning(self, error: Exception) -> Failure | None:
        """What one of LiteLLM's exceptions means: they carry the status of the endpoint."""
        status = getattr(error, "status_code", None)
        if type(error).__name__ == "APIConnectionError":  # also what it makes of answers it cannot read
            return Failure(ModelUnavailable(f"{self.endpoint} cannot be reached, or its answer be read"), again=True)
        if isinstance(status, int):
            said = str(getattr(error, "message", type(error).__name__))
            key = str(self._extra.get("api_key") or "\0")
            headers = getattr(error, "litellm_response_headers", None)
            return status_failure(status, said.replace(key, "…"), retry_after=seconds_to_wait(headers))
        return unreadable() if isinstance(error, ValueError) else None


def _litellm() -> Any:
    """The package; it neither fetches a table of prices when it is imported nor prints advice when a call fails."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        import litellm
    except ImportError:
        raise MissingExtra("litellm", extra="litellm") from None
    litellm.suppress_debug_info = True
    return litellm
