"""Steps of the plan that have not begun, told as things of the past."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from amb_core.narrative.checking.content import terms
from amb_core.narrative.checking.draft import QUOTED, Sentence
from amb_core.narrative.checking.findings import Evidence, Finding
from amb_core.narrative.checking.scene import Scene
from amb_core.narrative.plan import PlanGraph, PlanPart

__all__ = ["told_as_past"]

_DONE = {
    "en": re.compile(
        r"\b(?:had(?:n['’]t)? (?:\w+ly |now |at last |long |been |already )*\w+|since the|ever since|after "
        r"the|(?:days?|weeks?|months?|nights?|morning) (?:after|since|ago)|yesterday|last (?:night|week|"
        r"month)|"
        r"was over|were over|now that|ha[sd] been|already|having \w+|the day (?:after|that|when)|once the|"
        r"in the (?:days|weeks) (?:after|since))\b"
    ),
    "zh": re.compile(
        r"已经|(?:^|[，。；：“])[^，。]{0,12}已[^，。]{1,3}|自从|自打|打那|之后|过后|那[天日夜晚]|前几日|"
        r"几日前|[一二三四五六七八九十数半两几][天日月年](?:以)?前|"
        r"才[一二三四五六七八九十数半两几]个?[天日月]|日前|上个?月|上旬|去年|昨[天日夜晚儿]|既然|早已|早就"
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
        r"rumou?r\w*|false|lie[sd]?|lying|wrongly|mistaken|song|story|tale|play|stage|pretend\w*|"
        r"practi[sc]\w*|rehears\w*|wait\w*|want\w*|to be|whether|think|suppose\w*|unless|ready to|about to|"
        r"yet to|was to|were to)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"如果|若|倘|假如|要是|(?<![敌主大名副兵上老女小])将(?![军士领帅门])|(?<![机宴集相])会(?![合师面])|"
        r"想|打算|准备|计划|盘算|等到|等|希望|盼|但愿|梦|仿佛|好像|以为|谣|传言|传闻|听说|据说|假|骗|谎|未|"
        r"没(?!有一[个人]不)|(?<!个)不(?=[曾能会要想必]|到时)|还差|总有一天|明[天日]|后[天日]|"
        r"日后|将来|有朝一日|戏|说书|故事里|发誓|答应|约|预备|商量|何时|什么时候|莫非|难道|能否|万一|设想|"
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
        told = terms(sentence.text)
        by_title = next((step for step, _ in steps if step.status == "Pending" and _after_title(step, sentence)), None)
        if by_title is not None:
            yield _finding(scene, number, by_title)
            continue
        named = frozenset(each.text for each in scene.names[number])
        fits = [
            (max(each.share(told) for each in clauses), step)
            for step, clauses in steps
            if any(each.said(told, named) and _done(each, sentence) for each in clauses)
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
    """A clause of a step: whom it names, what it says besides, and the first word of that, which tells the deed."""

    names: frozenset[str]
    content: frozenset[str]
    deed: frozenset[str]

    def share(self, told: frozenset[str]) -> float:
        """How much of it is told, in [0, 1]."""
        return len(self.content & told) / len(self.content)

    def said(self, told: frozenset[str], named: frozenset[str]) -> bool:
        """Whether a sentence says the same: enough of it, with somebody or something the step names."""
        shared = self.content & told
        share = self.share(told)
        if share >= 0.5 and len(shared) >= 3:
            return True
        if not (self.names & named):
            return False
        if len(shared) >= 3 and share >= 0.3:
            return True
        characters = frozenset("".join(told))
        han = frozenset(each for each in "".join(self.content) if each > "\u3400")
        if len(han) >= 4 and len(han & characters) / len(han) >= 0.35 and len(self.names & named) >= 2:
            return True
        done = bool(self.deed & shared) or any(len(each) == 2 and each[-1] in characters for each in self.deed)
        if not shared:
            return False
        return (share >= 0.3 and (done or len(shared) >= 2)) or (share >= 0.2 and len(self.names & named) >= 2)


def _clauses(scene: Scene, step: PlanPart) -> list[_Clause]:
    found = []
    for piece in re.split(r"[;.；。]", step.text):
        names, rest = scene.without_names(piece)
        content = terms(rest)
        first = next((each for word in re.split(r"\s+|[的以与从在]", rest) if (each := terms(word))), frozenset())
        if content:
            found.append(_Clause(names, content, first))
    return found


def _reported(sentence: Sentence) -> bool:
    """Whether somebody says in speech that a thing was done."""
    said = "".join(raw for raw, told in zip(sentence.text, sentence.told, strict=True) if told == QUOTED)
    return sentence.language == "en" and _REPORTED.search(said) is not None


_REPORTED = re.compile(r"\b(?:was|were) (?:found|tried|crowned|taken|made|\w+ed)\b|\b(?:have|has) been\b")


def _done(clause: _Clause, sentence: Sentence) -> bool:
    """Whether the part of a sentence that tells a step, with what leads up to it, tells it as no plan or wish."""
    pieces = [piece for piece in re.split(r"[,;，；。：]", sentence.text) if piece.strip()]
    hits = [place for place, piece in enumerate(pieces) if clause.content & terms(piece)]
    near = pieces[max(0, hits[0] - 1) : hits[-1] + 2] if hits else pieces
    return not _PLANNED[sentence.language].search(" , ".join(near))
