"""Statements of tables, JSON objects and "key: value" lines: the row's subject has the field's attribute."""

import re
from collections.abc import Iterator
from dataclasses import replace

from amb_core.agents.attribute_words import BORDER, SLOT, UNSURE, ZH_UNSURE
from amb_core.agents.chinese_clauses import chinese_frame
from amb_core.agents.clauses import frame_tokens
from amb_core.agents.quantities import Slot
from amb_core.agents.records import Field, fields_of
from amb_core.agents.slot_finding import find_slots
from amb_core.agents.statement import Sentence, Statement
from amb_core.agents.topics import Topic
from amb_core.text import name_key, values

__all__ = ["record_statements"]

_CJK = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_UNIT = re.compile(r"^(?P<name>.+?)[\s_]*(?:[(（](?P<inside>[^()（）]{1,16})[)）]|[\s_,](?P<last>[^\s_,]{1,12}))$")
_UNITS_IN_KEYS = {
    unit.lower(): unit for unit in "MW kW GW MWh kWh GWh Wh GB MB TB KB kHz MHz GHz Hz MPa kPa USD EUR GBP CNY".split()
}
_OWNER = re.compile(r"^(?P<name>[A-Za-z ]{3,30}) of (?:the )?(?P<owner>[A-Z].{1,40})$")
_IN_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:年度?|\b)")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d$")
_DATED = re.compile(
    r"\b(?:year|date|since|opened|founded|established|built|completed|commissioned|launched|born)\b"
    r"|年|时间|日期|成立|投产",
    re.I,
)
_NAMED = re.compile(
    r"\b(?:ceo|chief executive(?: officer)?|mayor|director|chairman|chairwoman|president|architect|author"
    r"|owner|headquarters|location|located|region|capital"
    r"|birthplace|designer|licen[cs]e|editor|principal|captain|governor)\b|董事长|总经理|总裁|首席执行官|校长|院长|所长|馆长|厂长|行长|市长|"
    r"县长|镇长|省长|主席|会长|设计师|建筑师|作者|导演|总部|位置|地点|所在地|注册地|区域|首都|省会|负责人",
    re.I,
)  # fmt: skip


def record_statements(text: str, topic: Topic) -> Iterator[Statement]:
    """What the records of `text` state; a field without a subject of its own is about `topic`."""
    for field in fields_of(text):
        owner = _OWNER.match(field.name)
        if owner is not None and field.subject is None:
            field = replace(field, subject=owner["owner"], name=owner["name"])
        if not field.subject and not topic.keys:
            continue
        row = text[slice(*field.row)]
        if UNSURE.search(row) or ZH_UNSURE.search(row):
            continue
        found = _value(field, text[slice(*field.span)])
        if found is not None:
            name, slot = found
            yield from _statements(replace(field, name=name), slot, row, topic)


def _value(field: Field, cell: str) -> tuple[str, Slot] | None:
    """(name of the attribute without its unit, the value with offsets of the text)."""
    name = field.name.replace("_", " ").strip()
    if _YEAR.match(cell) and _DATED.search(name):
        slots = find_slots(f"in {cell}", values(f"in {cell}"))
    else:
        slots = find_slots(cell, values(cell))
    slots = tuple(slot for slot in slots if slot.kind != "name")
    if len(slots) == 1 and not slots[0].fixed:
        slot = slots[0]
        if slot.unit == "count" and (unit := _UNIT.match(name)):
            written = unit["inside"] or unit["last"]
            measured = f"{cell} {_UNITS_IN_KEYS.get(written, written)}"
            wider = [s for s in find_slots(measured, values(measured)) if s.kind == "number" and s.unit != "count"]
            if len(wider) == 1:
                name, slot = unit["name"], wider[0]
        return name, replace(slot, surface=cell, start=field.span[0], end=field.span[1])
    if not slots and _NAMED.search(name) and (key := name_key(cell)):
        return name, Slot("name", cell, *field.span, "name", keys=frozenset([key]))
    return None


def _statements(field: Field, slot: Slot, row: str, topic: Topic) -> Iterator[Statement]:
    subject = field.subject or topic.name
    chinese = bool(_CJK.search(field.name))
    times: tuple[Slot, ...] = ()
    if dated := _IN_YEAR.search(field.name):
        # "revenue_2023", "2023年交付船舶"
        times = find_slots(f"in {dated[1]}", values(f"in {dated[1]}"))
        if rest := (field.name[: dated.start()] + field.name[dated.end() :]).strip():
            field = replace(field, name=rest)
    keys = topic.keys
    if field.subject:
        kinds = ("", field.kind) if not chinese and field.kind else ("",)
        keys = frozenset(filter(None, (name_key(f"{subject} {kind}".strip()) for kind in kinds)))
    # "董事长" before a name is no length
    mark = "为" if slot.kind == "name" else ""
    words = chinese_frame(field.name) if chinese else frame_tokens(_WORD.findall(field.name))
    if slot.concept:
        words |= {slot.concept}
    if not keys or not words:
        return
    within = Sentence(
        row, *field.row, words | {f"={key}" for key in keys}, (slot,), topic.keys, chinese, years=topic.years
    )
    made = Statement(
        subject=subject,
        wording=field.name,
        value=slot.surface,
        kind=slot.kind,
        polarity=True,
        within=within,
        slot=slot,
        subjects=keys,
        named=bool(field.subject),
        pointing="named",
        frame=words,
        words=words,
        scope=times,
        before=":",
        plain=f"{subject}{'' if field.subject else BORDER}{field.name}{mark}{SLOT}" if chinese else "",
    )
    yield made
    if chinese and field.kind and field.subject and not subject.endswith(field.kind):
        yield replace(made, plain=f"{subject}{field.kind}{field.name}{mark}{SLOT}")
