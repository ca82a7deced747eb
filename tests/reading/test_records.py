"""Records of machine data: their identity, their fields, and where these stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.reading import read_records


@pytest.mark.parametrize(
    ("text", "identity", "fields"),
    [
        ('{"id": 7, "stock": 3}', "", {"id": "7", "stock": "3"}),
        ('{"a": {"b": {"c": true}}}', "", {"a.b.c": "true"}),
        ('{"items": [{"name": "x", "qty": 1}, {"name": "y", "qty": 1}]}', "items/name=y", {"name": "y", "qty": "1"}),
        ('[{"kind": "a", "sku": "s1"}, {"kind": "b", "sku": "s2"}]', "sku=s2", {"kind": "b", "sku": "s2"}),
        ('[{"user": "u", "n": 1}, {"user": "u", "n": 2}]', "n=2", {"user": "u", "n": "2"}),
        ('[{"v": 1}, {"v": 1}]', "#1", {"v": "1"}),
        ("{'a': None, 'b': [1, 2]}", "", {"a": "None", "b.0": "1", "b.1": "2"}),
        ('{"id": 1, "v": 2}\n{"id": 2, "v": 3}', "id=2", {"id": "2", "v": "3"}),
        ("| name | qty |\n|---|---|\n| screw | 3 |\n| nail | 4 |", "name=nail", {"name": "nail", "qty": "4"}),
        ("名称\t数量\n螺丝\t3\n钉子\t4", "名称=钉子", {"名称": "钉子", "数量": "4"}),
        ("Status: ok\nStock: 3\nShelf: A4", "", {"Status": "ok", "Stock": "3", "Shelf": "A4"}),
        ("1023.0", "", {"": "1023.0"}),
    ],
)
def test_a_record_is_found_by_its_identity(text: str, identity: str, fields: dict[str, str]) -> None:
    record = read_records(text)[identity]
    assert record.fields == fields
    for name, (start, end) in record.spans.items():
        assert text[start:end].strip(" \"'") == fields[name]


def test_prose_has_no_records() -> None:
    assert read_records("The Harlow Dam is 80 metres high. It was built in 1905.") == {}


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert all(record.identity == identity for identity, record in read_records(text).items())
