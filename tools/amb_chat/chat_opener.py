"""A chat model from its name and what the user has set outside the program."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from amb_chat.openai_client import OpenAIChatModel
from amb_chat.prices import price_of
from amb_chat.retries import RetryPolicy
from amb_chat.user_environment import configured
from amb_core.errors import InvalidParameter
from amb_core.protocols import ChatModel
from amb_core.registry import find_extra

__all__ = ["open_chat"]

_log = logging.getLogger("amb.chat")
_LITELLM = "litellm:"


@dataclass(frozen=True, slots=True)
class _Provider:
    """Where models with a name of this beginning live, and the variable with its key."""

    url: str
    key: str


_PROVIDERS = {
    "deepseek": _Provider("https://api.deepseek.com", "DEEPSEEK_API_KEY"),
    "gemini": _Provider("https://generativelanguage.googleapis.com/v1beta/openai/", "GEMINI_API_KEY"),
    "claude": _Provider("https://api.anthropic.com/v1/", "ANTHROPIC_API_KEY"),
    "mistral": _Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "grok": _Provider("https://api.x.ai/v1", "XAI_API_KEY"),
}


def open_chat(
    model: str | None = None,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float = 120.0,
    retries: RetryPolicy | None = None,
    extra: Mapping[str, Any] | None = None,
    cancel: threading.Event | None = None,
) -> ChatModel:
    """The model of that name: `litellm:PROVIDER/MODEL` through LiteLLM, any other over OpenAI's protocol.

    Without a name LLM_MODEL says it. Without `base_url`, LLM_BASE_URL says where; without that a name that begins with
    deepseek, gemini, claude, mistral or grok goes to its provider, with DEEPSEEK_API_KEY and so on (else LLM_API_KEY)
    as its key; all others go where OPENAI_BASE_URL says, or to OpenAI, with a warning in the log for a name without a
    known price. All of these are read from the environment and
    from `.env`. The rest is as with OpenAIChatModel. Raises InvalidParameter without a name or a key.
    """
    name = (model or configured("LLM_MODEL") or "").strip()
    if not name:
        raise InvalidParameter("name the model, or set LLM_MODEL, for example to gpt-5-mini or deepseek-flash")
    if name.startswith(_LITELLM):
        opened: ChatModel = find_extra("litellm")(
            name.removeprefix(_LITELLM),
            base_url=base_url,
            api_key=api_key,
            timeout=timeout,
            retries=retries,
            extra=extra,
            cancel=cancel,
        )
        return opened
    if base_url is None and configured("LLM_BASE_URL") is None:
        base_url, api_key = _at_its_provider(name, api_key)
    return OpenAIChatModel(
        name, base_url=base_url, api_key=api_key, timeout=timeout, retries=retries, extra=extra, cancel=cancel
    )


def _at_its_provider(model: str, api_key: str | None) -> tuple[str | None, str | None]:
    """Base URL and key of the provider whose model it is by its name; None where the name says nothing."""
    found = next((provider for start, provider in _PROVIDERS.items() if model.startswith(start)), None)
    if found is None:
        if configured("OPENAI_BASE_URL") is None and price_of(model) is None:
            _log.warning("model %r is not known: OpenAI is asked; name another service with base_url", model)
        return None, api_key
    key = api_key or configured(found.key) or configured("LLM_API_KEY")
    if key is None:
        raise InvalidParameter(f"no key for {model}: set {found.key}, or name a server of your own with base_url")
    return found.url, key
