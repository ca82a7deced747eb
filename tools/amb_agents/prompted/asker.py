"""One question of a role to a chat model: the static prompt first, then the material as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from amb_agents.prompts import prompt
from amb_chat.structured_chat import StructuredChat
from amb_core.chat_io import ChatReply
from amb_core.settings import Settings
from amb_core.text import detect_language, estimate_tokens
from amb_core.text.language import Language

__all__ = ["Asker", "material"]

_Shape = TypeVar("_Shape", bound=BaseModel)


def material(**parts: Any) -> str:
    """Material as one JSON object: whatever a text holds stays inside its string."""
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


class Asker:
    """Asks one model in the language that is set, else in that of the text a question is about.

    `prompts` is the package that holds the prompts of the roles.
    """

    def __init__(self, chat: StructuredChat, *, settings: Settings, prompts: str = "amb_agents.prompts") -> None:
        self._chat = chat
        self._prompts = prompts
        self._settings = settings
        self.window = int(settings.agent_window * settings.chunk_ratio)

    def language(self, text: str) -> Language:
        """The language to ask in."""
        wanted = self._settings.language
        return detect_language(text) if wanted == "auto" else wanted

    def ask(
        self,
        role: str,
        shape: type[_Shape],
        parts: Mapping[str, Any],
        *,
        language: Language,
        max_output_tokens: int,
        system: str = "",
        check: Callable[[_Shape], str | None] = lambda value: None,
        heard: Callable[[ChatReply], object] | None = None,
    ) -> _Shape:
        """The answer of a role, whose prompt is `system` or has its name; a ModelError when none can be used."""
        messages = (
            {"role": "system", "content": system or prompt(role, language, package=self._prompts)},
            {"role": "user", "content": material(**parts)},
        )
        return self._chat.ask(
            messages, shape, purpose=role, max_output_tokens=max_output_tokens, check=check, heard=heard
        )

    def fits(self, *texts: str) -> bool:
        """Whether the texts fit into one question."""
        return sum(map(estimate_tokens, texts)) <= self.window
