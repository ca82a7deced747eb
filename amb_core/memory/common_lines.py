"""The lines that results of one tool have in common at their ends: prompts, footers, the working folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from amb_core.memory.call_texts import SHORT_CALL, call_text
from amb_core.models import InteractionEntry

__all__ = ["CommonLines"]

_EDGE, _LONGEST_LINE, _LETTERS, _SHARED = 6, 300, 6, 3
"""So many lines at either end of a result are compared with those of others, so many characters of them at most, and
only lines of so many letters beside paths; what so many results have is shared."""
_PATH, _FIGURES = re.compile(r"\S*/\S*"), re.compile(r"\d+")


class CommonLines:
    """Which lines stand at either end of how many results, without the paths in them. Not thread-safe."""

    def __init__(self) -> None:
        self._often: Counter[str] = Counter()

    def put(self, entry: InteractionEntry) -> None:
        """Count the lines at the ends of a result."""
        self._often.update(_forms(entry))
        if _asks_more(entry):
            self._often.update(map(_without_figures, set(_forms(entry))))
        del self._often[""]

    def body(self, entry: InteractionEntry) -> tuple[int, int]:
        """Characters (start, end) of an entry without the first and last lines that results of its tool have in common.

        Such stand at the ends of three results or more, and of one in five, whatever paths they name. A
        result that has nothing else is its own body.
        """
        tool, text = str(entry.metadata.get("tool") or ""), entry.text
        least = max(_SHARED, self._often[tool] / 5)

        def common(lines: list[str]) -> int:
            """How many characters of these lines are common, up to the last that other results have as well.

            A line that tells nothing, such as a prompt, is passed over before one of those.
            """
            length = found = 0
            for line in lines:
                length += len(line) + 1
                form = _form(tool, line)
                if form and self._often[form] < least:
                    break
                found = length if form else found
            return found

        start = common(text.split("\n", _EDGE)[:_EDGE])
        end = len(text) - common(text.rsplit("\n", _EDGE)[:0:-1])
        return (start, end) if start < end else (0, len(text))

    def is_echo(self, entry: InteractionEntry) -> bool:
        """Whether a short result has only lines that three results of its tool or more have, but for paths.

        Where its call says more than it does, such as an edit, figures may differ as well.
        """
        lines = [line for line in entry.text.split("\n") if line.strip()]
        tool = str(entry.metadata.get("tool") or "")
        forms = [_form(tool, line) for line in lines]
        if _asks_more(entry):
            forms = [_without_figures(form) for form in forms]
        return len(lines) <= _EDGE and all(self._often[form] >= _SHARED for form in forms)


def _asks_more(entry: InteractionEntry) -> bool:
    return len(entry.text) <= _LONGEST_LINE and len(call_text(entry)) > max(SHORT_CALL, len(entry.text))


def _without_figures(form: str) -> str:
    return f"#{_FIGURES.sub('#', form)}" if form else ""


def _forms(entry: InteractionEntry) -> Iterator[str]:
    """The tool of an entry, and the forms of the first and the last lines of its result."""
    tool = str(entry.metadata.get("tool") or "")
    lines = (*entry.text.split("\n", _EDGE)[:_EDGE], *entry.text.rsplit("\n", _EDGE)[-_EDGE:])
    yield from {tool, *(_form(tool, line) for line in lines)}


def _form(tool: str, line: str) -> str:
    """A line without the paths in it; nothing for one of hardly any words."""
    form = line[:_LONGEST_LINE]
    if "/" in form:
        form = _PATH.sub("", form)
    is_telling = next(islice(filter(str.isalpha, form), _LETTERS - 1, None), "")
    return f"{tool}\n{form.strip()}" if is_telling else ""
