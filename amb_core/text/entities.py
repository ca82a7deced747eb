"""Proper names a text mentions, and what it is about."""

import re
import unicodedata
from dataclasses import dataclass

from amb_core.text.dialogue import dialogue_speaker
from amb_core.text.stopwords import ENGLISH

__all__ = ["Entity", "about", "entities", "name_key"]


@dataclass(frozen=True, slots=True)
class Entity:
    """One mention of a name: characters `start:end` of the text."""

    name: str
    start: int
    end: int


_WORD = r"[A-ZÀ-ÖØ-Þ][\w'’&.-]*\w|[A-ZÀ-ÖØ-Þ]"
_NAME = re.compile(
    rf"(?:{_WORD})(?:(?: (?:of the|of|the|de la|de|del|da|di|van der|van|von|and|for|in|on|to|a|&))? (?:{_WORD}|\d{{1,4}}))*"
)
_ZH_TITLE = re.compile(r"《([^》\n]{1,40})》|「([^」\n]{1,30})」")
_PARENTHESES = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_NOT_WORD = re.compile(r"[^\w]+")
_ARTICLE = re.compile(r"^(?:the|a|an) (?=\S)")
_HEADING = re.compile(r"#{1,6} +(.+)")
_EN_SUBJECT = re.compile(r"(?:The )?[^,.(]{1,80}?(?= \(| (?:is|was|are|were|has|had)\b|,)")
_ZH_SUBJECT = re.compile(r"《?([^，。（(是为》、：\n]{2,20})(?=》|（|\(|，|是|为)")


def name_key(name: str) -> str:
    """The key two mentions of one name share: case, accents, punctuation, leading article and "(…)" suffix dropped."""
    folded = unicodedata.normalize("NFKD", _PARENTHESES.sub("", name) or name)
    plain = "".join(char for char in folded if not unicodedata.combining(char)).casefold()
    spaced = _NOT_WORD.sub(" ", plain.replace("'", "").replace("’", "")).strip()
    return _ARTICLE.sub("", spaced)


def entities(text: str) -> tuple[Entity, ...]:
    """Names mentioned in running text, in order of appearance."""
    found: list[Entity] = []
    for match in _NAME.finditer(text):
        name, start = match.group(), match.start()
        head = name.split(" ", 1)
        while head and head[0].lower() in ENGLISH and len(head) == 2 and head[0] != "The":
            start += len(head[0]) + 1
            name = head[1]
            head = name.split(" ", 1)
        if name.lower() not in ENGLISH and len(name) > 1:
            found.append(Entity(name, start, match.end()))
    for match in _ZH_TITLE.finditer(text):
        group = 1 if match[1] else 2
        found.append(Entity(match[group], match.start(group), match.end(group)))
    return tuple(sorted(found, key=lambda entity: (entity.start, -entity.end)))


def about(text: str) -> tuple[str, ...]:
    """Names the text is about, best first, at most three."""
    body = text.lstrip()[:2_000]
    names: list[str] = []
    if speaker := dialogue_speaker(body):
        names.append(speaker)
    first, _, rest = body.partition("\n")
    heading = _HEADING.match(first)
    if heading or (rest.strip() and 0 < len(first.strip()) <= 80 and first.strip()[-1] not in ".!?。！？,，:："):
        names.append(heading.group(1).strip() if heading else first.strip())
        body = rest.lstrip()
    subject = _ZH_SUBJECT.match(body)
    if subject:
        names.append(subject.group(1))
    elif found := _EN_SUBJECT.match(body):
        names.append(found.group().strip(" \"'“”"))
    unique = {name_key(name): name for name in reversed(names) if name_key(name)}
    return tuple(reversed(unique.values()))[:3]
