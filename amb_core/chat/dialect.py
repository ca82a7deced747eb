"""What an endpoint has refused of the protocol's fields, learnt once: how the output is bounded, what it does not take.

Some models take `max_completion_tokens` where others take `max_tokens`, and some no `temperature` but their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

__all__ = ["Dialect"]

_LIMIT, _NEWER_LIMIT = "max_tokens", "max_completion_tokens"
_REFUSED = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|extra|deprecated"
    r"|only the default|invalid (?:param|field|arg)|does not accept|must be 1|不支持|未知|不允许",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which of the fields an endpoint takes: the name of its output limit, whether a temperature may be set, and
    whether it says how probable its tokens are.
    """

    limit: str = _LIMIT
    temperature: bool = True
    logprobs: bool = True

    def spoken(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a request as this endpoint takes them."""
        said = dict(fields)
        if self.limit != _LIMIT and _LIMIT in said:
            said[self.limit] = said.pop(_LIMIT)
        if not self.temperature:
            said.pop("temperature", None)
        if not self.logprobs:
            said.pop("logprobs", None)
        return said

    def after(self, refusal: str) -> Self | None:
        """The dialect to try after the endpoint refused a request in these words; None when they are about no field."""
        if self.logprobs and "logprobs" in refusal.lower():  # in whatever words: nobody needs them
            return replace(self, logprobs=False)
        if not _REFUSED.search(refusal):
            return None
        if self.limit == _LIMIT and _LIMIT in refusal:
            return replace(self, limit=_NEWER_LIMIT)
        if self.temperature and "temperature" in refusal.lower():
            return replace(self, temperature=False)
        return None
