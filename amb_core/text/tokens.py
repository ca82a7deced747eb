"""Token estimates without a tokenizer, close enough to budget with."""

import re

__all__ = ["clip_tokens", "estimate_tokens"]

_PIECE = re.compile(
    r"[A-Za-z]+|\d{1,3}|[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+|\n+|[ \t]{2,}|[^\sA-Za-z\d]"
)
_CJK_PER_CHAR = 0.74


def _cost(piece: str) -> float:
    first = piece[0]
    if first.isascii():
        return 1.0 if len(piece) <= 8 else 1.0 + (len(piece) - 8) / 6
    if first >= "\u2e80":
        return _CJK_PER_CHAR * len(piece)
    return 1.0


def estimate_tokens(text: str) -> int:
    """Roughly how many tokens a current BPE vocabulary (o200k) makes of `text`; 0 only for the empty string."""
    if not text:
        return 0
    return max(1, round(sum(map(_cost, _PIECE.findall(text)))))


def clip_tokens(text: str, budget: int) -> str:
    """The longest prefix whose estimate is within `budget`, cut at a word boundary where there is one."""
    if budget <= 0:
        return ""
    total, end = 0.0, 0
    for match in _PIECE.finditer(text):
        cost = _cost(match.group())
        if total + cost > budget:
            if len(match.group()) > 1 and not match.group().isascii():
                end = match.start() + int((budget - total) / _CJK_PER_CHAR)
            return text[:end]
        total += cost
        end = match.end()
    return text
