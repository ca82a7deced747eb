"""What is kept of a text somebody wants remembered: without our own blocks, personal data and secrets."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic import JsonValue

from amb_core.errors import InvalidInput
from amb_core.kept_texts import map_texts, redact_safely
from amb_core.protocols import Redactor
from amb_core.rendering import strip_block
from amb_longterm.memory_records import checked_metadata
from amb_longterm.metrics import Metrics
from amb_redaction import PatternRedactor

__all__ = ["Cleaner", "is_of_user"]

_MOST_METADATA = 20_000
_CHOSEN = frozenset({"type", "strategy"})


def is_of_user(metadata: object) -> bool:
    """Whether the host says by `source` that it is the user's own word; a model's tools cannot."""
    return isinstance(metadata, Mapping) and metadata.get("source") == "user"


class Cleaner:
    """Checks and redacts what comes in; without a redactor texts stay as they are.

    A redactor that fails is stood in for by the patterns: nothing is kept unredacted because of an error. Of what the
    host says is the user's own word, the patterns take out keys and passwords alone; a redactor of the host's has the
    last word itself.
    """

    def __init__(self, redactor: Redactor | None, *, max_chars: int, metrics: Metrics) -> None:
        self._redactor = redactor
        self._max_chars = max_chars
        self._metrics = metrics

    def content(self, text: object, *, of_user: bool = False) -> tuple[str, Counter[str]]:
        """The text as it may be kept, and what was taken out; InvalidInput when there is nothing to keep."""
        if not isinstance(text, str):
            raise InvalidInput(f"a memory is a text, not {type(text).__name__}; turn it into one first.")
        if len(text) > self._max_chars:
            raise InvalidInput(
                f"a memory of {len(text)} characters is longer than the {self._max_chars} allowed: summarize it first, "
                "or raise max_content_chars."
            )
        plain = strip_block(text).strip()
        if not plain:
            raise InvalidInput("a memory needs a text; this one is blank.")
        found: Counter[str] = Counter()
        return self._clean(plain, found, of_user=of_user), found

    def metadata(self, metadata: Mapping[str, Any] | None) -> tuple[dict[str, JsonValue], Counter[str]]:
        """Checked metadata without personal data, and what was taken out of them."""
        found: Counter[str] = Counter()
        checked = checked_metadata(metadata)
        if len(json.dumps(checked)) > _MOST_METADATA:
            raise InvalidInput(f"metadata of over {_MOST_METADATA} characters belong into the content, or into a file.")
        own = {key: value for key, value in checked.items() if key in _CHOSEN}
        clean = partial(self._clean, found=found, of_user=is_of_user(checked))
        return map_texts(checked, clean) | own, found

    def plain(self, text: str) -> str:
        """A short text, such as a reason, without personal data."""
        return self._clean(text, Counter())

    def _clean(self, text: str, found: Counter[str], *, of_user: bool = False) -> str:
        redactor = self._redactor
        if redactor is None:
            return text
        if of_user and isinstance(redactor, PatternRedactor):
            redactor = redactor.of_secrets
        redaction = redact_safely(text, redactor, failed=lambda: self._metrics.count(failed_redaction=1))
        found.update(redaction.found)
        return redaction.text
