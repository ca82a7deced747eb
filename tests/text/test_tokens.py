"""Token estimates: never fewer than there are, few more, never zero for a text, and prefixes that keep a budget."""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from amb_bench.common_tokens import packed

from amb_core.text import clip_tokens, estimate_lines, estimate_tokens
from amb_core.text.tokens import unpacked_pieces

# Counted with the o200k vocabulary.
COUNTED = [
    ("The quick brown fox jumps over the lazy dog. It was a bright cold day in April.", 19),
    ("今天天气很好，我们一起去公园散步，然后在湖边喝茶聊天。", 20),
    ("def add(first: int, second: int) -> int:\n    return first + second\n", 18),
    ('{"name": "battery", "cycles": 3000, "chemistry": "LFP", "safe": true}', 24),
]


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_the_estimate_is_a_little_above_the_counted_tokens(text: str, tokens: int) -> None:
    assert tokens <= estimate_tokens(text) <= 1.3 * tokens


SENTENCES = {
    "am": "የመጋዘኑ ጠባቂ በየምሽቱ የሳጥኖቹን ብዛት ይጽፋል።",
    "ar": "يكتب أمين المخزن عدد الصناديق كل مساء ويغلق الباب قبل الغروب.",
    "bn": "ভান্ডারী প্রতি সন্ধ্যায় বাক্সের সংখ্যা লেখেন এবং দরজা বন্ধ করেন।",
    "cs": "Skladník každý večer zapisuje počet beden a před setměním zamyká dveře.",
    "de": "Der Lagerverwalter schreibt jeden Abend die Zahl der Kisten auf und schließt die Tür.",
    "el": "Ο αποθηκάριος γράφει κάθε βράδυ πόσα κιβώτια έμειναν και κλειδώνει την πόρτα.",
    "es": "El encargado anota cada tarde cuántas cajas quedan y cierra la puerta antes del anochecer.",
    "fi": "Varastonhoitaja kirjaa joka ilta laatikoiden määrän ja lukitsee oven ennen auringonlaskua.",
    "fr": "Le magasinier note chaque soir le nombre de caisses et ferme la porte avant la nuit.",
    "he": "המחסנאי רושם את מספר הארגזים בכל ערב ונועל את הדלת לפני השקיעה.",
    "hi": "भंडारी हर शाम पेटियों की गिनती लिखता है और सूरज ढलने से पहले दरवाज़ा बंद करता है।",
    "hu": "A raktáros minden este felírja a ládák számát, és napnyugta előtt bezárja az ajtót.",
    "ja": "倉庫番は毎晩、箱の数を書き留め、日が沈む前に扉に鍵をかける。",
    "ka": "მეკუჭნავე ყოველ საღამოს წერს ყუთების რაოდენობას და კეტავს კარს.",
    "ko": "창고지기는 매일 저녁 상자의 수를 적고 해가 지기 전에 문을 잠근다.",
    "pl": "Magazynier co wieczór zapisuje liczbę skrzyń i zamyka drzwi przed zachodem słońca.",
    "ru": "Кладовщик каждый вечер записывает число ящиков и запирает дверь до заката.",
    "ta": "கிடங்கு காவலர் ஒவ்வொரு மாலையும் பெட்டிகளின் எண்ணிக்கையை எழுதுகிறார்.",
    "th": "คนดูแลคลังจดจำนวนลังทุกเย็นและปิดประตูก่อนพระอาทิตย์ตก",
    "tr": "Depo görevlisi her akşam sandık sayısını yazar ve gün batmadan kapıyı kilitler.",
    "vi": "Người thủ kho ghi số thùng mỗi tối và khóa cửa trước khi mặt trời lặn.",
    "zh": "仓库管理员每天傍晚记下箱子的数量，并在日落前锁上门。",
    "zh-TW": "倉庫管理員每天傍晚記下箱子的數量，並在日落前鎖上門。",
}
ROOT = Path(__file__).resolve().parents[2]


def test_packed_tokens_come_back() -> None:
    tokens = [
        "a",
        " a",
        "A",
        "Ab",
        " AB",
        "iPhone",
        " iPhone",
        "->",
        " ->",
        "\n\n",
        " ",
        "  ",
        "don't",
        "Don't",
        "ß",
        "ﬁ",
        "的",
    ]
    assert unpacked_pieces(*packed(tokens)) == frozenset(tokens)


@pytest.mark.parametrize("language", SENTENCES)
def test_no_language_has_more_tokens_than_its_estimate(language: str, exact: Callable[[str], int]) -> None:
    text = "\n".join([SENTENCES[language]] * 12)
    assert exact(text) <= estimate_tokens(text) <= 1.8 * exact(text)


def _records() -> list[dict[str, object]]:
    draw = random.Random(5)
    return [
        {
            "id": draw.randrange(10**9),
            "order": f"#W{draw.randrange(10**7)}",
            "when": f"2026-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}T{draw.randrange(24):02}:10:07Z",
            "amount": round(draw.random() * 9_999, 2),
            "paid": draw.random() < 0.5,
            "hash": f"{draw.getrandbits(128):032x}",
            "tags": draw.sample(["late", "gift", "vip", "new_customer"], 2),
        }
        for _ in range(60)
    ]


def _listing() -> str:
    draw = random.Random(6)
    row = "-rw-r--r--  1 root     staff    {:>9} Mar {:>2}  0{}:{} part{:04}.so.{}"
    return "\n".join(row.format(draw.randrange(10**6), n % 28 + 1, n % 9, n % 50 + 10, n, n % 7) for n in range(150))


REAL_TEXTS: dict[str, Callable[[], str]] = {
    "JSON": lambda: json.dumps(_records()),
    "indented JSON": lambda: json.dumps(_records(), indent=2),
    "JSON within JSON": lambda: json.dumps(json.dumps(_records())),
    "CSV": lambda: "\n".join(",".join(map(str, record.values())) for record in _records()),
    "a listing": _listing,
    "code": lambda: (ROOT / "amb_core" / "bank.py").read_text("utf-8"),
    "configuration": lambda: (ROOT / "pyproject.toml").read_text("utf-8"),
    "English": lambda: (ROOT / "docs" / "security.md").read_text("utf-8"),
    "Chinese": lambda: (ROOT / "docs" / "zh" / "security.md").read_text("utf-8"),
}


@pytest.mark.parametrize("kind", REAL_TEXTS)
def test_no_text_has_more_tokens_than_its_estimate_or_much_fewer(kind: str, exact: Callable[[str], int]) -> None:
    text = REAL_TEXTS[kind]()
    assert exact(text) <= estimate_tokens(text) <= 1.15 * exact(text)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("text", ["xY", "!@#$", "一丁", "\ud800", " \t", "ab-"])
def test_a_hostile_text_of_twice_the_length_takes_about_twice_as_long(text: str) -> None:
    estimate_tokens("warm")

    def seconds(times: int) -> float:
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            estimate_tokens(text * times)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(20_000) <= 8 * max(seconds(5_000), 0.002)


@pytest.mark.parametrize("text", [" ", "\n", "\0", "\ud800", "a", "。", "\u202e", "😀"])
def test_any_character_costs_at_least_one_token(text: str) -> None:
    assert estimate_tokens(text) >= 1


def test_the_parts_cost_about_as_much_as_the_whole() -> None:
    paragraphs = [
        "Lithium cells age with every cycle.",
        "电池每次循环都会老化。",
        "See section 3.2 for the measurements.",
    ]
    whole = estimate_tokens("\n\n".join(paragraphs))
    assert abs(sum(map(estimate_tokens, paragraphs)) - whole) <= 3


@pytest.mark.parametrize("budget", [0, 1, 2, 5, 9, 40, 1_000])
@pytest.mark.parametrize("text", [COUNTED[0][0], COUNTED[1][0], "x" * 500, "a b " * 200])
def test_a_clipped_text_is_a_prefix_within_the_budget(text: str, budget: int) -> None:
    clipped = clip_tokens(text, budget)
    assert text.startswith(clipped)
    assert estimate_tokens(clipped) <= budget


@pytest.mark.parametrize(
    "first", ["<memory>", "[n3] A title · source: a.org", "电池每次循环都会老化。", "ends in é", "x  "]
)
@pytest.mark.parametrize("second", ["   indented", " one space", "(a mark)", "  ", "12,400 ducks", "老化", "Zürich"])
def test_lines_priced_one_by_one_cost_what_they_cost_together(first: str, second: str) -> None:
    lines = [first, second, first, second]
    assert estimate_lines(lines) == estimate_tokens("\n".join(lines))
