"""Who is speaking in a dialogue turn."""

import re

__all__ = ["dialogue_speaker"]

_TURN = re.compile(
    r"\s*(?:[\[(（【][^\])）】\n]{1,60}[\])）】]\s*)?"
    r"(?:(?P<en>[A-Z][\w.'’-]{0,30}(?: [A-Z][\w.'’-]{0,30}){0,3})|(?P<zh>[\u4e00-\u9fff·]{1,12}))\s?[:：](?=\s|[^\s/\d])"
)


def dialogue_speaker(text: str) -> str | None:
    """The name before the colon of a turn such as "[10:03] Caroline: Hey" or "小王：你好"; None when it is no turn."""
    found = _TURN.match(text[:200])
    return (found["en"] or found["zh"]) if found else None
