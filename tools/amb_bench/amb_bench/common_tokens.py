"""Writes the file of tokens that texts are counted by, from the whole vocabulary: `python -m amb_bench.common_tokens`.

It takes the first 50,000 tokens, 100,000 where they are Chinese, and all that are one character, one character again
and again, or white space. Needs the package quicktok-v1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from amb_core.text.tokens import FORMS, NO_FORM, PIECES_FILE, SHARED, unpacked_pieces

__all__ = ["main", "packed"]

_FIRST, _FIRST_CHINESE = 50_000, 100_000
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_NOT_KEPT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f0-9]")
"""Digits are counted by threes and control characters one by one, without the file."""


_SIZE = 199_998


def _kept(vocabulary: list[bytes], count: Callable[[str], int]) -> Iterator[str]:
    for rank, token in enumerate(vocabulary):
        try:
            text = token.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if _NOT_KEPT.search(text) or (len(text) == 1 and text.isascii()):
            continue
        letters = set(text.lstrip(" "))
        one_again = len(letters) == 1 and (not text.strip().isalpha() or len(text.strip()) == 1)
        first = _FIRST_CHINESE if _CHINESE.fullmatch(text) else _FIRST
        if (rank < first or one_again or text.isspace()) and count(text) == 1:
            yield text


def _blocks(vocabulary: list[bytes]) -> str:
    """The first of the characters, of three or four bytes, whose first two bytes are one token."""
    begun = (token for token in vocabulary if len(token) == 2 and token[0] >= 0xE0)
    padded = ((token + bytes([0x80] * (2 if token[0] >= 0xF0 else 1))).decode("utf-8", "ignore") for token in begun)
    return "".join(sorted(first for first in padded if len(first) == 1))


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
    return "".join(entries), "".join(chr(NO_FORM + bits[entry]) for entry in sorted(bits))


def main() -> None:
    """Write the file beside `amb_core.text.tokens`."""
    from quicktok import get_encoding

    tokenizer = get_encoding("o200k_base")
    vocabulary = [tokenizer.decode_bytes([number]) for number in range(_SIZE)]
    tokens = sorted(set(_kept(vocabulary, tokenizer.count)))
    entries, forms = packed(tokens)
    if unpacked_pieces(entries, forms) != frozenset(tokens):
        raise ValueError("the packed tokens are not those that were packed")
    PIECES_FILE.write_bytes("\0".join((entries, forms, _blocks(vocabulary))).encode("utf-8"))
    print(f"{len(tokens):,} tokens, {PIECES_FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
