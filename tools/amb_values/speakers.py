"""Who speaks in a turn of a dialogue, told from labels and everyday nouns before a colon."""

from amb_core.text.text_spans import PEOPLE, likely_speaker
from amb_values.common_words import is_common, is_opener, topic_weight

__all__ = ["dialogue_speaker", "turn_speakers"]


def dialogue_speaker(text: str) -> str | None:
    """The name before the colon of a turn such as "[10:03] Caroline: Hey" or "小王：你好"; None when it is no turn."""
    name = likely_speaker(text)
    return name if name is not None and (not name.isascii() or _may_speak(name.lower().split())) else None


def _may_speak(words: list[str]) -> bool:
    """False for everyday words that stand before a colon as well ("Cycle Life:", "Battery:")."""
    if words[0] in PEOPLE:
        return True
    if len(words) > 1:
        return not all(map(is_common, words))
    return not is_opener(words[0]) and topic_weight(words[0]) != 1.0


def turn_speakers(text: str) -> tuple[str, ...]:
    """Who speaks in each turn, in order; nothing when the text does not begin with a turn."""
    first = dialogue_speaker(text)
    if first is None:
        return ()
    _, _, rest = text.lstrip().partition("\n")
    found = (dialogue_speaker(line) for line in rest.splitlines() if ":" in line or "：" in line)
    return (first, *(speaker for speaker in found if speaker))
