"""How many tokens a request and an answer have: by tiktoken's o200k where its vocabulary is here, else by estimate."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from amb_core.text import estimate_tokens

__all__ = ["TokenCounter", "text_of", "token_counter"]

_VOCABULARY = "o200k_base"
_A_MESSAGE, _A_REQUEST = 3, 3
"""What the chat format adds around each message and around the whole."""


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts tokens; `name` says by what."""

    name: str
    count: Callable[[str], int]

    def prompt(self, body: Mapping[str, Any]) -> int:
        """Tokens of a request: its messages, its tools, and the schema its answer is held to."""
        said = sum(_A_MESSAGE + self.count(text) for text in map(text_of, body.get("messages") or ()))
        return _A_REQUEST + said + self.schema(body)

    def schema(self, body: Mapping[str, Any]) -> int:
        """Tokens of what a request sends beside its messages: tools and the schema of the answer."""
        wanted = body.get("response_format") or {}
        parts = [*(body.get("tools") or ()), *([wanted["json_schema"]] if "json_schema" in wanted else ())]
        return sum(self.count(json.dumps(part, ensure_ascii=False, separators=(",", ":"))) for part in parts)


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message in chat form, its text parts and the arguments of its tool calls included."""
    content = message.get("content") or ""
    parts = [content] if isinstance(content, str) else [str(part.get("text") or "") for part in content]
    calls = [json.dumps(call.get("function") or {}) for call in message.get("tool_calls") or ()]
    return "\n".join([*parts, *calls])


@cache
def token_counter() -> TokenCounter:
    """tiktoken's o200k if its vocabulary can be had without a download, else AMB's estimate."""
    if _is_here("tiktoken") and (folder := _vocabulary_folder()) is not None:
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        library: Any = import_module("tiktoken")
        encoding = library.get_encoding(_VOCABULARY)
        return TokenCounter("tiktoken o200k", lambda text: len(encoding.encode_ordinary(text)))
    return TokenCounter("AMB's estimate of o200k", estimate_tokens)


def _is_here(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _vocabulary_folder() -> Path | None:
    """Where the vocabulary lies: the cache that is set, or the copy the package litellm brings along."""
    name = "fb374d419588a4632f3f557e76b4b70aebbca790"  # tiktoken's name for o200k_base
    folders = [Path(os.environ[key]) for key in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR") if os.environ.get(key)]
    if _is_here("litellm") and (spec := find_spec("litellm")) is not None:
        folders += [
            Path(place) / "litellm_core_utils" / "tokenizers" for place in spec.submodule_search_locations or ()
        ]
    return next((folder for folder in folders if (folder / name).is_file()), None)
