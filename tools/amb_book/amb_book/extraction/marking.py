"""Sentences with their names marked: each name as a sign of its kind and number, pronouns that are clear as well."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from amb_book.extraction.english_narrator import NARRATED_KIN
from amb_book.extraction.english_titles import Sex, sex_of
from amb_book.extraction.passages import Passage
from amb_book.fact_answers import Mention
from amb_book.statements import EntityKind

__all__ = ["Actor", "Marked", "Marker", "actors_in", "placed_names"]

_LETTER: dict[EntityKind, str] = {
    "character": "c",
    "location": "l",
    "item": "i",
    "faction": "g",
    "ability": "a",
    "hook": "h",
    "thing": "i",
}
_SIGN = re.compile(r"<([a-z])(\d+)>")
_PRONOUN = {
    "en": re.compile(
        r"(?:^|[,;:—] ?| and | but | then | so | when | while | as | before | after )(?P<p>[Hh]e|[Ss]he)\b|"
        r"\b(?:called|named|dubbed|nicknamed|call) (?P<of>him|her)\b|\b(?P<own>[Hh]is|[Hh]er) (?=(?:own |"
        r"elder |younger |twin |only |little |big |half-|old |sworn )*(?:brother|sister|twin|husband|"
        r"wife|son|daughter|father|mother|uncle|aunt|cousin|master|teacher|apprentice|pupil|"
        r"enemy|grandfather|grandmother|grandson|granddaughter|nephew|niece|friend|companion|servant|lackey|valet|"
        r"maid|housekeeper|guardian|ward|stepmother|stepfather|late)\b)"
    ),
    "zh": re.compile(r"(?:^|[，。；：！？”—])(?P<p>[他她])(?!们|的)|(?P<own>[他她]的)"),
}
_IT = re.compile(r"\b(?:gave|gives|handed|hands|sold|passed|left|returned|entrusted|stole|took|presented) (it)\b")
_SOMEBODY = {
    "en": re.compile(
        r"\b(?:the|a|an|another|some|one|small|old|young) (?:\w+ ){0,2}(?:man|woman|boy|girl|child|soldier|"
        r"guard|captain|stranger|priest|monk|servant|sailor|thief|king|queen|lord|lady|physician|general|"
        r"merchant|messenger|rider|mate|daughter|son|brother|sister|mother|father|ferryman|reeve)\b|"
        r"\bsome(?:one|body)\b"
    ),
    "zh": re.compile(
        r"士兵|少年|少女|姑娘|老人|老者|男人|女人|妇人|汉子|孩子|书生|和尚|道士|弟子|黑衣人|那人|来人|有人|"
        r"老头|掌柜|跑堂|侍卫|将领|校尉|丫鬟|小二|郎中|对方|敌将|刺客|乞丐|女子|男子|众人|老板|"
        r"余众|部将|副将|使者|使人|左右|军士|手下|庄客|喽罗|丫头|婆子|小厮|妖精|那怪|一将|一人|众将|百姓"
    ),
}
_MYSELF = re.compile(
    rf"\b(?P<i>I|[Ww]e)\b(?=[ ,])|\b(?P<my>[Mm]y )(?=(?:own |elder |eldest |younger |twin |only |late )*"
    rf"(?:{NARRATED_KIN})\b)"
)
_I_GO_ON = re.compile(r"(?:^|[,;:—] ?(?:and |but |so |then )?|\band )I [^,;:—]*[, ]$")
_IS_ONE = re.compile(r"(?:是|做了|当了)[^，。；]*")
_GOES_ON = {
    "en": re.compile(
        r"(?:, and|,| and|, then| then|, and then) (?=(?:\w+ly )?(?:came|come|went|goes|rode|rides|walked|"
        r"arrived|returned|fled|sailed|marched|travell?ed|hurried|climbed|ran|drove|rowed|moved|reached|"
        r"entered|left|killed|married|joined|learned|learnt|mastered|gave|handed|stole|took|died|"
        r"swore|swears|became|becomes|betrayed|betrays|bought|buys|inherited|leads|led|commands|"
        r"rules|loves|hates|lives|serves|owns|marries|joins|learns|masters|gives|hands|"
        r"steals|takes|kills|dies|leaves|travels|reaches|enters|arrives|returns|is|was)\b)"
    ),
    "zh": re.compile(
        r"(?<=[，；])(?=(?:又|便|就|才|终于|随即|连夜|独自|一路|悄悄|匆匆|却|也|从此|后来|最后|次日|当夜|"
        r"如今|并|还|再)*(?:来到|到了|回到|赶到|抵达|进了|走进|闯进|逃到|逃回|躲进|返回|登上|上了|住在|"
        r"守在|离开|把|将|做了|成了|加入|拜入|学会|练成|拜|娶了|嫁|杀了|夺|偷|得到|年方|今年|人称|"
        r"绰号|死在|死于|被|是|乃是|爱上|恨|引兵|引军|领兵|领军|率兵|率军|径|径自|星夜|遂|乃|即|回|至|入|屯|投|奔|班师))"
    ),
}


@dataclass(frozen=True, slots=True)
class Actor:
    """Whom or what a name means: by the name it has in the book; `known` when the book told of it before."""

    name: str
    kind: EntityKind
    known: bool = False


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence with names as signs; `actors` are what the numbers mean."""

    text: str
    actors: Sequence[Actor]
    _starts: tuple[int, ...] = ()
    _shifts: tuple[int, ...] = ()

    def place(self, at: int) -> int:
        """Where in what the sentence tells a place of the marked text is."""
        return at + self._shifts[bisect_right(self._starts, at) - 1]


def actors_in(text: str, actors: Sequence[Actor]) -> list[Actor]:
    """The actors whose signs stand in a piece of marked text, each once."""
    return list(dict.fromkeys(actors[int(found[2])] for found in _SIGN.finditer(text)))


@dataclass(slots=True)
class Marker:
    """Marks sentences one after the other; it remembers whom the last one was about."""

    names: Sequence[tuple[int, int, Actor | None]]
    sexes: Mapping[str, Sex] = field(default_factory=dict)
    strict: bool = False
    """Whether a Chinese pronoun only means who opens its sentence or the one before it: so many people has a book."""
    narrator: Actor | None = None
    """Who says I where nobody is quoted."""
    actors: list[Actor] = field(default_factory=list)
    _numbers: dict[Actor, int] = field(default_factory=dict)
    _about: Actor | None = None
    _paragraph: int = -1
    _spans: Sequence[tuple[int, int, Actor | None]] = ()
    _sexes: dict[Actor, Sex] = field(default_factory=dict)
    _near: set[Actor] | None = field(default_factory=set)
    """The people of the paragraph so far; None once it speaks of somebody without a name."""

    def mark(self, passage: Passage) -> Marked:
        """The sentence with its names marked."""
        if passage.paragraph != self._paragraph and (self.strict or passage.language == "en"):
            self._about, self._near = None, set()
        self._paragraph = passage.paragraph
        told = passage.told.replace("<", "‹").replace(">", "›")
        spans = [(start - passage.start, end - passage.start, actor) for start, end, actor in self._within(passage)]
        spans = [(_with_article(told, start, actor), end, actor) for start, end, actor in spans]
        self._spans = spans
        signs = [(start, end, self._sign(actor)) for start, end, actor in spans]
        people = [(start, actor) for start, _, actor in spans if actor is not None and actor.kind == "character"]
        for start, end, actor in spans:
            if (
                actor is not None
                and actor.kind == "character"
                and (sex := self.sexes.get(actor.name) or sex_of(told[start:end]))
            ):
                self._sexes.setdefault(actor, sex)
        signs += self._pronouns(passage, told, people)
        marked = self._spliced(told, sorted(signs))
        self._remember(passage, people, spans)
        return marked

    # --- inside ------------------------------------------------------------------------------------------------------

    def _within(self, passage: Passage) -> Iterator[tuple[int, int, Actor | None]]:
        place = bisect_right(self.names, passage.start, key=lambda each: each[0] + 1)
        while place < len(self.names) and self.names[place][0] < passage.end:
            yield self.names[place]
            place += 1

    def _sign(self, actor: Actor | None) -> str:
        if actor is None:
            return "<x0>"
        if actor not in self._numbers:
            self._numbers[actor] = len(self.actors)
            self.actors.append(actor)
        return f"<{_LETTER[actor.kind]}{self._numbers[actor]}>"

    def _pronouns(
        self, passage: Passage, told: str, people: Sequence[tuple[int, Actor]]
    ) -> Iterator[tuple[int, int, str]]:
        """Signs for pronouns, and for subjects that are left out, where only one person can be meant."""
        for found in _PRONOUN[passage.language].finditer(told):
            if _SOMEBODY[passage.language].search(told, 0, found.start()) or told.startswith("叫", found.end()):
                continue
            group = next(name for name, said in found.groupdict().items() if said)
            if self._far(passage, told, people, found.start(group)):
                continue
            sex: Sex = "m" if found[group].casefold() in ("he", "him", "his") else "f"
            one = self._only(people, found.start(group), sex if passage.language == "en" else "")
            if one is not None:
                possessive = "" if group != "own" else ("的" if passage.language == "zh" else "'s")
                yield found.start(group), found.end(group), self._sign(one) + possessive
        yield from self._myself(told) if passage.language == "en" else ()
        things = [(start, actor) for start, _, actor in self._spans if actor is not None and actor.kind == "item"]
        for found in _IT.finditer(told) if passage.language == "en" else ():
            named = {actor for start, actor in things if start < found.start()}
            if len(named) == 1:
                yield found.start(1), found.end(1), self._sign(named.pop())
        for found in _GOES_ON[passage.language].finditer(told):
            before = {actor for start, actor in people if start < found.start()}
            if passage.language == "zh" and not self._opens(told, people, found.start()):
                continue
            if self.strict and passage.language == "en" and _MYSELF.search(told, 0, found.start()):
                if self.narrator is None or not _I_GO_ON.search(told, 0, found.start() + 1):
                    continue
                before = {self.narrator}
            if len(before) == 1 and not any(start == found.end() for start, _ in people):
                if self._by_same(told, found.end(), next(iter(before))):
                    continue
                yield found.end(), found.end(), self._sign(before.pop()) + (" " if passage.language == "en" else "")

    def _by_same(self, told: str, at: int, actor: Actor) -> bool:
        """Whether a Chinese clause tells what is done by somebody, who then is not whom it is done to."""
        by = told[at + 1 :]
        named = any(start == at + 1 and one == actor for start, _, one in self._spans)
        return told[at : at + 1] == "被" and (named or by.startswith(actor.name[-1]))

    def _myself(self, told: str) -> Iterator[tuple[int, int, str]]:
        """Signs for the one who tells the book."""
        if self.narrator is not None:
            for found in _MYSELF.finditer(told):
                if found["my"]:
                    yield found.start(), found.end(), self._sign(self.narrator) + "'s "
                elif found["i"]:
                    yield found.start(), found.end(), self._sign(self.narrator)

    def _far(self, passage: Passage, told: str, people: Sequence[tuple[int, Actor]], at: int) -> bool:
        """Whether a pronoun of a Chinese book stands too far from whom it would be taken for."""
        if not self.strict or passage.language != "zh":
            return False
        named = [start for start, _ in people if start < at]
        return named[0] > 0 if named else at > 0

    def _opens(self, told: str, people: Sequence[tuple[int, Actor]], until: int) -> bool:
        """Whether a Chinese sentence has its one person so far at the head of a clause, and speaks of nobody else."""
        first = next((start for start, _ in people if start < until), None)
        if first is None or _SOMEBODY["zh"].search(_IS_ONE.sub("", told[:until])):
            return False
        return (
            first == 0
            or told[first - 1] in "，。；：！？”」—说见时日是"
            or told[:first] in ("只见", "却说", "且说", "话说")
        )

    def _only(self, people: Sequence[tuple[int, Actor]], until: int, sex: Sex = "") -> Actor | None:
        """The one person a pronoun can mean: the only one its sentence named, else whom the last was about."""
        before = {actor for start, actor in people if start < until}
        other: Sex = "f" if sex == "m" else "m"
        fits = {actor for actor in before if not sex or self._sexes.get(actor, "") != other}
        if len(fits) == 1 and (len(before) == 1 or all(self._sexes.get(actor) for actor in before)):
            return next(iter(fits))
        about = self._about if not fits else None
        if about is not None and not (sex and self._sexes.get(about, "") == other):
            return about
        return self._only_near(sex) if not fits else None

    def _only_near(self, sex: Sex) -> Actor | None:
        """The only man, or woman, of an English paragraph so far, of whose other people each is known to be none."""
        near = self._near if self.strict and sex else None
        if not near or not all(self._sexes.get(actor) for actor in near):
            return None
        alike = [actor for actor in near if self._sexes[actor] == sex]
        return alike[0] if len(alike) == 1 else None

    def _remember(
        self, passage: Passage, people: Sequence[tuple[int, Actor]], spans: Sequence[tuple[int, int, Actor | None]]
    ) -> None:
        named = list(dict.fromkeys(actor for _, actor in people))
        opens = not people or people[0][0] == 0
        unnamed = _SOMEBODY[passage.language].search(passage.told) or any(actor is None for _, _, actor in spans)
        self._near = None if unnamed or self._near is None else self._near | set(named)
        if _SOMEBODY[passage.language].search(passage.told) or (self.strict and passage.language == "zh" and not opens):
            self._about = None
        elif len(named) == 1 and all(actor is not None for _, _, actor in spans):
            self._about = named[0]
        elif named or any(actor is None for _, _, actor in spans):
            self._about = None

    def _spliced(self, told: str, signs: Iterable[tuple[int, int, str]]) -> Marked:
        pieces: list[str] = []
        starts, shifts = [0], [0]
        done = length = 0
        for start, end, sign in signs:
            if start < done:
                continue
            pieces += [told[done:start], sign]
            length += start - done + len(sign)
            done = end
            starts.append(length)
            shifts.append(end - length)
        pieces.append(told[done:])
        return Marked("".join(pieces), self.actors, tuple(starts), tuple(shifts))


def _with_article(told: str, start: int, actor: Actor | None) -> int:
    """Where a thing or a skill begins with its article: the Silver Key, also of a book that calls it Silver Key."""
    of_thing = actor is not None and actor.kind in ("item", "ability")
    return start - 4 if of_thing and told[max(start - 4, 0) : start] == "the " else start


def placed_names(
    mentions: Sequence[Mention], found: Sequence[tuple[int, int, Actor]]
) -> list[tuple[int, int, Actor | None]]:
    """Known and new names by place; of those that overlap the longer holds, and what may mean several is None."""
    known = [
        (
            each.start,
            each.end,
            Actor(each.entities[0].name, each.entities[0].kind, known=True) if len(each.entities) == 1 else None,
        )
        for each in mentions
    ]
    chosen: list[tuple[int, int, Actor | None]] = []
    for start, end, actor in sorted([*known, *found], key=lambda each: (each[0], -each[1])):
        if chosen and start < chosen[-1][1]:
            if end - start > chosen[-1][1] - chosen[-1][0]:
                chosen[-1] = (start, end, actor)
            continue
        chosen.append((start, end, actor))
    return chosen
