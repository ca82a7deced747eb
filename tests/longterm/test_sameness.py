"""How a new text stands to a remembered one: the same, more, otherwise, or something else; English and Chinese."""

from __future__ import annotations

import pytest

from amb_core.longterm.sameness import compare


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("All reports should use euros with two decimal places.", "Reports always in EUR, two decimals"),
        ("I'd like dark mode please.", "The user prefers dark mode."),
        ("Cancelled orders are not counted in GMV.", "GMV excludes cancelled orders."),
        ("The nightly job begins at 02:00.", "The nightly job starts at 2 am."),
        ("Large customers are those with 500 or more employees.", "A large customer has at least 500 employees."),
        ("每周一早上发周报。", "周报每周一上午发送。"),
        ("近三十天有登录的用户算作活跃用户。", "活跃用户是指最近30天内登录过的用户。"),
        ("转化率=订单数/访问数", "转化率等于订单数除以访问数。"),
        ("部署到生产环境之前，先部署到测试环境。", "先部署到测试环境，再部署到生产环境。"),
    ],
)
def test_the_same_in_other_words_is_the_same(new: str, old: str) -> None:
    assert compare(new, old).kind == "same"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Reports always in EUR, two decimals, one page", "Reports always in EUR, two decimals"),
        ("Charts are saved as PNG files, 300 dpi.", "Save charts as PNG."),
        ("报表金额用欧元，保留两位小数，附图表。", "报表金额一律用欧元，保留两位小数"),
    ],
)
def test_more_on_the_same_matter_adds(new: str, old: str) -> None:
    assert compare(new, old).kind == "adds"
    assert compare(old, new).kind == "same"


@pytest.mark.parametrize(
    ("new", "old", "values"),
    [
        ("Reports are always given in USD.", "Reports always in EUR", ("EUR", "USD")),
        ("Please export as PDF.", "Exports are made as CSV.", ("CSV", "PDF")),
        (
            "Invoices are approved by Tom Becker.",
            "Invoices are approved by Maria Lopez.",
            ("Maria Lopez", "Tom Becker"),
        ),
        ("日志保留60天。", "日志要保存九十天。", ("九十天", "60天")),
        ("负数用蓝色标出。", "负值请用红色标注。", ("红色", "蓝色")),
    ],
)
def test_another_value_is_a_conflict_that_names_both(new: str, old: str, values: tuple[str, str]) -> None:
    found = compare(new, old)
    assert (found.kind, found.values) == ("conflict", values)
    assert found.subject


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Revenue is reported with VAT.", "Revenue figures exclude VAT."),
        ("Never commit to the main branch.", "Always commit to the main branch."),
        ("User prefers tea over coffee.", "User prefers coffee over tea."),
        ("Conversion rate is visits / orders.", "Conversion rate is orders divided by visits."),
        ("Deploy to production before deploying to staging.", "Deploy to staging before deploying to production."),
        ("Silver gets 10%, gold 20%.", "Gold gets 10%, silver 20%."),
        ("Alert me below 85 percent.", "Alert me when it is above 85%."),
        ("提交后再跑测试。", "先运行测试再提交。"),
        ("用户不吃辣。", "我吃辣的。"),
        ("销售额按含税口径统计。", "统计销售额时不含税。"),
    ],
)
def test_what_is_turned_round_is_never_the_same(new: str, old: str) -> None:
    assert compare(new, old).kind in ("conflict", "different")
    assert compare(old, new).kind in ("conflict", "different")


@pytest.mark.parametrize("word", ["quorv", "Zindra", "blue", "17", "not", "Fridays"])
def test_an_exchanged_word_is_never_taken_for_the_same_whether_it_is_known_or_not(word: str) -> None:
    words = "Charts for the board use green bars".split()
    for place in range(3, len(words)):
        changed = " ".join([*words[:place], word, *words[place + 1 :]])
        assert compare(changed, " ".join(words)).kind in ("conflict", "different"), changed


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Reports are sent on Monday.", "Reports are always in EUR."),
        ("Q4 revenue grew by 15%.", "Q3 revenue grew by 12%."),
        ("Maria speaks Spanish.", "Maria approves invoices."),
        ("报表每周一发送。", "报表金额一律用欧元。"),
        ("数据库每天备份。", "数据库是PostgreSQL 15。"),
    ],
)
def test_another_matter_with_the_same_words_is_different(new: str, old: str) -> None:
    assert compare(new, old).kind == "different"


@pytest.mark.parametrize(
    "template",
    ["Note {}: shelf {} is free", "User {} prefers topic {}", "The price of item {} is {} EUR", "第{}条：产品{}缺货"],
)
def test_records_of_one_form_about_numbered_things_are_no_conflicts(template: str) -> None:
    first, second = (template.format(number, 7 * number) for number in (5, 6))
    assert compare(second, first, likeness=0.97).kind == "different"


def test_sentences_are_held_against_each_other_whatever_their_order() -> None:
    old = "The user lives in Oslo. Reports go to Maria in EUR. Meetings are in the morning."
    new = "Reports for Maria are in EUR. I live in Oslo."
    assert compare(new, old).kind == "same"
    assert compare(new.replace("EUR", "USD"), old).kind == "conflict"
    assert compare(f"{old} The fiscal year starts in April.", old).kind == "adds"


def test_a_high_likeness_never_makes_two_texts_the_same() -> None:
    assert compare("The lamp is glorp.", "The lamp is snarf.", likeness=1.0).kind in ("conflict", "different")
    assert compare("用户喜欢浅色模式。", "用户喜欢深色模式。", likeness=1.0).kind == "conflict"


def test_blank_and_huge_texts_are_judged_too() -> None:
    assert compare("", "").kind == "same"
    assert compare("", "Reports in EUR").kind == "different"
    huge = "Reports are in EUR. " * 20_000
    assert compare(huge, huge + "Charts are blue.").kind in ("same", "adds", "different")


@pytest.mark.parametrize("count", [80, 300])
def test_long_texts_that_differ_at_their_end_are_never_the_same(count: int) -> None:
    text = ". ".join(f"Shelf {number} is checked weekly" for number in range(count)) + "."
    longer = f"{text} The contract with Nordlicht ends in 2031."
    changed = text.replace(f"Shelf {count - 2} is checked weekly", f"Shelf {count - 2} is checked daily")
    assert compare(longer, text).kind in ("adds", "different")
    assert compare(changed, text).kind in ("conflict", "different")
    assert compare(text, text).kind == "same"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Peter reports to Anna", "Anna reports to Peter"),
        ("甲公司收购了乙公司", "乙公司收购了甲公司"),
        ("The billing service calls the orders service", "The orders service calls the billing service"),
        ("Customers rate drivers", "Drivers rate customers"),
        ("A is bigger than B", "B is bigger than A"),
        ("仓库向门店发货", "门店向仓库发货"),
        ("Use bar charts for sales and line charts for costs", "Use line charts for sales and bar charts for costs"),
    ],
)
def test_who_does_what_to_whom_is_no_repetition_the_other_way_round(one: str, other: str) -> None:
    assert compare(one, other).kind == compare(other, one).kind == "conflict"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A栋的电梯坏了", "B栋的电梯坏了"),
        ("Ticket A-17 is open", "Ticket A-18 is open"),
        ("Invoice 2025-044 is paid", "Invoice 2025-045 is paid"),
    ],
)
def test_things_with_marks_of_their_own_are_told_apart(one: str, other: str) -> None:
    assert compare(one, other).kind == compare(other, one).kind == "different"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Tomas is the manager of Ingrid.", "Ingrid is the manager of Tomas."),
        ("Meridian was acquired by Lumen in 2019.", "Meridian acquired Lumen in 2019."),
        ("Data is written first; only afterwards is it validated.", "First validate the data, then write it."),
        ("For a pull request a reviewer is optional.", "Every pull request needs a reviewer."),
        ("Invoices are archived and checked.", "Invoices are archived and sent."),
        ("李静是王涛的上级。", "王涛是李静的上级。"),
        ("客单价是订单数与销售额之比。", "客单价是销售额与订单数之比。"),
        ("总部由武汉迁至长沙。", "总部从长沙搬到了武汉。"),
        ("增量备份每周日进行。", "全量备份每周日进行。"),
    ],
)
def test_who_does_it_to_whom_and_in_which_order_is_part_of_what_is_said(new: str, old: str) -> None:
    assert compare(new, old).kind in ("conflict", "different")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Lumen was acquired by Meridian in 2019.", "Meridian acquired Lumen in 2019."),
        ("Rooms cost at most 150 euros.", "Rooms must not cost more than 150 euros."),
        ("The shop closes at 6 p.m.", "The shop closes at six in the evening."),
        ("会议持续四周。", "会议持续28天。"),
    ],
)
def test_the_passive_a_denied_bound_and_a_worded_hour_are_no_change(new: str, old: str) -> None:
    assert compare(new, old).kind == "same"


@pytest.mark.parametrize(
    ("new", "old"), [("Tom prefers tea.", "Maria prefers tea."), ("李雷不吃香菜。", "韩梅不吃香菜。")]
)
def test_what_another_person_likes_is_another_record(new: str, old: str) -> None:
    assert compare(new, old).kind == "different"


@pytest.mark.parametrize("number", [0, 1])
def test_a_list_of_many_words_is_no_repetition_of_another_and_takes_no_time_to_tell(number: int) -> None:
    lists = [" ".join(f"word{row}x{column}" for column in range(400)) for row in range(2)]
    assert compare(f"Barrel 1 of a {lists[number]}", f"Barrel 2 of a {lists[1 - number]}").kind == "different"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use charts and tables", "Use tables and charts"),
        ("周五把报告发给安娜和张伟", "周五把报告发给张伟和安娜"),
    ],
)
def test_an_order_that_says_nothing_makes_no_difference(one: str, other: str) -> None:
    assert compare(one, other).kind == compare(other, one).kind == "same"
