"""Steps of the plan that have not begun, told as things of the past."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from amb_book.checking.draft import QUOTED, Sentence
from amb_book.checking.findings import Evidence, Finding
from amb_book.checking.scene import Scene
from amb_book.checking.text_overlap import terms
from amb_book.plan import PlanGraph, PlanPart

__all__ = ["told_as_past"]

_ADVERB = r"(?:\w+ly |now |at last |long |been |already )*"
_DONE = re.compile(
    rf"\b(?:had(?:n['’]t)? {_ADVERB}(?!(?:the|an?|no|his|her|their|its|to|not|only|two|three|never|seen|heard|"
    r"read|tried|proposed|suggested|wanted|hoped|asked|begged|offered)\b)\w+|"
    r"(?i:since|after) (?:the|his|her|their|[A-Z]\w+|we|you|I|he|she|they|it|that)|"
    r"(?:days?|weeks?|months?|nights?|years?|morning|hours?) (?:after|since|ago)|"
    r"yesterday|last (?:night|week|month|year|spring|summer|autumn|winter)|"
    r"(?:was|were) (?:over|already)|[Nn]ow that|[Bb]y then|"
    rf"ha(?:s|ve|d)(?:n['’]t)? {_ADVERB}been|already|having \w+|"
    r"the (?:day|night|morning|week) (?:after|that|when|[A-Z]\w+ (?:had|was))|once the|"
    rf"(?:ha(?:s|ve)|['’](?:s|ve|d)) {_ADVERB}\w+(?:ed|en|wn|ung|ught)|"
    r"in the (?:days|weeks|months) (?:after|since)|ever since|when [^,.]{3,40} (?:was|were) \w+(?:ed|en|wn|ung))\b"
    r"|已经|(?:^|[，。；：“])[^，。]{0,12}已[^，。]{1,3}|自从|自打|打从|自[^，。己]{2,12}(?:后|来)|打那|之后|"
    r"过后|以后|以来|那[天日夜晚年时]|前几[日天]|几[日天]前|[一二三四五六七八九十数半两几]个?[天日月年](?:以)?前|"
    r"才[一二三四五六七八九十数半两几]个?[天日月]|日前|上个?月|上旬|去年|昨[天日夜晚儿]|前[天日晚夜]|既然|早已|"
    r"早就|刚刚?|如今[^，。]{0,10}(?:成了|只剩|已)|上(?:个?星期|周|个?礼拜)|"
    r"(?:[一二三四五六七八九十两几]个?|半)(?:小时|钟头|星期|礼拜|月|时辰)前|"
    r"[\u4e00-\u9fff]{2}[已才都了后]?(?:整整|快|将近)?[一二三四五六七八九十半两几数]+个?多?[年月天日]"
)
_REPORTED = re.compile(
    r"\b(?:was|were) (?:found|tried|taken|made|won|shot|hung|sunk|sold|\w+ed)\b|\b(?:have|has) been\b|"
    r"\b(?:[A-Z]\w+|he|she|they|we|you|I|who|and) (?:\w+ly |all |both )?"
    r"(?:\w{2,}ed|won|took|fell|broke|burnt|stole|"
    r"found|shot|sank|sold|swore|wed|gave|told|led|fled|left|struck|built|woke|died|got|went|came)\b"
)
_PLANNED = re.compile(
    r"\b(?:if|would|will|shall|should|could|might|may|must|going to|plan(?:ned|ning)|plans? (?:to|was|for)|"
    r"hop(?:e|es|ed|ing)|wish\w*|dream\w*|dreamt|imagin\w*|intend\w*|mean[st]? to|"
    r"meant|until|till|not yet|before (?:he|she|they|it) (?:is|was|were|could|would)|"
    r"(?:when|once|as soon as|after) (?:the \w+|you|I|we|they|he|she|[A-Z]\w+) (?:comes?|is|are|has|have)|one "
    r"day|tomorrow|promis\w*|had(?:n['’]t| not| never)|(?:did|do|does)(?:n['’]t| not)|(?:was|were)(?: "
    r"not|n['’]t)|never|as if|as though|false|lie[sd]?|lying|wrongly|mistaken|song|story|tale|play|stage|"
    r"pretend\w*|"
    r"wait\w*|want\w*|to be|whether|think|suppose\w*|unless|ready to|about to|yet to|was to|were to)\b"
    r"|如果|若|倘|假如|要是|(?<![敌主大名副兵上老女小])将(?![军士领帅门])|(?<![机宴集相])会(?![合师面])|"
    r"想(?!起|着那|到|来)|打算|准备|计划|盘算|等到|等|希望|盼|但愿|梦|仿佛|好像|以为|谣|传言|传闻|听说|据说|假|"
    r"骗|谎|未|没(?!有一[个人]不)|(?<!个)不(?=[曾能会要想必]|到时)|还差|总有一天|明[天日]|后[天日]|"
    r"日后|将来|有朝一日|戏|说书|故事里|发誓|答应|(?<![盟和条契密违赴])约(?!束)|预备|商量|何时|什么时候|莫非|"
    r"难道|能否|万一|设想|推演|沙盘|纸上|本该|差点|险些|从[未不来]",
    re.IGNORECASE,
)
_UNTRUE = re.compile(
    r"^\W*(?:No\b|Not yet|Nonsense|Liar|Wrong)|\b(?:liar|lying|a lie|dreaming|wishful|nothing of the (?:kind|sort)|"
    r"not true|wrong end|rumou?r\w*|it had not|not happened|rubbish|humbug|bosh|a hoax|safe and sound|"
    r"still (?:stands|standing|there))\b"
    r"|骗|谎|梦|醒|胡说|瞎说|哪有|还没|尚未|没有的事|假的|放屁|胡扯|哪里的话|好端端|好好地?的?[停泊立站在]|没有如果|"
    r"我可没有|没见过|吹牛",
    re.IGNORECASE,
)


def told_as_past(scene: Scene, plan: PlanGraph) -> Iterator[Finding]:
    """A pending step that a draft looks back upon."""
    parts = plan.parts("step")
    if not any(step.status == "Pending" for step in parts):
        return
    steps: list[tuple[PlanPart, list[_Clause]]] = []
    for number, sentence in enumerate(scene.draft.sentences):
        if not _looks_back(sentence) or _taken_back(scene, number) or scene.frames.elsewhere(number):
            continue
        steps = steps or [(step, _clauses(scene, step)) for step in parts]
        found = next((step for step in parts if step.status == "Pending" and _after_title(step, sentence)), None)
        found = found or _fitting(scene, number, steps)
        if found is not None and found.status == "Pending":
            yield _finding(scene, number, found)


def _fitting(scene: Scene, number: int, steps: list[tuple[PlanPart, list[_Clause]]]) -> PlanPart | None:
    """The step of which a sentence tells most."""
    sentence = scene.draft.sentences[number]
    told, names = terms(sentence.text), scene.ids(number)
    fits = [
        (max(each.share(told) for each in clauses), step)
        for step, clauses in steps
        if any(each.said(told, names) and _done(each, sentence) for each in clauses)
    ]
    return max(fits, key=lambda each: each[0])[1] if fits else None


def _looks_back(sentence: Sentence) -> bool:
    """Whether a sentence tells of something as done before, or somebody in it says that it was done."""
    if _DONE.search(sentence.text):
        return True
    said = "".join(raw for raw, told in zip(sentence.text, sentence.told, strict=True) if told == QUOTED)
    return _REPORTED.search(said) is not None and not said.rstrip('”"」').endswith(("?", "？"))


def _taken_back(scene: Scene, number: int) -> bool:
    """Whether what follows says that it did not happen."""
    following = scene.draft.sentences[number + 1 : number + 12]
    return any(_UNTRUE.search(each.text) for each in following)


def _after_title(step: PlanPart, sentence: Sentence) -> bool:
    """Whether a sentence looks back on a step by its title: since the coronation."""
    title = re.escape(step.title.removeprefix("the ").removeprefix("The "))
    said = rf"(?i:\b(?:since|after)\s+(?:the|his|her|their)\s+{title}\b)|{title}(?:之后|以后|过后|那[天日夜晚])"
    return re.search(said, sentence.text) is not None and _PLANNED.search(sentence.text) is None


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
    return replace(
        finding, evidence=(Evidence(f"{step.title} ({step.id}) is {step.status}: {step.text}", kind="plan"),)
    )


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause of a step: whom and what it names, by id, and what it says besides."""

    names: frozenset[str]
    content: frozenset[str]

    def share(self, told: frozenset[str]) -> float:
        """How much of it is told, in [0, 1]."""
        return len(self.content & told) / len(self.content)

    def said(self, told: frozenset[str], names: frozenset[str]) -> bool:
        """Whether a sentence says enough of it in the same words; less where it names the same people."""
        shared, share = len(self.content & told), self.share(told)
        here = len(self.names & names)
        return (
            (share >= 0.5 and shared >= 3)
            or (here >= 1 and share >= 0.3 and shared >= 2)
            or (here >= 2 and share >= 0.2)
        )


def _clauses(scene: Scene, step: PlanPart) -> list[_Clause]:
    found = []
    for piece in re.split(r"[;.；。]", step.text) if step.text else [step.title]:
        named, rest = scene.without_names(piece)
        content = terms(rest)
        if content:
            found.append(_Clause(frozenset(entity.id for each in named for entity in each.entities), content))
    return found


def _done(clause: _Clause, sentence: Sentence) -> bool:
    """Whether the part of a sentence that tells a step, with what leads up to it, tells it as no plan or wish."""
    pieces = [piece for piece in re.split(r"[,;，；。：]", sentence.text) if piece.strip()]
    hits = [place for place, piece in enumerate(pieces) if clause.content & terms(piece)]
    near = pieces[max(0, hits[0] - 1) : hits[-1] + 1] if hits else pieces
    return _PLANNED.search(" , ".join(near)) is None
