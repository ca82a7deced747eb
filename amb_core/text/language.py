"""Which of the two languages a text is written in."""

import re
from typing import Literal

__all__ = ["detect_language"]

_SAMPLE_CHARS = 4_000
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def detect_language(text: str) -> Literal["en", "zh"]:
    """ "zh" when Chinese characters outweigh Latin words (two characters ≈ one word), else "en"; judged on the start."""
    sample = text[:_SAMPLE_CHARS]
    chinese = len(_CJK.findall(sample))
    return "zh" if chinese and chinese >= 1.5 * len(_LATIN_WORD.findall(sample)) else "en"
