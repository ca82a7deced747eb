"""Which of the two languages a text is written in."""

import re
from typing import Literal

from amb_core.text.pure_cache import remembered

__all__ = ["HAN", "Language", "detect_language"]

Language = Literal["en", "zh"]
"""The languages AMB reads and writes."""

HAN = re.compile(r"[\u3400-\u9fff]")
"""One Chinese character."""

_SAMPLE_CHARS = 4_000
_HAN_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}")
_HAN_PER_WORD = 1.5


def detect_language(text: str) -> Language:
    """The language most of the text is in, judged on its start; "en" where nothing speaks for Chinese."""
    sample = text[:_SAMPLE_CHARS]
    return "en" if sample.isascii() else _judged(sample)


@remembered(most=64, longest=_SAMPLE_CHARS)
def _judged(sample: str) -> Language:
    han = sum(map(len, _HAN_RUN.findall(sample)))
    return "zh" if han and han >= _HAN_PER_WORD * len(_LATIN_WORD.findall(sample)) else "en"
