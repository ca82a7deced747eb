"""Hooks that are resolved a second time, and open ones of which a draft says that nothing is open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from amb_book.checking.findings import Evidence, Finding
from amb_book.checking.scene import Scene
from amb_book.checking.text_overlap import overlap, terms
from amb_book.entities import HAS_STATUS
from amb_book.fact_answers import Fact, Hook

__all__ = ["all_settled", "resolved_again"]

_REVEALS = re.compile(
    r"\b(?:at (?:long )?last|finally|only now|(?:nobody|no one) had (?:yet|ever)|to (?:his|her|"
    r"their) (?:astonishment|surprise|amazement)|for the first time|came to light|not had the least idea|"
    r"had had the least idea|never (?:once )?(?:suspected|guessed)|now (?:she|he|they|"
    r"[A-Z]\w+) (?:knew|understood|saw)|so "
    r"(?:it was|that was|this was|you (?:are|were))|"
    r"all along|the (?:truth|secret|mystery|riddle|answer)|reveal\w*|confess\w*|unmask\w*|"
    r"(?:discovered|learn(?:ed|t)|understood|realised|realized|found out|solved|guessed|worked out|"
    r"recogni[sz]ed|admitted|uncovered|no longer (?:lost|missing|a secret|a mystery|unknown)|lost no "
    r"longer|was found))\b"
    r"|终于(?:知道|明白|查|弄|揭|得知|找到|解开|水落石出|认)|原来|真相|揭开|揭了?底|露出真容|现出真容|"
    r"头一回|头一次|第一次|揭晓|揭穿|水落石出|才知道|这才明白|才明白|恍然|大白|谜底|头一回知道|"
    r"第一次知道|招认|承认|坦白|竟是|竟然是|解开|解了|认出",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"\b(?:guess\w*|suppos\w*|perhaps|maybe|think|thought|might|could be|if|suspect\w*|must have|bet|"
    r"theory|claimed|boast\w*|told (?:him|her|them)|explained|described|"
    r"recounted|went over|reported|already|long since|again|once more|retold|repeat\w*|old news|had "
    r"(?:long )?known|ha[sd] "
    r"(?:been )?(?:told|learnt|learned|confessed|revealed|admitted|found|discovered|understood)|knew "
    r"(?:already|by now|well)|"
    r"as (?:she|he|they|everyone|[A-Z]\w+) knew|remember\w*|still|since (?:she|he|they) (?:had|learnt|"
    r"learned)|no news|reminded|everybody knew|everyone knew|ever since|nobody(?! had (?:yet|ever))|not yet|"
    r"whether|"
    r"wonder\w*|must)\b"
    r"|(?<![没未])猜(?!了这|了那|了多|了许|了半|了好|不)|想必|八成|多半|莫非|也许|大概|怕是|我看|依我|听说|据说|"
    r"胡说|瞎说|"
    r"吹牛|骗|告诉|讲给|说给|念给|"
    r"解释|讲述|早就|早已|早有了?|已经(?:知道|明白|说|揭|查|认)|已知|又(?:说|讲|提)|再(?:说|讲)了?一遍|上次|"
    r"上回|"
    r"人人都?知道|都知道|还记得|记得|想起|没有?说|不知|谁也不|会不会|莫非|难道|自从|那日|当日|"
    r"那天|复述|转述|告诉过|说过|讲过|算是|了了|着落"
)
_MATTER = (
    r"(?:questions?|riddles?|myster(?:y|ies)|debts?|secrets?|promises?|threads?|(?:loose )?ends?|matters?|accounts?|"
    r"puzzles?|scores?|wrongs?|knots?|doubts?|hooks?|quarrels?|grudges?|oaths?|cases?|strands?|wounds?|things?|"
    r"business)"
)
_CLOSED = (
    r"(?:answered|settled|solved|paid|closed|shut|tied(?: up| off)?|explained|resolved|cleared(?: up)?|accounted for|"
    r"(?:laid|put) to rest|known|told|done(?: with)?|over|finished|mended|kept|squared|untangled|unravelled|wrapped up|"
    r"brought to light|in (?:its|their) place|at an end|complete)"
)
_ADVERB = r"(?:(?:by now|by then|now|at last|finally|all|long since|been|fully|quite|thus|\w+ly) )*"
_ALL_DONE = re.compile(
    rf"\b(?:(?:every|each|all|the last)(?: single| last)?(?: of)?(?: the| their| her| his| our| those| these)?"
    rf"(?: \w+)? {_MATTER}(?! (?:that|which|about|concerning|on|as to)\b)(?: (?:of|between|in) [^.;,]{{1,30}})? "
    rf"(?:was|were|had|has|have|is|are|lay|stood) {_ADVERB}{_CLOSED}|"
    rf"(?:nothing|no(?: more)?(?: \w+)? {_MATTER}|not (?:a|one|a single)(?: \w+)? {_MATTER})\b[^.;,]{{0,25}}?"
    r"(?:\bremain(?:ed|s|ing)?|\b(?:was|were|is|are|had been|now) left|(?:was|were|had been)? ?left "
    r"(?:open|unanswered|undone|unsaid|unpaid|unsolved|hanging|over|to \w+)|"
    r"\b(?:lay|stood|was|were|stayed) (?:still )?open|"
    r"\b(?:unanswered|unpaid|unsolved|unsettled|unexplained|unresolved|outstanding|hanging|"
    r"dangling|loose))\b|"
    rf"(?:everything|all|whatever)(?: (?:that |which )?[^.;,]{{3,40}})? (?:\w+ )?(?:was|had|is|were|stood) "
    rf"{_ADVERB}{_CLOSED}|"
    rf"{_MATTER} (?:was|were|had been) all {_CLOSED}|"
    rf"there (?:was|were) no (?:more )?(?:loose )?{_MATTER}(?! (?:of|about|in|to)\b)|"
    rf"(?:no|not one) {_MATTER} (?:\w+ )?left\b|"
    r"not a (?:single )?(?:thread|question|thing|riddle|knot|detail)\b[^.;]{0,40}? (?:which|that) (?:he|she|"
    r"they|I|we) (?:had not|did not)|"
    r"(?:no longer|not) a single \w+ (?:that|whose|which|left)[^.;]{0,30}?(?:did not|could not|had not)|"
    r"had (?:all|every one of) (?:her|his|their|the) answers|owed (?:nobody|no one|no man|nothing)(?: anything)?|"
    r"knew (?:all|everything) (?:that )?there was to (?:know|be known)|(?:found|had) (?:its|an) (?:answer|"
    r"end) at last|"
    r"nothing (?:more )?(?:was )?left to (?:find|learn|solve|settle|ask|explain|tell|discover|pay|know)|"
    r"(?:nobody|no one) (?:had|needed) (?:anything|any more) to (?:wonder|ask|find out|learn))\b"
    r"|(?:一切|所有|全部|桩桩件件|种种|件件|样样|每一?[件桩个])[^，。！？]{0,12}(?:都|皆|尽|全)?(?:已经?|"
    r"都|全)?(?:了结|了断|解开|揭开|揭了?底|露出真容|现出真容|头一回|头一次|第一次|揭晓|水落石出|"
    r"有了(?:答案|着落|结果|交代)|真相大白|大白|清楚|明白|落定|尘埃落定|了了|还清|查清|弄清|解决|完结|"
    r"收场)|"
    r"(?:再也?没有|再无|没有|不再有|已无|并无)(?:任何|一[个桩件点]|半点|什么)?[^，。！？]{0,8}(?:悬念|"
    r"谜|谜团|疑团|疑问|未解|未了|悬而未决|没解开|没弄清|秘密|旧账|恩怨|牵挂|心事|悬案)|"
    r"(?:谜团|疑团|谜|悬案|恩怨|旧账|秘密|心事)(?:都|全|尽|皆|一一|已)+[^，。！？]{0,4}(?:解|了|清|揭|"
    r"大白|散)|尘埃落定|该(?:问|了|说|办|查|还|报|解|知道|弄清)的[^，。]{0,6}(?:清|完|了|尽|结)|"
    r"(?:谜|疑)[语团底问]?[^，。]{0,4}一[个桩件]也?不剩|想知道的[^。]{0,8}(?:回答|答案)|"
    r"(?:一桩桩|一件件|桩桩|件件)[^，。]{0,4}(?:清了|清楚|见了底|落了地|有了头|了断|了结)|"
    r"所有的?问号[^。]{0,12}(?:擦干净|拉直|有了|解|消)|"
    r"再(?:也)?没有?(?:什么|[半一]?[句件桩个点丝处])[^，。]{0,10}(?:悬着|[要需想][^，。]{0,4}[问查弄]|不明白|"
    r"不清楚|糊涂|没着落|"
    r"未了|没了)|"
    r"[一]?[个件桩]不剩[^。]{0,6}解|"
    r"(?:再|已|也)?没有[一半]个?[^，。]{0,3}(?:要|需)(?:补|问|说|查|解)|(?:至此|前因后果|"
    r"来龙去脉)[^。]{0,12}(?:水落石出|大白)|真相(?:已|全|都|终于|全部|"
    r"尽皆)?(?:已经)?大白|万事(?:皆|俱)了|了无牵挂|(?:谜底|答案|来龙去脉)[^，。]{0,4}(?:都|全|尽|"
    r"一一)[^，。]{0,6}|"
    r"没有一[件桩个样][^，。]{0,6}(?:不明白|不清楚|没有着落|没有答案|悬着)|(?:件件|桩桩|样样|"
    r"事事)[^，。]{0,4}有了[^，。]{0,4}|所有的?(?:账|债|恩怨|谜)[^，。]{0,6}(?:清|了|解)|"
    r"再(?:没有|无)[^，。]{0,6}(?:秘密|疑惑|疑问|不解|悬案|谜)|再没有什么(?:放不下|不明白|可查|可问|"
    r"未了)|无一不(?:明|解|了)",
    re.IGNORECASE,
)
_NOT_ALL = re.compile(
    r"\b(?:almost|nearly|farthing|penny|ledger|bills?|the inn|tavern|shop|trial|court|lesson|wages|"
    r"invoice|dues|tax(?:es)?|the game|for the day|but one|except|save|if|when|others?|would|wish\w*|"
    r"hop\w*|until|not (?:everything|all|"
    r"every)|as if|as though|pretend\w*|thought|believed|seemed|would be|one day|dream\w*|might|could|"
    r"should|said|for (?:tonight|now|the moment))\b"
    r"|几乎|账本|账房|账目|酒账|酒钱|欠条|卷宗|这一案|此案|功课|文书|货款|公文|差不多|除了|只差|"
    r"只剩(?!下?的?[^，。]{0,2}[晴好欢])|若|"
    r"如果|等到|等|要是|但愿|希望|盼|以为|仿佛|好像|似乎|还没|尚未|并不是|"
    r"不是所有|总有一天|将来|日后|梦|暂时|(?<!到)今[晚夜]",
    re.IGNORECASE,
)


def resolved_again(scene: Scene) -> Iterator[Finding]:
    """A hook that was resolved before is resolved as if nobody had known."""
    riddles: list[_Riddle] | None = None
    for number, sentence in enumerate(scene.draft.sentences):
        if not _REVEALS.search(sentence.text) or _KNOWN.search(sentence.text):
            continue
        if riddles is None:
            riddles = [_riddle(scene, hook) for hook in scene.known.hooks("Resolved")]
        told, names = terms(sentence.text), scene.ids(number)
        found = next((each for each in riddles if each.solved_by(told, names)), None)
        if found is not None:
            yield scene.finding(
                "hook_twice",
                number,
                [found.hook.name],
                (
                    f"the hook {found.hook.name!r} was resolved in chapter {found.hook.resolved} already.",
                    f"伏笔“{found.hook.name}”在第{found.hook.resolved}章已经回收。",
                ),
                facts=found.facts,
                confidence=0.78,
            )


@dataclass(frozen=True, slots=True)
class _Riddle:
    """What a resolved hook asks: whom and what it names, by id, its other words, and when it was resolved."""

    hook: Hook
    names: frozenset[str]
    content: frozenset[str]
    facts: list[Fact]

    def solved_by(self, told: frozenset[str], names: frozenset[str]) -> bool:
        """Whether a sentence tells what the riddle asks for."""
        here = bool(self.names & names)
        if not self.content or (len(self.content) == 1 and not here and len(next(iter(self.content))) != 2):
            return False
        if len(self.content) > 2 and len(self.content & told) < 2:
            return False
        return overlap(self.content, told) >= (0.5 if here or len(self.content) == 1 else 0.66)


def _riddle(scene: Scene, hook: Hook) -> _Riddle:
    entity = next(each for each in scene.known.by_name[hook.name] if each.kind == "hook")
    facts = [fact for fact in scene.known.told(entity) if fact.relation == HAS_STATUS and fact.object == "Resolved"]
    named, rest = scene.without_names(hook.name)
    names = frozenset(entity.id for each in named if each.text != hook.name for entity in each.entities)
    return _Riddle(hook, names, terms(rest), facts[-1:])


def all_settled(scene: Scene) -> Iterator[Finding]:
    """Everything is said to be settled while hooks are open."""
    open_hooks: list[Hook] | None = None
    for number, sentence in enumerate(scene.draft.sentences):
        if not _ALL_DONE.search(sentence.told) or _NOT_ALL.search(sentence.told):
            continue
        if open_hooks is None:
            open_hooks = scene.known.hooks("Unresolved")
        if not open_hooks:
            return
        told = terms(sentence.text)
        ranked = sorted(open_hooks, key=lambda hook: -overlap(terms(hook.name), told))[:3]
        names = [hook.name for hook in ranked]
        finding = scene.finding(
            "hook_forgotten",
            number,
            names,
            (f"not everything is settled: {', '.join(names)} is open.", f"并非一切了结：{'、'.join(names)}尚未回收。"),
            facts=[],
            confidence=0.8,
        )
        facts = [Evidence(f"{hook.name} is Unresolved (since {hook.laid})", hook.laid, hook.text) for hook in ranked]
        yield replace(finding, evidence=tuple(facts))
