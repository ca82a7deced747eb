"""The 52,000 most common tokens of o200k, by which a text is counted (decision 0098).

The vocabulary is OpenAI's, published with tiktoken under the MIT licence; `python -m amb_bench.token_pieces` writes the
file beside this one. Each entry is told by how many letters it shares with the one before, and has a character that
says in which forms it is a token: as it stands, Capitalised, in CAPITALS, and the same behind a space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import compress
from pathlib import Path

__all__ = ["FORMS", "SHARED", "packed", "token_pieces", "unpacked"]

SHARED = "\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b"
"""What an entry begins with: the place of its mark is how many letters it shares; none of them is in an entry."""
FORMS: tuple[Callable[[str], str], ...] = (str, str.title, str.upper)
_ENTRY = rf"([{SHARED}])([^{SHARED}]*)"
_NO_FORM = 48
_FILE = Path(__file__).with_suffix(".txt")


@lru_cache(maxsize=1)
def token_pieces() -> tuple[frozenset[str], frozenset[bytes]]:
    """The tokens, and the bytes that begin other characters and are one token together."""
    entries, forms, blocks = _FILE.read_bytes().decode("utf-8").split("\0")
    return unpacked(entries, forms), frozenset(first.encode("utf-8")[:2] for first in blocks)


def unpacked(entries: str, forms: str) -> frozenset[str]:
    """The tokens that `packed` made of them."""
    words, latest = [], ""
    for mark, rest in re.findall(_ENTRY, entries):
        latest = latest[: SHARED.index(mark)] + rest
        words.append(latest)
    bits = [ord(form) - _NO_FORM for form in forms]
    tokens: set[str] = set()
    for place, form in enumerate(FORMS):
        tokens.update(map(form, compress(words, [bit >> place & 1 for bit in bits])))
        tokens.update(" " + form(word) for word in compress(words, [bit >> place + 3 & 1 for bit in bits]))
    return frozenset(tokens)


def packed(tokens: Sequence[str]) -> tuple[str, str]:
    """The entries of these tokens, and the forms of each entry, as the file holds them."""
    bits: dict[str, int] = {}
    for token in tokens:
        behind_space = len(token) > 1 and token[0] == " "
        word = token[1:] if behind_space else token
        forms = [form(word.lower()) for form in FORMS]
        entry, place = (word.lower(), forms.index(word)) if word in forms else (word, 0)
        bits[entry] = bits.get(entry, 0) | 1 << place + 3 * behind_space
    entries, latest = [], ""
    for entry in sorted(bits):
        shared = 0
        while shared + 1 < min(len(entry), len(latest), len(SHARED)) and entry[shared] == latest[shared]:
            shared += 1
        entries.append(SHARED[shared] + entry[shared:])
        latest = entry
    return "".join(entries), "".join(chr(_NO_FORM + bits[entry]) for entry in sorted(bits))
