"""Contradictions in other words: what is told apart, what is not, in sentences, tables, lists and JSON."""

from __future__ import annotations

import pytest
from amb_bench.conflict_bench import judge
from amb_bench.reworded import reworded_pairs

from amb_core.agents import contradictions
from amb_core.agents.records import fields_of

BATTERY = "The Harbour Point battery holds 18 MWh."
STATION = "青岭储能电站的容量为18兆瓦时。"
TABLE = "| Plant | Capacity (MW) | Opened |\n|---|---|---|\n| Merrow | 120 | 2011 |\n| Stour | 95 | 2014 |"
ZH_TABLE = "| 电站 | 装机容量 |\n|---|---|\n| 梅洛 | 120兆瓦 |\n| 斯图 | 95兆瓦 |"


@pytest.mark.parametrize(
    ("a", "b", "values"),
    [
        (
            BATTERY,
            "According to the regulator, the Harbour Point battery has a capacity of 12 MWh.",
            {"18 MWh", "12 MWh"},
        ),
        (BATTERY, "The Harbour Point battery can store 12,000 kWh of electricity.", {"18 MWh", "12,000 kWh"}),
        (STATION, "据登记表记载，青岭储能电站可储存12兆瓦时。", {"18兆瓦时", "12兆瓦时"}),
        ("The ledger-api runs in us-east-1.", "The ledger-api is deployed in eu-west-1.", {"us-east-1", "eu-west-1"}),
        ("远帆机械的董事长是陆文斌。", "远帆机械由何晓东担任董事长。", {"陆文斌", "何晓东"}),
        (TABLE, "The Stour plant has a capacity of 80 MW.", {"95", "80 MW"}),
        (ZH_TABLE, "斯图电站的装机容量为80兆瓦。", {"95兆瓦", "80兆瓦"}),
        ('{"company": "Fenwick Labs", "founded": 2004}', "Fenwick Labs was founded in 2007.", {"2004", "2007"}),
        ("职务：总经理\n姓名：陈国梁\n单位：东山机械", "东山机械的总经理是吴海峰。", {"陈国梁", "吴海峰"}),
        ("Lumen X2 lamp\n- Weight: 420 g\n- Price: $59", "The Lumen X2 lamp weighs 380 g.", {"420 g", "380 g"}),
    ],
)
def test_another_value_in_other_words_is_a_contradiction(a: str, b: str, values: set[str]) -> None:
    for found in (contradictions(a, b), contradictions(b, a)):
        assert set(found[0].values) == values


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (BATTERY, "The Harbour Point battery stores 18,000 kWh."),
        (BATTERY, "The Harbour View battery has a capacity of 12 MWh."),
        (BATTERY, "The second unit of the Harbour Point battery has a capacity of 6 MWh."),
        (BATTERY, "In 2019, the Harbour Point battery had a capacity of 12 MWh."),
        (BATTERY, "The Harbour Point battery was planned with a capacity of 12 MWh."),
        (STATION, "青岭储能电站的容量为18000千瓦时。"),
        (STATION, "青屿储能电站可储存12兆瓦时电量。"),
        (STATION, "青岭储能电站二期的容量为6兆瓦时。"),
        (STATION, "青岭储能电站原计划容量为12兆瓦时。"),
        (TABLE, "The Welland plant has a capacity of 80 MW."),
        (TABLE, "The Stour plant has a capacity of 95 MW."),
        (ZH_TABLE, "韦兰电站的装机容量为80兆瓦。"),
        ("The Orme bridge opened in 2019.", "The Orme bridge is scheduled to open in 2021."),
        ("The Orme bridge was closed to traffic in 2019.", "The Orme bridge is open to traffic."),
        ("The Clock Museum is located in Marburg.", "The Clock Museum lies in Upper Hessen."),
        ("东山机械2022年第一季度收入1.9亿元。", "东山机械2022年的营业额为7.9亿元。"),
    ],
)
def test_another_subject_part_time_or_unit_is_none(a: str, b: str) -> None:
    assert not contradictions(a, b)
    assert not contradictions(b, a)


@pytest.mark.parametrize(("language", "least"), [("en", 0.75), ("zh", 0.9)])
def test_the_development_half_is_told_without_a_false_alarm(language: str, least: float) -> None:
    pairs = reworded_pairs("zh" if language == "zh" else "en", half="development")
    result = judge(language, pairs, lambda a, b: bool(contradictions(a, b)))
    assert result.alarms_per_thousand == 0
    assert result.recall >= least


def test_a_field_is_found_where_it_stands() -> None:
    fields = [(field.subject, field.name, TABLE[slice(*field.span)]) for field in fields_of(TABLE)]
    assert fields == [
        ("Merrow", "Capacity (MW)", "120"),
        ("Merrow", "Opened", "2011"),
        ("Stour", "Capacity (MW)", "95"),
        ("Stour", "Opened", "2014"),
    ]


def test_prose_with_commas_is_no_table() -> None:
    assert not list(fields_of("It rained, it snowed, and it froze.\nThe 3 of us ran, sang, and slept."))
