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


_NEAR = 4
"""A prison is told of near a sentence if it is within so many paragraphs."""


def held_elsewhere(scene: Scene) -> Iterator[Finding]:
    """A captive acts in a draft that knows of no prison and of no way out of one."""
    told = _Told(scene)
    for number in range(len(scene.draft.sentences)):
        if scene.frames.elsewhere(number):
            continue
        for named in scene.doers(number):
            entity = named.sole
            if entity is None or not scene.known.is_bound(entity):
                continue
            place = next(reversed(scene.known.places(entity)), None)
            if place is None or number >= told.freed:
                continue
            if told.is_at_large(place.object, who=entity) and not told.is_in_prison(number, place.object):
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


class _Told:
    """What a draft tells of prisons, each looked for once: the time of a check goes with the length of the draft."""

    def __init__(self, scene: Scene) -> None:
        self._scene, sentences = scene, scene.draft.sentences
        self.freed = next((at for at, each in enumerate(sentences) if _FREED.search(each.told)), len(sentences))
        """The first sentence that tells how somebody comes free."""
        self._is_open = any(_OPEN.search(each.text) for each in sentences)
        self._confined = {each.paragraph for each in sentences if _CONFINED.search(each.text)}
        self._places, self._people = scene.entities("location"), scene.entities("character")
        self._at: dict[str, set[int]] = {}

    def is_at_large(self, prison: str, *, who: Entity) -> bool:
        """Whether it plays, or may play, somewhere else: a cell is not named in each scene that plays in it."""
        if self._is_open or any(prison not in self._scene.known.around(place.name) for place in self._places):
            return True
        # A longer scene among others says somewhere that one of them is held, if it plays where they are.
        return len(self._scene.draft.sentences) >= _LONG and any(each != who for each in self._people)

    def is_in_prison(self, number: int, prison: str) -> bool:
        """Whether it tells, near a sentence, of the prison or of any."""
        if prison not in self._at:
            self._at[prison] = self._confined | self._paragraphs_at(prison)
        paragraph = self._scene.draft.sentences[number].paragraph
        return any(near in self._at[prison] for near in range(paragraph - _NEAR, paragraph + _NEAR + 1))

    def _paragraphs_at(self, prison: str) -> set[int]:
        known = self._scene.known
        inside = {place.id for place in self._places if prison in known.around(place.name)}
        return {
            sentence.paragraph
            for sentence, names in zip(self._scene.draft.sentences, self._scene.names, strict=True)
            if any(each.id in inside for named in names for each in named.entities)
        }
