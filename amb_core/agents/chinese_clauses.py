"""Clauses of a Chinese sentence by punctuation; attributes as concepts and character pairs, without a dictionary."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from amb_core.agents.attribute_words import SLOT, ZH_CONCEPTS, ZH_NEUTRAL
from amb_core.agents.clauses import Clause, Reference, Span, is_denied
from amb_core.agents.quantities import Slot
from amb_core.text import name_key
from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["chinese_attribute", "chinese_clauses", "chinese_frame"]

_BREAK = lazy_pattern(r"[，；：,;:（）()—]+")
_PRONOUN = lazy_pattern(
    r"^(?:(?:但|而|并且|并|同时|此外|另外|其中|因此|所以)?)(他们|她们|它们|他|她|它|其|这[家座所条间款艘](?=创|成|建|始|位|坐|有|现|拥|总|共|由|是)|该[\u4e00-\u9fff]{1,3}?(?=于|在|的|是|有|为|由|共|全|总|建|成|位|高|长|拥"
    r"|创|出)"
    r"|本[书片剧作城市县镇校站桥楼馆园]|此[书片剧作城桥楼馆])"
)
_MARKER = lazy_pattern(
    r"原本|原来|最初|起初|后来|随后|曾经|现任|前任|首次|再次|平均|最大|最小|最高|最低|每[年月日天周个人]|当时|此前|之前|以前"
)
_THING = lazy_pattern(
    r"[\u4e00-\u9fff]{2,8}?(?:公司|集团|大学|学院|医院|银行|机场|水库|大坝|水电站|电站|造船厂|药厂|水厂|研究所|博物馆|图书馆|隧道|大桥|枢纽|管理局)"
    r"(?=于|位于|坐落|在|是|有|的|成立|建|坝|创|始|现|由|共|总|占|设|达|全|为|$)"
)
_NO_NAME = lazy_pattern(r"[该本此这那其各全两某每一的在]|现有|原有|目前|如今")
# "下青岚大坝" is not "青岚大坝"
_OTHER_ONE = "上下新老旧东西南北小大中"
_PERSONAL = lazy_pattern(r"我|你|您|咱")
_NAME = lazy_pattern(
    r"^[王李张刘陈杨黄赵周吴徐孙朱马胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范廖贾夏韦邹孟熊秦邱尹薛闫段雷"
    r"侯史陶黎贺顾毛郝龚邵钱严覃戴莫孔汤][\u4e00-\u9fff]{1,2}$|[·A-Za-z]|(?:公司|集团|大学|学院|医院|银行|机场|铁路|高速|水库|电站|厂|协会|委员会|政府|法院|馆|公园|小学|中学|省|市|县|区|镇|乡|村|国|州|岛|山|河"
    r"|江|湖|海|寺|塔|楼|桥|站|俱乐部|乐队|报)$"
)
_RUN = lazy_pattern(r"[\u3400-\u9fff]+|[A-Za-z]+|@\w+")
_DENIAL = lazy_pattern(r"[不没未无非勿莫并从]")
_WORD_BREAK = lazy_pattern(rf"[{SLOT}\s“”\"'、《》]+")


def chinese_clauses(
    text: str,
    start: int,
    end: int,
    slots: Sequence[Slot],
    denials: Sequence[Span],
    *,
    names: Sequence[str] = (),
    placed: Collection[int] = (),
) -> list[Clause]:
    """The clauses of the sentence at `start:end`; `names` are what the text is about, longest first.

    `placed` are the starts of slots that are names for certain, because only a name can stand there.
    """
    clauses: list[Clause] = []
    opening: tuple[Slot, ...] = ()
    for left, right in _bounds(text, start, end, slots):
        inside = [
            slot
            for slot in slots
            if left <= slot.start and slot.end <= right and (slot.start in placed or _is_certain(slot, left, text))
        ]
        clause = _clause(text, left, right, inside, denials, names)
        if not clause.frame and clause.slots and all(slot.kind == "date" for slot in clause.slots):
            # a time set off by a comma goes with what it is the time of
            if not clauses:
                opening = clause.slots
                continue
            clauses[-1] = replace(clauses[-1], slots=(*clauses[-1].slots, *clause.slots), end=right)
            continue
        clauses.append(replace(clause, slots=(*opening, *clause.slots)) if opening else clause)
        opening = ()
    return clauses


def _is_certain(slot: Slot, start: int, text: str) -> bool:
    """Whether a slot is no name, or no subject, or surely a name: words for parts of a thing look like names too."""
    if slot.kind != "name" or slot.start - start > 1 or text[: slot.start].endswith(("《", "「")):
        return True
    return _NAME.search(slot.surface) is not None


def chinese_attribute(wording: str) -> str:
    """The words of a clause that name its attribute."""
    words = _WORD_BREAK.split(ZH_NEUTRAL.sub(" ", wording))
    return "".join(words).strip("。！!. ")


def _bounds(text: str, start: int, end: int, slots: Sequence[Slot]) -> list[Span]:
    bounds: list[Span] = []
    position = start
    for mark in _BREAK.finditer(text, start, end):
        if not any(slot.start <= mark.start() < slot.end for slot in slots):
            bounds.append((position, mark.start()))
            position = mark.end()
    bounds.append((position, end))
    return [(left, right) for left, right in bounds if right - left >= 2]


def _clause(
    text: str, start: int, end: int, slots: Sequence[Slot], denials: Sequence[Span], names: Sequence[str]
) -> Clause:
    masked = _masked(text, start, end, slots, denials)
    reference, rest = _reference(masked, start, slots, names)
    return Clause(
        reference=reference,
        head=frozenset(),
        frame=chinese_frame(rest),
        wording=rest,
        slots=tuple(slot for slot in slots if slot is not reference.slot),
        negative=is_denied(start, end, denials),
        start=start,
        end=end,
        markers=frozenset(_MARKER.findall(text, start, end)),
        before={slot.start: text[slot.start - 1] if slot.start > start else "" for slot in slots},
        plain=_masked(text, start, end, [slot for slot in slots if slot.kind != "name" and not slot.fixed], denials),
    )


def _masked(text: str, start: int, end: int, slots: Sequence[Slot], denials: Sequence[Span]) -> str:
    """The clause with a placeholder for every value and without its denials ("不可以" → "可以")."""
    gaps = [(slot.start, slot.end, SLOT) for slot in slots]
    gaps += [
        (left, right, _DENIAL.sub("", text[left:right])) for left, right in denials if start <= left and right <= end
    ]
    masked, position = "", start
    for left, right, filler in sorted(gaps):
        masked += text[position:left] + filler
        position = right if right > position else position
    return masked + text[position:end]


def _reference(masked: str, start: int, slots: Sequence[Slot], names: Sequence[str]) -> tuple[Reference, str]:
    """The subject, and the clause without the words that name it."""
    subject = next((slot for slot in slots if slot.kind == "name" and slot.start - start <= 1), None)
    if subject is not None:
        return Reference("named", subject), masked
    for name in names:
        if name in masked:
            if masked.find(name) == 1 and masked[0] in _OTHER_ONE:
                other = masked[0] + name
                slot = Slot("name", other, start, start + len(other), "name", keys=frozenset([name_key(other)]))
                return Reference("named", slot), masked[len(other) :]
            return Reference("about", word=name), masked.replace(name, " ")
    if pronoun := _PRONOUN.match(masked):
        return Reference("pronoun", word=pronoun[1]), masked[pronoun.end() :]
    if _PERSONAL.match(masked):
        return Reference("personal", word=masked[0]), masked
    thing = _THING.match(masked)
    if thing is not None and not _NO_NAME.search(thing.group()) and name_key(thing.group()):
        name = thing.group()
        slot = Slot("name", name, start, start + len(name), "name", keys=frozenset([name_key(name)]))
        return Reference("named", slot), masked[thing.end() :]
    return Reference("none"), masked


@lru_cache(maxsize=8_192)
def chinese_frame(masked: str) -> frozenset[str]:
    """Concepts, character pairs and Latin words of a clause."""
    masked = ZH_CONCEPTS.sub(lambda found: f" @{found.lastgroup} ", masked)
    masked = ZH_NEUTRAL.sub("", masked).replace(SLOT, " ")
    tokens: set[str] = set()
    for run in _RUN.findall(masked):
        if run[0] == "@" or run[0].isascii():
            tokens.add(run.lower())
        elif len(run) == 1:
            tokens.add(run)
        else:
            tokens.update(map("".join, pairwise(run)))
    return frozenset(tokens)
