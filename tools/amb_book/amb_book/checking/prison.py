"""Captives who go about as if free."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.findings import Finding
from amb_book.checking.scene import Scene
from amb_book.entities import Entity
from amb_book.fact_answers import Fact

__all__ = ["held_elsewhere"]

_CONFINED = re.compile(
    r"\b(?:cells?|prison\w*|dungeon|chain(?:s|ed)|shackle\w*|fetter\w*|manacle\w*|gaol\w*|jail\w*|"
    r"keyhole|behind bars|captiv\w*|under guard|guards?|escort\w*|sentr(?:y|ies)|pikemen|between two|"
    r"turnkey|warder|"
    r"his bonds|her bonds|iron door|brig|lock-?up|stockade|cage\w*|warden\w*|handcuff\w*|cuffs|cuffed|remand|"
    r"custody|convicts?|inmates?|penitentiary|oubliette|(?:between|through) the bars)\b"
    r"|牢|囚|狱|铁链|锁链|上锁|道锁|镣|栅|看守|押着|押解|绑着|枷|"
    r"关着|关在|被擒|俘|捆|缚|看守所|禁闭|铁门|铁窗|铁栏|收监|监[房牢室仓舍狱]|羁|软禁|禁足|幽禁|手铐|铐|探视|提审"
)

_OPEN = re.compile(
    r"\b(?:markets?|quays?|squares?|streets?|roads?|lanes?|carriages?|harbou?rs?|fields?|shops?|taverns?|inns?|"
    r"ships?|decks?|forests?|woods|meadows?|beach|shore|fairs?|rode|riding|sailed|at the head of|stations?|"
    r"platform|"
    r"caf[eé]s?|pubs?|bar of|bar at|hotels?|lobby|theatre|ballroom|lounge|casino|terrace|gardens|lawn|orchard|"
    r"porch|"
    r"doorstep|front door|bus|tram|taxi|cab|car|train|ferry|boats?|pier|docks?|jetty|bridge|church|wedding|banquet|"
    r"feast|party|dinner|supper|parlou?r|drawing room|kitchen|stables?|mill|hill|river|lake|crowd)\b"
    r"|集市|市集|[大小长]?街|码头|大路|山路|小路|客栈|酒[楼馆肆吧]|茶[馆楼肆摊]|河[边岸]|海边|江边|湖边|礁石|马车|"
    r"学堂|田野|田里|树林|林子|船[上头]|"
    r"货摊|货担|骑|出城|进城|集上|庙会|戏园|赌坊|当铺|药铺|铺子|饭馆|餐厅|咖啡|公园|广场|车站|地铁|公交|出租车|"
    r"商场|超市|办公室|会议室|"
    r"花园|后花园|凉亭|喜宴|宴席|酒席|人群|山门|渡口|桥[上头边]|城头|城楼|村口|演武场|校场"
)

_LONG = 4
"""From so many sentences on, a scene in a cell says so."""

_FREED = re.compile(
    r"\b(?:freed|frees|set free|free (?:again|now|at last|man|woman)|at liberty|escap\w+|released?|"
    r"let (?:him|her|them) (?:out|go)|unlock\w*|unbound|unchained|unshackled|broke(?:n)? (?:out|free|loose)|"
    r"rescued?|ransom\w*|pardon\w*|parole\w*|bail\w*|acquitted|door (?:stood|was|swung) open|"
    r"cut (?:his|her) (?:bonds|ropes)|loosed|slipped (?:his|her|the) (?:chains?|cuffs|bonds|guards?)|"
    r"out of (?:the|his|her) (?:cell|prison|tower|brig|jail|gaol))\b"
    r"|释放|放了[他她人出]|放出|放[他她](?:走|出|一)|逃[出走脱离了]|越狱|救出|救了|脱困|获释|赦|"
    r"解开[^，。]{0,3}[绳锁镣捆铐]|松绑|"
    r"劫狱|劫牢|开了锁|打开牢|破牢|出狱|赎|锁落|开锁|押[解送着到来]|带出|脱身|提审|提出来|保释|取保|刑满|解禁|"
    r"解了禁"
)


def held_elsewhere(scene: Scene) -> Iterator[Finding]:
    """A captive acts in a draft that knows of no prison and of no way out of one."""
    for number in range(len(scene.draft.sentences)):
        if scene.frames.elsewhere(number):
            continue
        for named in scene.doers(number):
            entity = named.sole
            if entity is None or not scene.known.is_bound(entity):
                continue
            place = next(reversed(scene.known.places(entity)), None)
            if place is None:
                continue
            out = _at_large(scene, place.object, who=entity) and not _in_prison(scene, number, place.object)
            if out and not _set_free(scene, number):
                yield _held(scene, number, entity, place)


def _held(scene: Scene, number: int, entity: Entity, place: Fact) -> Finding:
    state = scene.known.status(entity)
    return scene.finding(
        "place",
        number,
        [entity.name, place.object],
        (
            f"{entity.name} is held at {place.object} since chapter {place.since}, and no way out is told before this.",
            f"{entity.name}自第{place.since}章起困在{place.object}，此前没有写到如何脱身。",
        ),
        facts=[place, *([state] if state is not None else [])],
        confidence=0.82,
    )


def _set_free(scene: Scene, number: int) -> bool:
    """Whether the draft tells, up to a sentence, that somebody comes free."""
    return any(_FREED.search(each.told) for each in scene.draft.sentences[: number + 1])


def _at_large(scene: Scene, prison: str, *, who: Entity) -> bool:
    """Whether the draft plays, or may play, somewhere else: a cell is not named in each scene that plays in it."""
    if any(_OPEN.search(sentence.text) for sentence in scene.draft.sentences):
        return True
    if any(prison not in scene.known.around(place.name) for place in scene.entities("location")):
        return True
    # A longer scene among others says somewhere that one of them is held, if it plays where they are.
    return len(scene.draft.sentences) >= _LONG and any(each != who for each in scene.entities("character"))


def _in_prison(scene: Scene, number: int, prison: str) -> bool:
    """Whether the draft, near a sentence, tells of the prison or of any."""
    paragraph = scene.draft.sentences[number].paragraph
    for other, sentence in enumerate(scene.draft.sentences):
        if abs(sentence.paragraph - paragraph) > 4:
            continue
        if _CONFINED.search(sentence.text):
            return True
        if any(
            prison in scene.known.around(each.name)
            for named in scene.names[other]
            for each in named.entities
            if each.kind == "location"
        ):
            return True
    return False
