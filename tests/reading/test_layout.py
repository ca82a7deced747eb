"""The layout of texts as tools print them, in English and Chinese, and that prose stays prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.reading import Layout, detect_layout, prose_spans, read_records, read_regions
from amb_core.reading.layout_passages import read_passages

LONG = "The Harlow Dam holds 3,000 tonnes of water and was built by Ada Orr. "
CASES = [
    ("json", '{"id": 7, "stock": 3}'),
    ("json", '[{"id": 1, "name": "screw"}, {"id": 2, "name": "nail"}]'),
    ("json", "1023.0"),
    ("json", "null"),
    ("json", '{"水厂": "青屿", "产量": "8万吨"}'),
    ("json", "{'board': [[2, 4], [0, 8]], 'highest_tile': 8}"),
    ("json", "{'query': 'Harlow', 'results': [{'url': 'https://a.example', 'content': 'It is 3 m high.'}]}"),
    ("json", 'EXECUTION RESULT of [bash]:\n{"table": "T1", "rows": [1, 2, 3], "columns": ["a", "b"]}'),
    ("json", 'Observation: {"temperature": 21, "room": "hall", "light": "on"}'),
    ("json", "[[0, 8, 32, 4], [0, 2, 4, 32]]"),
    ("json_lines", '{"id": 1, "v": 2}\n{"id": 2, "v": 3}'),
    ("json_lines", '{"名称": "甲", "值": 2}\n\n{"名称": "乙", "值": 3}\n'),
    ("table", "| name | qty |\n|---|---|\n| screw | 3 |\n| nail | 4 |"),
    ("table", "| 名称 | 数量 |\n|---|---|\n| 螺丝 | 3 |"),
    ("table", "name,qty,shelf\nscrew,3,A4\nnail,4,A5\nbolt,5,A6"),
    ("table", "名称\t数量\n螺丝\t3\n钉子\t4"),
    ("table", "PID   USER     TIME\n1     root     0:01\n204   amb      0:07"),
    ("table", "+----+-----+\n| id | qty |\n+----+-----+\n| 1  | 3   |\n+----+-----+"),
    ("table", "Board:\n0| C G P P C R R C\n1| P R G G R R P G\n2| R R G R G C P P"),
    ("table", "2 4 8 16\n0 2 4 8\n0 0 2 4\n0 0 0 2"),
    ("table", "Status: ok\nStock: 3\nShelf: A4"),
    ("table", "状态： 正常\n库存： 3\n货架： A4"),
    ("log", "2024-05-01 10:00:01 INFO started\n2024-05-01 10:00:02 INFO ready"),
    ("log", "2024-05-01T10:00:01Z worker-3 exited\n2024-05-01T10:00:02Z worker-4 exited"),
    ("log", "[INFO] Building jar\n[ERROR] Failed to execute goal"),
    ("log", "INFO: The server listens at the port 8080 and takes in what the workers bring it."),
    ("log", "May  1 10:00:01 host sshd[12]: session opened\nMay  1 10:00:02 host sshd[12]: closed"),
    ("log", "10:00:01 [main] started\n10:00:02 [main] ready"),
    ("log", "2024-05-01 10:00:01 警告 库存不足\n2024-05-01 10:00:02 警告 库存不足"),
    ("log", 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: no'),
    ("log", "test_a (app.tests.A) ... ok\ntest_b (app.tests.A) ... FAIL\n"),
    ("log", "tests/a.py::test_one PASSED\ntests/a.py::test_two FAILED"),
    ("log", "Cloning test database\nCloning test database\nCloning test database\nCloning test database"),
    ("code", "def height(dam):\n    return dam.height\n\nprint(height(harlow))"),
    ("code", "public class Dam {\n    private int height = 3;\n}\n"),
    ("code", "[File: /src/Dam.java (3 lines total)]\n1:public class Dam {\n2:    int height = 3;\n3:}"),
    ("code", "     1\timport os\n     2\t\n     3\tprint(os.name)\n"),
    ("code", "import json\nfrom os import path\nvalue = json.loads(text)\n"),
    ("code", "SELECT id FROM dams WHERE height > 3;\nSELECT 1;"),
    ("code", "x = 1\ny = x + 2\nz = f(y)"),
    ("code", "# 高度\n高度 = 3\nprint(高度)\nreturn_value = f(高度)"),
    ("diff", "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-x = 3\n+x = 5\n"),
    ("diff", "--- a/高度.txt\n+++ b/高度.txt\n@@ -1 +1 @@\n-3\n+5"),
    ("listing", "src/dam.py:3: height = 3\nsrc/dam.py:9: return height"),
    ("listing", "/srv/src/dam.py\n/srv/src/orr.py\n/srv/README.md"),
    ("listing", "total 8\n-rw-r--r-- 1 root root 12 May  1 10:00 a.txt\ndrwxr-xr-x 2 root root 40 May  1 10:00 b"),
    ("listing", "a.py\nb.py\nnotes.md"),
    ("listing", "src\n├── dam.py\n└── orr.py"),
    ("listing", "1. [Harlow Dam](https://a.example/dam)\n2. [Orr](https://b.example/orr)"),
    ("listing", "./报告/水厂.md\n./报告/大坝.md"),
    ("page_tree", "[1] RootWebArea 'Shop' focused: True\n\t[12] link 'My Cart'\n\t[13] StaticText 'Total 3'"),
    ("page_tree", "[1] RootWebArea '商店'\n\t[12] link '购物车'\n\t[13] StaticText '共3件'"),
    ("page_tree", '- heading "Shop" [level=1]\n- link "Cart" [ref=e3]\n- button "Buy" [ref=e4]'),
    ("page_tree", 'uid=1_0 RootWebArea "Shop"\n  uid=1_2 link "Cart"'),
    ("html", "<!DOCTYPE html><html><body><p>The dam is 3 m high.</p></body></html>"),
    ("html", "<ul><li>螺丝</li><li>钉子</li></ul>"),
    ("html", '<div class="a"><span>3</span><br/><span>4</span></div>'),
    ("prose", LONG * 3),
    ("prose", "青屿水厂的日产水量为8万吨。工厂采用反渗透工艺，建在旧盐场旁边。"),
    ("prose", "# Harlow Dam\n\n" + LONG + "\n\n## History\n\n" + LONG),
    ("prose", "Alice: I moved to Leeds in May.\nBob: How is it?\nAlice: It rains, but I like it."),
    ("prose", "小明：我五月搬到了上海。\n小红：怎么样？\n小明：常下雨，不过我喜欢。"),
    ("prose", "You see a drawer 1, a cabinet 2, and a shelf 3."),
    ("prose", "Yes"),
    ("prose", "北京"),
    ("prose", "Harlow Dam\nThe Harlow Dam (1901–1905) is a dam; it stands on the river Orr (UK)."),
    ("prose", "In 1905, Ada Orr, Ben Lind, and Carl Moe built it.\nIn 1906, it broke.\nIn 1907, it was mended."),
    ("prose", "“It holds,” she said, “and it will hold.” Nobody answered her that evening."),
    ("prose", ""),
]


@pytest.mark.parametrize(("layout", "text"), CASES)
def test_a_text_has_the_layout_it_looks_like(layout: str, text: str) -> None:
    assert detect_layout(text) == layout


@pytest.mark.parametrize("table", ["| a | b |\n|---|---|\n| 1 | 2 |", "name,qty,row\nx,1,2\ny,3,4\nz,5,6"])
def test_prose_with_a_table_in_it_is_split_into_regions(table: str) -> None:
    text = f"{LONG}\n\n{table}\n\n{LONG}"
    assert [region.layout for region in read_regions(text)] == [Layout.PROSE, Layout.TABLE, Layout.PROSE]
    assert [text[start:end].strip() for start, end in prose_spans(text)] == [LONG.strip()] * 2


def test_a_header_line_stands_apart_from_the_listing_below_it() -> None:
    text = "Found 2 matches of the word:\nsrc/a.py:3: dam\nsrc/b.py:9: dam\nsrc/c.py:9: dam"
    assert [region.layout for region in read_regions(text)] == [Layout.PROSE, Layout.LISTING]


@given(st.text(max_size=300))
def test_regions_are_in_order_and_leave_out_nothing_but_blank_space(text: str) -> None:
    end, left = 0, ""
    for region in read_regions(text):
        assert end <= region.start < region.end
        left, end = left + text[end : region.start], region.end
    assert not (left + text[end:]).strip()


def test_rows_parted_by_semicolons_are_a_table_with_its_header() -> None:
    rows = [f"SH{90 + at};Turku;Porto;{at};in transit;2026-11-{at + 10}" for at in range(12)]
    text = "\n".join(["shipment;origin;destination;pallets;state;eta", *rows])
    assert detect_layout(text) is Layout.TABLE
    assert read_passages(text)[-1].path == "shipment | origin | destination | pallets | state | eta"
    assert read_records(text)["shipment=SH93"].fields["destination"] == "Porto"
    code = "\n".join(f"for (let i = {at}; i < n; i++) {{ x{at}(); y(); }}" for at in range(6))
    assert detect_layout(code) is Layout.CODE
