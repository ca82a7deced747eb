"""Steps of the plan that have not begun, told as things of the past."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from amb_core.narrative.checking.content import terms
from amb_core.narrative.checking.deeds import deeds
from amb_core.narrative.checking.draft import QUOTED, Sentence
from amb_core.narrative.checking.findings import Evidence, Finding
from amb_core.narrative.checking.scene import Scene
from amb_core.narrative.plan import PlanGraph, PlanPart

__all__ = ["told_as_past"]

_DONE = {
    "en": re.compile(
        r"\b(?:had(?:n['’]t)? (?:\w+ly |now |at last |long |been |already )*"
        r"(?!(?:the|an?|no|his|her|their|its|to|not|only|two|three|never)\b)\w+|"
        r"(?i:since|after) (?:the|his|her|their|"
        r"[A-Z]\w+|we|he|she|they|it|that)|(?:days?|weeks?|months?|nights?|years?|morning|hours?) (?:after|since|ago)|"
        r"yesterday|last (?:night|week|month|year|spring|summer|autumn|winter)|"
        r"was over|were over|now that|"
        r"ha(?:s|ve|d)(?:n['’]t)? (?:\w+ly |now |at last |already )*been|already|having \w+|"
        r"the (?:day|night|morning|week) (?:after|that|when)|once the|"
        r"(?:ha(?:s|ve)|['’](?:s|ve|d)) (?:\w+ly |now |at last |already )*\w+(?:ed|en|wn|ung|ught)|"
        r"in the (?:days|weeks|months) (?:after|since)|ever since|when [^,.]{3,40} (?:was|were) \w+(?:ed|en|wn|ung))\b"
    ),
    "zh": re.compile(
        r"已经|(?:^|[，。；：“])[^，。]{0,12}已[^，。]{1,3}|自从|自打|打从|自[^，。己]{2,12}(?:后|来)|打那|之后|"
        r"过后|以后|以来|"
        r"那[天日夜晚年]|前几[日天]|几[日天]前|[一二三四五六七八九十数半两几]个?[天日月年](?:以)?前|"
        r"才[一二三四五六七八九十数半两几]个?[天日月]|日前|上个?月|上旬|去年|昨[天日夜晚儿]|前[天日晚夜]|既然|早已|"
        r"早就|刚刚?|"
        r"如今[^，。]{0,10}(?:成了|只剩|已)|上(?:个?星期|周|个?礼拜)|(?:[一二三四五六七八九十两几]个?|半)(?:小时|"
        r"钟头|星期|礼拜|月|时辰)前"
    ),
}
_PLANNED = {
    "en": re.compile(
        r"\b(?:if|would|will|shall|should|could|might|may|must|going to|plan(?:s|ned|ning)?\b|hop(?:e|es|ed|"
        r"ing)|wish\w*|dream\w*|dreamt|imagin\w*|intend\w*|mean[st]? to|"
        r"meant|until|till|not yet|before (?:he|she|they|it) (?:is|was|were|could|would)|when (?:the|he|"
        r"she) (?:comes?|is|are)|one "
        r"day|tomorrow|promis\w*|had(?:n['’]t| not| never)|(?:did|do|does)(?:n['’]t| not)|(?:was|were)(?: "
        r"not|n['’]t)|as if|as though|"
        r"rumou?r\w*|gossip\w*|according to|it was said|(?:they|people|some|everybody|everyone) sa(?:y|id)|"
        r"the story went|"
        r"false|lie[sd]?|lying|wrongly|mistaken|song|story|tale|play|stage|pretend\w*|"
        r"practi[sc]\w*|rehears\w*|wait\w*|want\w*|to be|whether|think|suppose\w*|unless|ready to|about to|"
        r"yet to|was to|were to)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"如果|若|倘|假如|要是|(?<![敌主大名副兵上老女小])将(?![军士领帅门])|(?<![机宴集相])会(?![合师面])|"
        r"想|打算|准备|计划|盘算|等到|等|希望|盼|但愿|梦|仿佛|好像|以为|谣|传言|传闻|听说|据说|假|骗|谎|未|"
        r"没(?!有一[个人]不)|(?<!个)不(?=[曾能会要想必]|到时)|还差|总有一天|明[天日]|后[天日]|"
        r"日后|将来|有朝一日|戏|说书|故事里|发誓|答应|(?<![盟和条契密违赴])约(?!束)|预备|商量|何时|什么时候|莫非|"
        r"难道|能否|万一|设想|"
        r"推演|沙盘|纸上|本该|差点|险些"
    ),
}


def told_as_past(scene: Scene, plan: PlanGraph) -> Iterator[Finding]:
    """A pending step that a draft looks back upon."""
    steps = [(step, _clauses(scene, step)) for step in plan.parts("step")]
    if not any(step.status == "Pending" for step, _ in steps):
        return
    for number, sentence in enumerate(scene.draft.sentences):
        done = _DONE[sentence.language].search(sentence.text) or _reported(sentence)
        if not done or scene.frames.explained(number) or _taken_back(scene, number):
            continue
        told = _told(scene, number)
        by_title = next((step for step, _ in steps if step.status == "Pending" and _after_title(step, sentence)), None)
        if by_title is not None:
            yield _finding(scene, number, by_title)
            continue
        fits = [
            (max(each.share(told.content) for each in clauses), step)
            for step, clauses in steps
            if any(each.said(told) and _done(each, sentence) for each in clauses)
        ]
        step = max(fits, key=lambda each: each[0])[1] if fits else None
        if step is not None and step.status == "Pending" and _is_about(scene, number, step):
            yield _finding(scene, number, step)


_OF_OLD = {
    "en": re.compile(
        r"\b(?:(?:years|generations|centuries) (?:ago|before|since)|the year (?:I|he|she|they) (?:was|were)|"
        r"grandfather|before (?:I|he|she) was born|long ago|hundred|the old (?:king|queen|duke)|first "
        r"time)\b"
    ),
    "zh": re.compile(r"[十百]+年前|先祖|祖上|前代|老一辈|从前(?![山门面院边后头排厅殿街])|当年|早年|上一回|上回|前朝"),
}


def _is_about(scene: Scene, number: int, step: PlanPart) -> bool:
    """Whether those around a sentence are those of the step, and it tells nothing of older times."""
    sentence = scene.draft.sentences[number]
    if _OF_OLD[sentence.language].search(sentence.text):
        return False
    wanted = scene.index.named(step.text)
    if not wanted:
        return True
    first = wanted[0].entities[0]
    here = [entity.id for each in scene.names[number] for entity in each.entities if entity.kind == "character"]
    # Somebody else did it when the sentence names people, and not the one whose step it is.
    return first.kind != "character" or not here or first.id in here


_UNDONE = {
    "en": re.compile(
        r"^\W*(?:No\b|Not yet|Nonsense|Liar|Wrong)|\b(?:liar|lying|a lie|woke|dreaming|wishful|only a|"
        r"nothing of the (?:kind|sort)|not true|wrong end|might be|rumou?r\w*|admitted|it had not|he had "
        r"not|she had not|not happened|has not|have "
        r"not)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"骗|谎|梦|醒|胡说|瞎说|哪有|还没|尚未|没有的事|假的|没有如果|我可没有|没见过|吹牛"),
}


def _taken_back(scene: Scene, number: int) -> bool:
    """Whether what follows says that it did not happen."""
    return any(_UNDONE[each.language].search(each.text) for each in scene.draft.sentences[number + 1 : number + 12])


def _after_title(step: PlanPart, sentence: Sentence) -> bool:
    """Whether a sentence looks back on a step by its title: since the coronation."""
    title = re.sub(r"^(?:the|a|an)\s+", "", step.title, flags=re.IGNORECASE)
    if sentence.language == "en":
        said = rf"(?i:\b(?:since|ever since|after)\s+(?:the|his|her|their)\s+{re.escape(title)}\b)"
    else:
        said = rf"{re.escape(title)}(?:之后|以后|过后|那[天日夜晚]|才[^，。]{{1,3}}[天日月]|已有)"
    found = re.search(said, sentence.text) if len(title) > 1 else None
    return found is not None and not _PLANNED[sentence.language].search(sentence.text)


def _finding(scene: Scene, number: int, step: PlanPart) -> Finding:
    finding = scene.finding(
        "plan_as_past",
        number,
        [step.title],
        (
            f"the step {step.title!r} of the plan is still pending; here it has happened.",
            f"规划中的“{step.title}”尚未发生，这里却当成已经发生的事。",
        ),
        facts=[],
        confidence=0.78,
    )
    return replace(finding, evidence=(Evidence(f"{step.title} ({step.id}) is {step.status}: {step.text}"),))


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause of a step: whom and what it names, by id, what it says besides, and the deeds it tells."""

    names: frozenset[str]
    content: frozenset[str]
    deeds: frozenset[str]

    def share(self, told: frozenset[str]) -> float:
        """How much of it is told, in [0, 1]."""
        return len(self.content & told) / len(self.content)

    def said(self, told: _Told) -> bool:
        """Whether a sentence says the same: its deed of those it names, or enough of it in the same words."""
        shared = self.content & told.content
        share = self.share(told.content)
        if share >= 0.5 and len(shared) >= 3:
            return True
        here = self.names & told.names
        if not here:
            return False
        if self._is_deed_of(told, here):
            return True
        if len(shared) >= 3 and share >= 0.3:
            return True
        if len(here) >= 2 and (share >= 0.2 or self._in_other_words(told.content)):
            return True
        return share >= 0.3 and len(shared) >= 2

    def _is_deed_of(self, told: _Told, here: frozenset[str]) -> bool:
        """Whether a sentence tells the deed of the clause, of those it names and of nobody else."""
        same = self.deeds & told.deeds.keys()
        if not same or not any(told.deeds[deed] <= self.names for deed in same):
            return False
        return len(here) >= min(2, len(self.names)) or not same.isdisjoint(_ONCE)

    def _in_other_words(self, told: frozenset[str]) -> bool:
        """Whether the characters of a Chinese clause stand in a sentence, whatever words they form there."""
        han = frozenset(each for each in "".join(self.content) if each > "\u3400")
        return len(han) >= 4 and len(han & frozenset("".join(told))) / len(han) >= 0.35


_ONCE = frozenset(("crown", "wed", "born", "resign", "sentence"))
"""What is done to somebody once, so that it needs no second name to be known again."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What a sentence tells: its words, whom and what it names, by id, and its deeds with the people beside each."""

    content: frozenset[str]
    names: frozenset[str]
    deeds: Mapping[str, frozenset[str]]


def _told(scene: Scene, number: int) -> _Told:
    sentence = scene.draft.sentences[number]
    told: dict[str, frozenset[str]] = {}
    for start, piece in _pieces(sentence):
        begin = sentence.start + start
        people = frozenset(
            entity.id
            for each in scene.names[number]
            if begin <= each.start < begin + len(piece)
            for entity in each.entities
            if entity.kind == "character"
        )
        for deed in deeds(piece):
            told[deed] = told.get(deed, frozenset()) | people
    names = frozenset(entity.id for each in scene.names[number] for entity in each.entities)
    return _Told(terms(sentence.text), names, told)


def _pieces(sentence: Sentence) -> list[tuple[int, str]]:
    """The parts of a sentence between commas and the like, each with its place."""
    return [
        (found.start(), found.group())
        for found in re.finditer(r"[^,;，；。：]+", sentence.text)
        if found.group().strip()
    ]


def _clauses(scene: Scene, step: PlanPart) -> list[_Clause]:
    found = []
    for piece in (step.title, *re.split(r"[;.；。]", step.text)):
        _, rest = scene.without_names(piece)
        content = terms(rest)
        if content and (step.text == "" or piece != step.title):
            names = frozenset(entity.id for each in scene.index.named(piece) for entity in each.entities)
            found.append(_Clause(names, content, deeds(piece)))
    return found


def _reported(sentence: Sentence) -> bool:
    """Whether somebody says in speech that a thing was done."""
    said = "".join(raw for raw, told in zip(sentence.text, sentence.told, strict=True) if told == QUOTED)
    return _REPORTED[sentence.language].search(said) is not None and not said.rstrip('”"」').endswith(("?", "？"))


_REPORTED = {
    "en": re.compile(
        r"\b(?:was|were) (?:found|tried|taken|made|won|shot|hung|sunk|sold|\w+ed)\b|\b(?:have|has) been\b|"
        r"\b(?:[A-Z]\w+|he|she|they|we|you|I|who|and) (?:\w+ly |all |both )?"
        r"(?:\w{2,}ed|won|took|fell|broke|burnt|stole|"
        r"found|shot|sank|sold|swore|wed|gave|told|led|fled|left|struck|built|woke|died|got|went|came)\b"
    ),
    "zh": re.compile(r"了[，。！]|了(?:我们|他|她|咱)|过了|的那[天日夜晚]"),
}


def _done(clause: _Clause, sentence: Sentence) -> bool:
    """Whether the part of a sentence that tells a step, with what leads up to it, tells it as no plan or wish."""
    pieces = [piece for _, piece in _pieces(sentence)]
    hits = [place for place, piece in enumerate(pieces) if clause.content & terms(piece) or clause.deeds & deeds(piece)]
    near = pieces[max(0, hits[0] - 1) : hits[-1] + 1] if hits else pieces
    return not _PLANNED[sentence.language].search(" , ".join(near))
