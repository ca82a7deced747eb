"""Things of the book in a draft, also by the noun they are: the ledger, that ring, 账本, 那柄剑."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.known import Known
from amb_book.checking.naming import Named
from amb_book.checking.scene import Scene
from amb_book.entities import Entity

__all__ = ["ItemNames"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_ARTICLE = re.compile(r"^(?:the|a|an|old)\s+", re.IGNORECASE)
_FORM = ("form", "type", "kind", "shape", "形制", "类型", "种类", "形状", "外形")
_SAME_EN: tuple[tuple[str, ...], ...] = (
    ("ledger", "account book", "notebook", "book"),
    ("sword", "blade", "longsword", "sabre", "rapier"),
    ("knife", "dagger", "dirk"),
    ("ring", "signet", "band"),
    ("locket", "pendant", "medallion", "amulet", "necklace"),
    ("lantern", "lamp"),
    ("pistol", "revolver", "gun"),
    ("box", "casket", "case", "chest", "coffer"),
    ("staff", "stick", "cane"),
    ("flute", "pipe", "whistle"),
    ("watch", "timepiece"),
    ("wrench", "spanner"),
    ("seal", "stamp"),
    ("diary", "journal"),
)
_MOST_FORMS = 40
"""Of how many things with names of their own it is looked up what they are."""
_MEASURE = "只把支枚方块柄盏本卷面杆口串根张颗枝管件条顶册副双块"
_STUFF = "玉金银铜铁木石骨珠"
_LOOSE = r"(?:little|small|old|heavy|precious|same|famous|blessed|wretched|battered|worn|thing|cold|long|great|big)"


class ItemNames:
    """Finds things in a draft; a bare noun counts when only one thing of the book is such."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._items = [each for each in scene.known.entities if each.kind == "item"]
        text = scene.draft.text
        heads: dict[str, list[Entity]] = {}
        for item in self._items:
            for head in dict.fromkeys(_heads(item)):
                heads.setdefault(head, []).append(item)
        for item in [each for each in self._items if _has_own_name(each)][:_MOST_FORMS]:
            for head in _forms(scene.known, item):
                heads.setdefault(head, []).append(item)
        self._heads = {
            head: owners[0]
            for head, owners in heads.items()
            if head in text and len(owners) == 1 and self._sole(head, owners[0])
        }
        self._patterns = {head: _pattern(head) for head in self._heads}

    def _sole(self, head: str, item: Entity) -> bool:
        """Whether no other name of the book ends so, and the draft brings in no other such thing."""
        for other in self._scene.known.entities:
            if other.id != item.id and any(
                name.casefold().endswith(head) and (_HAN.match(head) or name.casefold().split()[-1] == head.split()[-1])
                for name in (other.name, *other.aliases)
            ):
                return False
        text = self._scene.draft.text
        if _HAN.match(head):
            return not re.search(rf"(?:一|另|新|旁人的|别的){{1,2}}[{_MEASURE}][^，。]{{0,4}}{head}", text)
        return not re.search(rf"\b(?:an?|another|some|two|three|every|each|no) (?:[a-z-]+ ){{0,3}}{head}s?\b", text)

    def named(self, number: int) -> Iterator[Named]:
        """The things a sentence names in its narration, in no order."""
        sentence = self._scene.draft.sentences[number]
        taken: list[tuple[int, int]] = []
        for each in self._scene.names[number]:
            taken.append((each.start, each.end))
            if not each.spoken and all(entity.kind == "item" for entity in each.entities):
                yield each
        for head, item in self._heads.items():
            for found in self._patterns[head].finditer(sentence.told):
                start, end = sentence.start + found.start("it"), sentence.start + found.end("it")
                if not any(low < end and start < high for low, high in taken):
                    yield Named(start, end, found["it"], (item,), False)


def _heads(item: Entity) -> Iterator[str]:
    """The nouns in its names by which a thing may be called."""
    for name in (item.name, *item.aliases):
        bare = _ARTICLE.sub("", name)
        if _HAN.match(bare):
            if len(bare) >= 3:
                yield bare[-2:]
            if len(bare) == 2:
                yield bare[-1]
            if len(bare) == 3 and bare[1] in _STUFF:
                yield bare[1]
            continue
        words = bare.casefold().split(" of ")[0].split()
        if len(words) > 1 and words[-1].isalpha():
            yield from _like(words[-1])


def _has_own_name(item: Entity) -> bool:
    """Whether a thing has a name that does not say what it is: Kestrel, 晨誓."""
    return len(item.name) == 2 if _HAN.match(item.name) else " " not in item.name and item.name[:1].isupper()


def _forms(known: Known, item: Entity) -> Iterator[str]:
    """What a thing is by its settled properties."""
    for fact in known.properties(item):
        if fact.attribute in _FORM and fact.object:
            yield from [fact.object[-1]] if _HAN.match(fact.object) else _like(fact.object.casefold().split()[-1])


def _like(noun: str) -> list[str]:
    """A noun and those that mean the same."""
    return [noun, *(each for group in _SAME_EN if noun in group for each in group if each not in ("book", noun))]


def _pattern(head: str) -> re.Pattern[str]:
    if _HAN.match(head):
        if len(head) == 1:
            return re.compile(
                rf"(?:自己)?(?:那|"
                rf"这)一?[{_MEASURE}](?:[^，。！？；]{{0,10}}的)?[\u3400-\u9fff]{{0,2}}(?P<it>{head})(?![\u3400-\u9fff]?[子客法术])"
            )
        return re.compile(rf"(?P<it>{head})")
    return re.compile(rf"\b(?:the|that|this) (?:{_LOOSE} )*(?P<it>{head})\b(?! [a-z]+ing\b|-)")
