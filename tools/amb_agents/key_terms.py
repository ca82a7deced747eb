"""The names and words that a text says most often, without everyday ones."""

import re
from collections import defaultdict

from amb_core.text.english_vocabulary import ENGLISH
from amb_core.text.index_terms import stem
from amb_values.chinese_segments import chinese_segments
from amb_values.names import name_key
from amb_values.proper_names import core_names

__all__ = ["keywords"]

_WINDOW = 20_000
_WORD = re.compile(r"[^\W\d_\u3040-\u9fff]{3,60}(?:-[^\W\d_\u3040-\u9fff]{2,60})*")
_NAME_WEIGHT = 2.5
_LONGEST_NAME, _LONGEST_TERM = 60, 8


def keywords(text: str, *, limit: int = 8) -> tuple[str, ...]:
    """Up to `limit` names and words as the text writes them, most frequent first, each once; names count more.

    Only the first 20,000 characters are looked at.
    """
    sample = text[:_WINDOW]
    names = [one.name for one in core_names(sample) if len(one.name) < _LONGEST_NAME]
    parts = {word for name in names for word in name.lower().split()}
    words = [word for word in _WORD.findall(sample) if word.lower() not in parts and word.lower() not in ENGLISH]
    terms = [(name_key(name), name, _NAME_WEIGHT) for name in names]
    terms += [(stem(word.lower()), word, 1.0) for word in words]
    for segment in chinese_segments(sample):
        if segment.kind == "unknown" and 1 < segment.end - segment.start <= _LONGEST_TERM:
            term = sample[segment.start : segment.end]
            terms.append((term, term, 1.0))
    worth: defaultdict[str, float] = defaultdict(float)
    written: dict[str, str] = {}
    for key, term, weight in terms:
        if key:
            worth[key] += weight
            written.setdefault(key, term)
    ranked = sorted(worth, key=worth.__getitem__, reverse=True)
    return tuple(written[key] for key in ranked[:limit])
