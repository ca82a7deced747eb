"""His grandfather, 她父亲: people named only by whose kin they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_core.narrative.checking.naming import Named
from amb_core.narrative.checking.scene import Scene, either
from amb_core.narrative.entities import Entity

__all__ = ["kin_doers"]

_EN = re.compile(
    r"\b(?:[Hh]is|[Hh]er|[A-Z]\w+['’]s) (?:(?:old|own|dear|poor|little|elder|younger|twin) )?"
    r"(grandfather|grandmother|father|mother|brother|sister|twin|husband|wife|master)\b(?!['’]s)"
)
_ZH = re.compile(r"(?:[他她]的?)?(爷爷|祖父|奶奶|祖母|父亲|爹|母亲|娘亲|哥哥|弟弟|姐姐|妹妹|丈夫|妻子|师父)(?!们|的)")
_RELATIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("grandfather", "grandmother", "爷爷", "祖父", "奶奶", "祖母"), ("GRANDPARENT_OF",)),
    **dict.fromkeys(("father", "mother", "父亲", "爹", "母亲", "娘亲"), ("PARENT_OF",)),
    **dict.fromkeys(("brother", "sister", "twin", "哥哥", "弟弟", "姐姐", "妹妹"), ("SIBLING_OF",)),
    **dict.fromkeys(("husband", "wife", "丈夫", "妻子"), ("MARRIED_TO",)),
    **dict.fromkeys(("master", "师父"), ("STUDENT_OF",)),
}
_CHILD_SIDE = ("STUDENT_OF",)
"""Relations that go from the younger to the elder."""
_WOMEN = re.compile(r"^(?:Queen|Lady|Mother|Sister|Duchess|Princess|Dame)\b")
_FEMALE = ("grandmother", "mother", "sister", "wife", "奶奶", "祖母", "母亲", "娘亲", "姐姐", "妹妹", "妻子")
_NEAR = 2
"""How many paragraphs back the one whose kin it is may be named; nobody else may be named since."""


def kin_doers(scene: Scene, number: int) -> Iterator[tuple[Named, bool]]:
    """Those who act or speak in a sentence and are named only as the kin of somebody near it."""
    sentence = scene.draft.sentences[number]
    grammar = either(sentence)
    for found in (_EN if sentence.language == "en" else _ZH).finditer(sentence.told):
        before, after = sentence.told[: found.start()], sentence.told[found.end() :]
        speaks = grammar.speaks(before, after)
        if not speaks and not grammar.acts(before, after):
            continue
        meant = _meant(scene, number, found.group(1))
        if meant is not None:
            start = sentence.start + found.start()
            yield Named(start, sentence.start + found.end(), found.group(), (meant,), True), speaks


def _meant(scene: Scene, number: int, word: str) -> Entity | None:
    """The one relative of that kind whom those named near a sentence have."""
    paragraph = scene.draft.sentences[number].paragraph
    near: list[Entity] = []
    for other in range(number, -1, -1):
        if near or paragraph - scene.draft.sentences[other].paragraph > _NEAR:
            break
        people = {entity.id: entity for named in scene.told(other, "character") for entity in named.entities}
        near = list(people.values())
    if len(near) != 1:
        return None
    kin = {relative.id: relative for relative in _kin(scene, near[0], word)}
    if len(kin) != 1:
        return None
    [relative] = kin.values()
    woman = _WOMEN.search(relative.name) is not None
    return relative if woman == (word in _FEMALE) or word in ("twin", "master", "师父") else None


def _kin(scene: Scene, person: Entity, word: str) -> Iterator[Entity]:
    names: list[str] = []
    for relation in _RELATIONS[word]:
        for fact in scene.known.related(person, relation):
            elder = fact.object if relation in _CHILD_SIDE else fact.subject
            both = relation in ("SIBLING_OF", "MARRIED_TO")
            names += [name for name in ((fact.subject, fact.object) if both else (elder,)) if name != person.name]
    if "GRANDPARENT_OF" in _RELATIONS[word]:
        names += [
            fact.object
            for fact in scene.known.properties(person)
            if fact.attribute in ("grandson_of", "granddaughter_of", "grandchild_of")
        ]
    for name in names:
        yield from (each for each in scene.known.by_name.get(name, ()) if each.kind == "character")
