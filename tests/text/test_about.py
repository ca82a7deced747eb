"""What a text is about, in English and Chinese."""

import pytest

from amb_values import about


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Maha Sona or Maha Sohona (Sinhala: x) is a demon.", ["Maha Sona", "Maha Sohona"]),
        (
            "Christopher Edward Nolan (born 30 July 1970) is a director.",
            ["Christopher Edward Nolan", "Christopher Nolan"],
        ),
        ('Nicholas Lofton "Nick" Hexum (born 1970) is a singer.', ["Nick Hexum"]),
        ('"How to Eat" is a 1998 book.', ["How to Eat"]),
        ("We Move is the third studio album by him.", ["We Move"]),
        ("Our supplier Northvolt filed for bankruptcy.", ["Northvolt"]),
        ("3M Company, based in Minnesota, makes notes.", ["3M Company"]),
    ],
)
def test_the_subject_of_the_first_sentence_is_found_with_its_aliases(text: str, names: list[str]) -> None:
    found = {name.removeprefix("The ") for name in about(text)}
    assert found >= set(names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("《战国无双3》（）是由光荣开发的作品。", ["战国无双3"]),
        ("莱昂德罗·内托（Leandro Netto，），巴西足球运动员。", ["莱昂德罗·内托", "Leandro Netto"]),
        ("在抽象代数中，同构（）指的是一个映射。", ["同构"]),
        ("五羊新城，又称五羊邨、五羊新村，是一个街区。", ["五羊新城", "五羊邨"]),
        ("大莱龙铁路位于山东省北部。", ["大莱龙铁路"]),
        ("宁德时代周二表示，将投资18亿欧元。", ["宁德时代"]),
        ("磷酸铁锂电池的循环寿命通常超过3000次。", ["磷酸铁锂电池"]),
        ("中国长江电力股份有限公司，简称长江电力，成立于2002年。", ["中国长江电力", "长江电力"]),
        ("艾蒂安·保罗·马利·拉莫特（），是神父。", ["艾蒂安·拉莫特"]),
    ],
)
def test_the_subject_of_a_chinese_text_is_found_with_its_aliases(text: str, names: list[str]) -> None:
    assert set(about(text)) >= set(names)
