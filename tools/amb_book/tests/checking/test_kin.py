"""How people stand to each other, said of the wrong one, is reported; said rightly, denied or in play it is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from amb_book.checking import ConsistencyChecker
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph

from amb_core.stores import InMemoryStore

_EN = """
Ada Bryce MARRIED_TO Tom Bryce|Ada Bryce PARENT_OF Lena Bryce|Otto Hale SIBLING_OF Ada Bryce
Lena Bryce STUDENT_OF Sefa Moor
Otto Hale LEADS Harbour Watch|Sefa Moor LEADS Lantern Guild|Ned Crow MEMBER_OF Lantern Guild|Ada Bryce ENEMY_OF Ned Crow
Sefa Moor ALLY_OF Tom Bryce
"""
_ZH = """
苏晴 MARRIED_TO 程远山|苏晴 PARENT_OF 程小雨|秦牧 SIBLING_OF 苏晴|程小雨 STUDENT_OF 白鹤年
秦牧 LEADS 青锋营|白鹤年 LEADS 落霞谷|魏七 MEMBER_OF 落霞谷|苏晴 ENEMY_OF 魏七|白鹤年 ALLY_OF 程远山
"""
_KINDS = {"Harbour Watch", "Lantern Guild", "青锋营", "落霞谷"}


def _book(told: str) -> FactGraph:
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    triples = [tuple(part.strip() for part in _split(each)) for each in told.strip().replace("\n", "|").split("|")]
    names = dict.fromkeys(name for one, _, other in triples for name in (one, other))
    statements = [{"entity": name, "kind": "faction" if name in _KINDS else "character"} for name in names]
    statements += [{"subject": one, "relation": relation, "object": other} for one, relation, other in triples]
    facts.settle(chapter=1, statements=statements)
    return facts


def _split(line: str) -> tuple[str, str, str]:
    words = line.split()
    place = next(number for number, word in enumerate(words) if word.isascii() and word.isupper() and len(word) > 3)
    return " ".join(words[:place]), words[place], " ".join(words[place + 1 :])


@pytest.fixture(scope="module")
def kinds() -> Callable[[str, str], set[str]]:
    books = {"en": _book(_EN), "zh": _book(_ZH)}
    return lambda language, draft: {each.kind for each in ConsistencyChecker().check(draft, facts=books[language])}


@pytest.mark.parametrize(
    "draft",
    [
        "Ada's husband, Otto Hale, came in with the coal.",
        "Ada Bryce sighed; she had one daughter, Otto Hale, and no sons.",
        "Ada Bryce had not wept since they lost Tom Bryce, her brother, at sea.",
        "The Harbour Watch's captain is Ned Crow.",
        "Otto Hale had married Ada Bryce in the spring of the flood.",
        "Lena Bryce, Otto's only daughter, set the table.",
        "Sefa Moor was the mother of Lena Bryce, and proud of it.",
        "Ada Bryce and Otto Hale were husband and wife.",
        "Otto Hale looked up. His wife Ada was at the gate.",
        '"Tom Bryce is my brother," said Otto Hale.',
        '"I am Ada Bryce\'s cousin," said Otto Hale.',
        '"My teacher, Otto Hale, never sleeps," said Lena Bryce.',
        "Otto Hale, Lena's teacher, tapped the slate.",
        "Ned Crow, captain of the Harbour Watch, folded the map.",
        "Ned Crow commanded the Harbour Watch, and the men knew it.",
        "Ned Crow was one of the men of the Harbour Watch.",
        "Ned Crow, Ada's oldest friend, poured the tea.",
        "Tom Bryce, an old enemy of Sefa Moor, turned his back.",
        "Otto Hale was Lena's grandfather.",
        '"You are my sister," said Tom Bryce to Ada Bryce.',
        "Tom Bryce ate. Ada Bryce, being his aunt, took the crust.",
        '"Mum," said Ada Bryce to Lena, "pass the salt."',
        "The brothers Otto Hale and Tom Bryce sat down.",
        "Sefa Moor had borne Lena Bryce in a hard winter.",
        '"You have my brother\'s chin," Ada Bryce told Lena, "and that is as much as an aunt can hope for."',
    ],
)
def test_a_wrong_relation_is_found_in_english(draft: str, kinds: Callable[[str, str], set[str]]) -> None:
    assert kinds("en", draft) == {"relation"}


@pytest.mark.parametrize(
    "draft",
    [
        "苏晴的丈夫秦牧提着灯走进来。",
        "青锋营的统领是落霞谷的魏七，大家都听他的。",
        "苏晴没有回头，程远山的弟弟秦牧跟在后面。",
        "苏晴嫁给了秦牧，生下程小雨。",
        "程小雨是秦牧的独女，从小没有人敢惹。",
        "白鹤年是程小雨的父亲，这一点谁都知道。",
        "苏晴和秦牧做了十年夫妻。",
        "秦牧抬起头，他的妻子苏晴正站在门口。",
        "“程远山是我亲哥哥。”秦牧说。",
        "秦牧说：“我是苏晴的表哥。”",
        "程小雨说：“我师父秦牧从不睡觉。”",
        "程小雨拜了秦牧为师。",
        "魏七是青锋营的统领，说话算数。",
        "魏七执掌青锋营，已有三年。",
        "魏七是青锋营的人。",
        "魏七是苏晴的知己，无话不谈。",
        "程远山和白鹤年是死敌。",
        "秦牧是程小雨的祖父。",
        "程小雨说，这是秦牧，我亲爹。",
        "“程小雨，”他念道，“家庭成员：父亲秦牧，军官。”",
        "秦牧对苏晴说：“你是我女儿，我不管谁管。”",
        "苏晴对秦牧喊道：“爹，快走！”",
        "秦牧对苏晴说：“当爹的替女儿办事，应该的。”",
    ],
)
def test_a_wrong_relation_is_found_in_chinese(draft: str, kinds: Callable[[str, str], set[str]]) -> None:
    assert kinds("zh", draft) == {"relation"}


@pytest.mark.parametrize(
    "draft",
    [
        "Ada Bryce had one brother, Otto Hale, and one daughter, Lena.",
        "Ned Crow had a sister, Ada Bryce had a brother, and Tom Bryce had nobody.",
        "Ada's husband, Tom Bryce, came in with the coal.",
        "Otto Hale, Lena's uncle, set the table.",
        "Tom Bryce was Lena's father, whatever they said.",
        "Otto Hale and Tom Bryce were brothers-in-law.",
        '"My sister, Ada Bryce, never sleeps," said Otto Hale.',
        "For a moment Sefa Moor was Lena's mother, and wiped her face.",
        "Otto Hale was not Ada's husband.",
        '"Is Otto Hale your husband?" the nurse asked Ada Bryce. "He\'s my brother," said Ada Bryce, and laughed.',
        '"So you are Otto Hale\'s daughter," said the porter. Lena Bryce laughed. "You are mistaken."',
        "Otto Hale, captain of the Harbour Watch, folded the map.",
        "They said that Ada Bryce had once been betrothed to Otto Hale.",
        "Sefa Moor treated Lena Bryce like a daughter.",
        "Tom Bryce and his wife, Otto Hale and Sefa Moor sat down.",
    ],
)
def test_a_right_or_denied_relation_is_not_reported_in_english(
    draft: str, kinds: Callable[[str, str], set[str]]
) -> None:
    assert kinds("en", draft) == set()


@pytest.mark.parametrize(
    "draft",
    [
        "苏晴的丈夫程远山提着灯走进来。",
        "青锋营的统领是魏七的朋友。",
        "秦牧是程小雨的舅舅，最疼她。",
        "程远山是程小雨的父亲。",
        "“苏晴是我妹妹。”秦牧说。",
        "白鹤年待程小雨像亲生女儿一样。",
        "秦牧不是苏晴的丈夫。",
        "“你是秦牧的女儿吧？”门房问。程小雨笑了：“您认错人了。”",
        "秦牧是青锋营的统领。",
        "听说苏晴当年差点嫁给秦牧。",
        "程小雨的师父白鹤年在山门前等她。",
        "苏晴和弟弟秦牧、师父白鹤年一起坐下。",
        "苏晴看见丈夫程远山从田埂上走来。",
        "苏晴对程小雨说：“当娘的哪有不疼女儿的。”",
    ],
)
def test_a_right_or_denied_relation_is_not_reported_in_chinese(
    draft: str, kinds: Callable[[str, str], set[str]]
) -> None:
    assert kinds("zh", draft) == set()
