"""Values: equal ones share a key, different ones never do, and look-alikes are told apart."""

import pytest

from amb_values import value_signature, values


def _keys(text: str) -> set[tuple[str, str]]:
    return {(value.kind, value.key) for value in values(text)}


@pytest.mark.parametrize(
    "same",
    [
        "3,000|3000|3 thousand|three thousand|三千|3千",
        "5%|5 percent|five per cent|百分之五",
        "May 3, 2021|2021-05-03|3 May 2021|3rd of May, 2021|2021年5月3日|二〇二一年五月三日|2021/5/3",
        "1.5 million|1,500,000|150万|一百五十万",
        "3.5 MW|3.50 MW|3.5 megawatts",
        "$5 billion|5 billion dollars|50亿美元|US$5bn",
        "twenty-one|21|二十一",
        "third|3rd|第三|第3",
        "one third|1/3|三分之一",
        "May 2021|2021年5月|二〇二一年五月",
        "in 1999|1999年|一九九九年",
        "10 km|10 kilometers|10公里|十公里",
        "20 °C|20 degrees Celsius|20摄氏度|20℃",
        "3:30 pm|15:30|下午3点30分|下午三点半",
        "two hundred and five thousand|205,000|20.5万|二十万五千",
        "two and a half years|2.5 years",
        "-5 °C|零下5℃",
        "Monday|星期一|周一",
        "3 hours|三小时|3小时|three hours",
        "100 m2|100 square metres|100平方米",
        "一亿三千万|130,000,000|1.3亿",
        "1920年|民国九年",
    ],
)
def test_one_value_has_one_key_however_it_is_written(same: str) -> None:
    first, *others = (_keys(text) for text in same.split("|"))
    assert first
    assert all(other == first for other in others)


@pytest.mark.parametrize(
    "different",
    [
        "3.5 MW|3.5 GW",
        "3.5 MW|3.5 mW",
        "5 kg|5 lb",
        "5元|5美元",
        "in May 2021|in June 2021",
        "2021年5月3日|2021年5月4日",
        "10%|10 percentage points",
        "It is safe.|It is not safe.",
        "这是安全的。|这不是安全的。",
        "He met Anna.|He met Maria.",
        "on Monday|on Tuesday",
        "at 3 pm|at 3 am",
        "first|second",
        "两个|三个",
        "5 years|5 months",
        "the 1980s|the 1990s",
        "version 3.11.2|version 3.11.3",
        "3.5公里|3.5米",
    ],
)
def test_different_values_give_different_signatures(different: str) -> None:
    first, second = different.split("|")
    assert value_signature(first) != value_signature(second)


@pytest.mark.parametrize(
    "text",
    [
        "It is not.|It isn't.|He never came.|no longer|without help|failed to start|don’t|He cannot swim.",
        "他没有去|从未发生|不是|未完成|无法使用|并非如此|毫无用处",
    ],
)
def test_negations_are_seen(text: str) -> None:
    assert all(("negation", "not") in _keys(phrase) for phrase in text.split("|"))


@pytest.mark.parametrize(
    "text",
    [
        "not only safe|No. 5 is alive|No doubt|notable|a knot|nothing but trouble",
        "不仅便宜|不断发展|非常好|无论如何|未来|不得不去|是否|南非|无锡|没收",
    ],
)
def test_words_that_only_look_negative_are_no_negations(text: str) -> None:
    assert not any(("negation", "not") in _keys(phrase) for phrase in text.split("|"))


def test_names_are_values_but_units_and_months_are_not() -> None:
    names = {key for kind, key in _keys("The 3.5 MW turbine in Texas opened in May 2021.") if kind == "name"}
    assert names == {"texas"}
