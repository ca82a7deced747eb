"""Tools over a book's memory for a model that writes: they answer as of the position, and never tell what is planned
as a fact.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amb_core.errors import AmbError
from amb_core.text import clip_tokens

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["StoryTools"]

_MOST_TOKENS = 600
_MOST_ROWS = 30
_NAME = {"name": {"type": "string", "description": "a name of somebody or something, as the book has it"}}
_QUERY = {"query": {"type": "string", "description": "a few words"}}
_TOLD: Mapping[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "facts_about": ("What holds of somebody or something now: state, place, possessions, relations.", _NAME, ("name",)),
    "timeline": ("Everything that was settled of somebody or something, by chapter.", _NAME, ("name",)),
    "lore": ("How this world is: the entry of exactly this key, or those that fit the words.", _QUERY, ("query",)),
    "passages": (
        "Passages of the text itself, for scenes and style; `entities` have to be named in them.",
        {**_QUERY, "entities": {"type": "array", "items": {"type": "string"}}},
        ("query",),
    ),
    "plan": ("What is planned and has not happened yet, and where each storyline stands.", {}, ()),
    "hooks": ("The hooks that are laid and not resolved.", {}, ()),
}


class StoryTools:
    """Looks things up in a story for a model; whatever it asks, the answer is a text, and nothing is changed."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self._at = story.position().chapter
        self._answers: Mapping[str, Callable[[Mapping[str, Any]], list[str]]] = {
            "facts_about": self._facts,
            "timeline": self._timeline,
            "lore": self._lore,
            "passages": self._passages,
            "plan": self._plan,
            "hooks": self._hooks,
        }

    def definitions(self) -> tuple[Mapping[str, Any], ...]:
        """The tools in OpenAI's form."""
        return tuple(
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": told,
                    "parameters": {"type": "object", "properties": fields, "required": list(required)},
                },
            }
            for name, (told, fields, required) in _TOLD.items()
        )

    def described(self) -> str:
        """The tools in words, for a model that has to ask for them in its text."""
        return "\n".join(f"{name}({', '.join(fields)}): {told}" for name, (told, fields, _) in _TOLD.items())

    def call(self, name: str, arguments: str) -> str:
        """What a tool answers to arguments in JSON; a mistake is told as one."""
        answer = self._answers.get(name)
        if answer is None:
            return f"there is no tool {name[:40]!r}; there are {', '.join(self._answers)}"
        try:
            given = json.loads(arguments or "{}")
        except ValueError:
            return "the arguments are no JSON object"
        if not isinstance(given, dict):
            return "the arguments are no JSON object"
        missing = [field for field in _TOLD[name][2] if not str(given.get(field) or "").strip()]
        if missing:
            return f"{name} needs {', '.join(missing)}"
        try:
            lines = answer(given)
        except AmbError as error:
            return str(error)
        return clip_tokens("\n".join(lines[:_MOST_ROWS]), _MOST_TOKENS) if lines else "nothing is known of that"

    # --- inside ------------------------------------------------------------------------------------------------------

    def _facts(self, given: Mapping[str, Any]) -> list[str]:
        found: list[str] = []
        for entity in self._story.facts.resolve(str(given["name"]), at=self._at):
            told = self._story.facts.about(entity.id, at=self._at)
            also = f" ({', '.join(told.entity.aliases)})" if told.entity.aliases else ""
            found.append(f"{entity.name}{also}: {entity.kind}, since chapter {entity.since}")
            found += [fact.text for fact in told.facts]
        return found

    def _timeline(self, given: Mapping[str, Any]) -> list[str]:
        entities = self._story.facts.resolve(str(given["name"]), at=self._at)
        return [fact.text for each in entities for fact in self._story.facts.timeline(each.id, at=self._at)]

    def _lore(self, given: Mapping[str, Any]) -> list[str]:
        key = str(given["query"])
        exact = [self._story.lore.get(key)] if key in self._story.lore else []
        found = exact or self._story.lore.search(key, k=3)
        return [f"{entry.key}: {entry.text}" for entry in found]

    def _passages(self, given: Mapping[str, Any]) -> list[str]:
        wanted = given.get("entities")
        names = [str(each) for each in wanted] if isinstance(wanted, Sequence) and not isinstance(wanted, str) else []
        until = self._at or max(self._story.episodes.chapters(), default=0)
        found = self._story.episodes.search(str(given["query"]), k=3, entities=names, at=until) if until else []
        return [f"[chapter {each.chapter}] {clip_tokens(each.text, _MOST_TOKENS // 3)}" for each in found]

    def _plan(self, given: Mapping[str, Any]) -> list[str]:
        stands = [
            f"{line.storyline}: {line.outline_title} › {line.step_title or '–'}, next {line.next_title or '–'}"
            for line in self._story.position().storylines
        ]
        coming = [f"[planned] {part.title}: {part.text}" for part in self._story.plan.upcoming()]
        return [*stands, *coming]

    def _hooks(self, given: Mapping[str, Any]) -> list[str]:
        found = self._story.facts.hooks("Unresolved", at=self._at)
        return [f"{hook.name} (laid in chapter {hook.laid}) {hook.text}".strip() for hook in found]
