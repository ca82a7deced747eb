"""Passages: whole records, lines and sentences of any text, in order, with where they stand."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.reading.layout_passages import PassageSpan, excerpt_around, read_passages, shown_text
from amb_core.reading.record_places import find_record

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=40)
    | st.sampled_from(["水泵 P-7", "第一行\n第二行", "it's"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=40,
)
LINES = st.lists(
    st.sampled_from(
        [
            *(
                "",
                "def load(path):",
                "    return 1",
                "@cached",
                "# Heading",
                "The cell lasts 6,000 cycles. It was tested.",
                "| a | b |",
            ),
            *(
                "2024-05-01 10:00:01 ERROR no such file",
                "  at a.b.C(C.java:3)",
                "src/a.py:12: x = 1",
                "- item",
                "@@ -1,2 +3,4 @@",
            ),
            *(
                "[12] link 'Home'",
                "\t[13] button 'Go'",
                "小王：你好。会议几点开始？",
                "电池的循环寿命为6000次。",
                "From: Ann",
                "Subject: x",
                "a,b,c",
            ),
            *(
                '{"id": 7, "name": "水泵"}',
                "<p>text</p>",
                "```py",
                "```",
                "x" * 300,
                "词" * 200,
                "   12\tint x = 1;",
                "diff --git a/x.py b/x.py",
            ),
        ]
    ),
    max_size=40,
).map("\n".join)
ANY = (
    st.text(max_size=300)
    | st.text(alphabet="[]{}()\"'\\:,<>/a1 \n汉。", max_size=400)
    | LINES
    | VALUES.map(json.dumps)
    | VALUES.map(repr)
)


def _is_in_order(text: str, passages: tuple[PassageSpan, ...]) -> bool:
    places = [0, *(place for one in passages for place in (one.start, one.end)), len(text)]
    return places == sorted(places) and all(one.start < one.end for one in passages)


@pytest.mark.slow
@given(text=ANY, tokens=st.integers(8, 100))
def test_passages_stand_in_order_in_the_text_and_do_not_overlap(text: str, tokens: int) -> None:
    assert _is_in_order(text, read_passages(text, tokens=tokens))


@pytest.mark.slow
@given(text=LINES | VALUES.map(lambda value: json.dumps(value, ensure_ascii=False)) | VALUES.map(json.dumps))
def test_no_letter_or_digit_is_left_out_but_tags_and_fences(text: str) -> None:
    end, gaps = 0, []
    for one in read_passages(text):
        gaps.append(text[end : one.start])
        end = one.end
    left_out = "".join([*gaps, text[end:]])
    for mark in ("\\n", "```py", "<p>", "</p>"):
        left_out = left_out.replace(mark, "")
    assert not any(map(str.isalnum, left_out))


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        *(
            "[" * 100_000,
            '{"a":' * 20_000,
            '{"' + '\\"' * 50_000,
            "'" * 100_000,
            "“‘\"'`" * 20_000,
            "\n" * 50_000 + "x",
        ),
        *(
            "<" * 100_000,
            "<p></p><b></b>" + "<script>" * 10_000,
            '<p><a href="' * 8_000,
            "x" * 100_000,
            "汉字。" * 30_000,
        ),
        *(
            "> " * 50_000,
            "From: a\nTo: b\n" * 5_000,
            "# a\n" * 20_000,
            "/* " * 30_000,
            "\ud83d" * 10_000,
            "```a\n" * 10_000,
        ),
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_hostile_texts_are_read_like_any_other(text: str) -> None:
    assert _is_in_order(text, read_passages(text))


@pytest.mark.slow
@given(
    text=LINES.filter(str.strip), tokens=st.integers(8, 60), terms=st.lists(st.sampled_from(["load", "cycles", "水泵"]))
)
def test_an_excerpt_lies_within_its_passage_and_is_never_empty(text: str, tokens: int, terms: list[str]) -> None:
    for one in read_passages(text):
        stretches = excerpt_around(text, one, terms=terms, tokens=tokens)
        assert stretches
        assert all(one.start <= start < end <= one.end for start, end in stretches)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(stretches))


def _shown(text: str, *, tokens: int = 48) -> list[tuple[str, str]]:
    return [(one.path, text[one.start : one.end]) for one in read_passages(text, tokens=tokens)]


FLIGHTS = json.dumps(
    {
        "flights": [
            {"number": f"HAT{i:03}", "from": "MIA", "to": "LAX", "fares": {"economy": 100 + i}} for i in range(20)
        ]
    }
)


def test_records_of_json_stay_whole_and_carry_their_path() -> None:
    shown = dict(_shown(FLIGHTS))
    assert any('"HAT003"' in text and '"economy": 103' in text for text in shown.values())
    assert all(path.startswith("flights[") for path in shown)


def test_a_record_that_is_parted_says_whose_part_each_piece_is() -> None:
    record = {"id": "R-7", **{f"field_{i}": f"some longer value {i}" for i in range(12)}}
    paths = [path for path, _ in _shown(json.dumps([record, {**record, "id": "R-8"}]))]
    assert "[0 id=R-7]" in paths
    assert "[1 id=R-8]" in paths


def test_code_is_parted_at_its_definitions_with_file_and_line() -> None:
    lines = [
        "class Store:",
        *(f"    def get_{i}(self, key):\n        value = self.rows[key]\n        return value + {i}" for i in range(6)),
    ]
    numbered = "\n".join(f"{at:6}\t{line}" for at, line in enumerate("\n".join(lines).split("\n"), 1))
    shown = _shown(f"Here's the result of running `cat -n` on src/store.py:\n{numbered}")
    assert ("src/store.py:5 class Store > def get_1") in [path for path, _ in shown]


def test_hunks_of_a_diff_carry_the_line_of_the_new_side() -> None:
    hunk = "@@ -{0},3 +{0},4 @@ def load(path):\n     with open(path) as file:\n-        return json.load(file)\n"
    hunk += "+        data = json.load(file)\n+    return data | DEFAULTS\n"
    text = "diff --git a/conf.py b/conf.py\n--- a/conf.py\n+++ b/conf.py\n" + hunk.format(10) + hunk.format(90)
    assert "conf.py:90 def load(path):" in [path for path, _ in _shown(text)]


@pytest.mark.parametrize("mark", [",", " | ", "\t"])
def test_rows_of_a_table_carry_the_header_in_their_path(mark: str) -> None:
    rows = [mark.join(("id", "name", "price")), *(mark.join((f"{i}", f"Pump {i}", f"{i}0.50")) for i in range(30))]
    text = "\n".join(f"| {row} |" if "|" in mark else row for row in rows)
    assert all(path == "id | name | price" for path, _ in _shown(text)[1:])


PAGE = (
    "<!DOCTYPE html><html><head><title>Cells</title><script>var a = '<p>no</p>';</script></head><body><h2>电池</h2>"
    '<p>The <b>N-280</b> lasts 6,000 cycles, says the <a href="/lab?id=3">lab</a>.</p><table><tr><th>Model</th>'
    "<th>Price</th></tr><tr><td>N-280</td><td>120</td></tr></table></body></html>"
)


def test_a_page_is_shown_without_its_markup_and_its_spans_are_of_the_raw_page() -> None:
    shown = [shown_text(PAGE, one) for one in read_passages(PAGE, tokens=24)]
    assert "The N-280 lasts 6,000 cycles, says the </lab?id=3> lab." in shown
    assert not any("var a" in text or "<b>" in text for text in shown)
    assert any("电池" in PAGE[one.start : one.end] for one in read_passages(PAGE, tokens=24))


def test_an_excerpt_holds_the_words_that_were_asked_for() -> None:
    text = "word " * 400 + "the tracking number is 00340434 " + "word " * 400
    stretches = excerpt_around(text, PassageSpan(0, len(text)), terms=["tracking"], tokens=30)
    assert "tracking number" in " ".join(text[start:end] for start, end in stretches)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        *(
            ("flights[2]", '"HAT002"'),
            ("flights[number=HAT007].fares", '"economy": 107'),
            ("flights[3..4]", '"HAT004"'),
        ),
        *(("flights[5 number=HAT005].fares.economy", "105"), ("FLIGHTS[0]", '"HAT000"')),
    ],
)
def test_a_record_is_found_by_its_path(path: str, said: str) -> None:
    found = find_record(FLIGHTS, path)
    assert found is not None
    assert said in FLIGHTS[slice(*found)]
