"""The records of one namespace: what is found, in which order, and how alike it is said to be."""

from __future__ import annotations

from amb_core.longterm.record_index import Found, RecordIndex

RECORDS = {
    "r1": "Reports always in EUR, two decimals",
    "r2": "Never deploy on Fridays",
    "r3": "报表一律用欧元，保留两位小数",
}


def filled() -> RecordIndex:
    index = RecordIndex()
    for name, text in RECORDS.items():
        index.put(name, text=text)
    return index


def found(query: str, *, k: int = 5) -> dict[str, Found]:
    return {each.id: each for each in filled().find(query, k=k)}


def test_a_record_is_found_by_related_words_where_it_shares_none_with_the_query() -> None:
    hits = found("how should amounts look?")
    assert hits["r1"].similarity >= 0.3
    assert "r2" not in hits
