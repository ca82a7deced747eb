"""Which texts are one document, which documents one witness, and whose word each part of a result is."""

import json

import pytest

from amb_agents.sources import SourceIdentity, identify_source, read_sources

PAGE = "https://example.com/report"
ONE_SITE = [
    (PAGE, "https://example.com/other"),
    (PAGE, "https://forum.example.com/t/1"),
    (PAGE, "https://a.b.example.com:8443/x"),
    ("https://example.com/a?x=1", "https://example.com/a?x=2"),
    ("https://example.com/a?id=1", "https://example.com/a?id=2"),
    ("https://example.com/?p=12", "https://example.com/?p=13"),
    ("https://www.example.co.uk/a", "https://news.example.co.uk/b"),
    ("https://en.wikipedia.org/wiki/A", "https://zh.wikipedia.org/wiki/B"),
    ("https://ada.github.io/a", "https://bob.github.io/a"),
    ("https://新闻.例子.中国/一", "https://例子.中国/二"),
    ("http://10.0.0.7:8000/a", "http://10.0.0.7:9000/b"),
]
TWO_SITES = [
    (PAGE, "https://example.org/report"),
    (PAGE, "https://example.com.evil.net/report"),
    (PAGE, "https://evil.net/https://example.com/report"),
    (PAGE, "https://evil.net/?u=https://example.com/report"),
    ("https://example.co.uk/a", "https://other.co.uk/a"),
    ("http://10.0.0.7/a", "http://10.0.0.8/a"),
    ("notes/a.txt", "notes/b.txt"),
    ("page 1", "page 2"),
    ("datasheet", "forum"),
    ("说明书", "论坛"),
    ("C# manual", "C manual"),
]


def of(source: str) -> SourceIdentity:
    return identify_source({"kind": "read", "source": source})


@pytest.mark.parametrize(("one", "other"), ONE_SITE)
def test_two_documents_of_one_site_are_one_witness(one, other):
    assert of(one).document != of(other).document
    assert of(one).site == of(other).site


@pytest.mark.parametrize(("one", "other"), TWO_SITES)
def test_two_sites_are_two_witnesses(one, other):
    assert of(one).site != of(other).site


def call(tool, arguments, source=None):
    told = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    return {"kind": "tool", "tool": tool, "arguments": arguments, "source": source or f"{tool}({told})"}


def test_a_visit_is_the_page_it_visits_with_any_other_argument():
    seen = {identify_source(call("visit", {"url": PAGE, "goal": goal})) for goal in ("cells", "https://other.org/")}
    assert seen == {of(PAGE)}
    assert identify_source(call("visit", {"urls": [PAGE, f"{PAGE}#2"]})) == of(PAGE)
    assert identify_source(call("visit", {"url": PAGE}, source="the operator's page")) == of(PAGE)


def test_the_words_of_the_agent_are_nobodys_word():
    for kind in ("step", "verification"):
        assert identify_source({"kind": kind, "source": PAGE}).site == ""
        assert [span.identity.site for span in read_sources({"kind": kind}, f"It says 900: {PAGE}")] == [""]


def test_a_text_of_several_sites_is_nobodys_word_as_a_whole():
    assert identify_source(call("visit", {"urls": [PAGE, "https://b.org/x"]})).site == ""
    assert identify_source(call("visit", {"urls": [PAGE, "https://example.com/2"]})).site == "example.com"


HITS = {
    "numbered": "1. Battery\nhttps://a.com/x\nIt holds 18 MWh.\n2. Pier\nhttps://b.org/y\nIt holds 12 MWh.",
    "paragraphs": "Battery\nhttps://a.com/x\n\nIt holds 18 MWh.\n\nPier\nhttps://b.org/y\n\nIt holds 12 MWh.",
    "below": "Found:\n\nIt holds 18 MWh.\n\nSource: https://a.com/x\n\nIt holds 12 MWh.\n\nSource: https://b.org/y",
    "linked": "- [Battery](https://a.com/x): It holds 18 MWh.\n- [Pier](https://b.org/y): It holds 12 MWh.",
    "json": '[{"url": "https://a.com/x", "text": "It holds 18 MWh."}, {"text": "It holds 12 MWh.", "url": "https://b.org/y"}]',
    "repr": "{'found': [{'url': 'http://a.com/x', 't': '18 MWh'}, {'t': '12 MWh', 'link': '//b.org/y'}]}",
    "headings": "# https://a.com/x\nIt holds 18 MWh.\n\nMore of it.\n\n# https://b.org/y\nIt holds 12 MWh.",
    "中文": "1. 电站\n链接：https://a.com/x\n容量 18 MWh。\n2. 码头\n链接：https://b.org/y\n容量 12 MWh。",
}


@pytest.mark.parametrize("layout", HITS)
def test_a_search_hit_is_the_word_of_the_page_it_quotes(layout):
    text = HITS[layout]
    spans = read_sources(call("search", {"query": "battery"}), text)
    whose = {figure: s.identity.site for s in spans for figure in ("18", "12") if figure in text[s.start : s.end]}
    assert whose == {"18": "a.com", "12": "b.org"}
    assert "".join(text[span.start : span.end] for span in spans) == text


@pytest.mark.parametrize(
    "text",
    [
        "It holds 18 MWh, say https://a.com/x and https://b.org/y",
        "It holds 18 MWh.\n\nhttps://a.com/x\n\nIt holds 12 MWh.\n\nhttps://b.org/y\n\nThat was all.",
    ],
)
def test_a_quote_that_may_be_of_one_page_or_another_is_nobodys_word(text):
    spans = read_sources(call("search", {"query": "battery"}), text)
    assert {span.identity.site for span in spans if "18" in text[span.start : span.end]} == {""}


def test_links_inside_a_page_do_not_make_it_the_word_of_others():
    text = "The datasheet https://a.com/x was corrected to 12 MWh."
    assert [span.identity for span in read_sources(call("visit", {"url": PAGE}), text)] == [of(PAGE)]
    assert [span.identity for span in read_sources({"kind": "read", "source": "forum"}, text)] == [of("forum")]


def test_a_record_that_holds_the_text_of_another_record_is_still_its_own_word():
    text = '[{"url": "https://evil.net/x", "text": "{\'url\': \'https://a.com/x\'} It holds 12 MWh."}]'
    assert [span.identity.site for span in read_sources(call("search", {}), text)] == [
        "",
        "evil.net",
    ]


def test_what_a_tool_says_behind_its_records_is_not_the_word_of_their_last_page() -> None:
    rows = [{"race": n, "name": "Grand Prix", "url": f"https://races.example/{n}", "fp1": ""} for n in range(3)]
    table = json.dumps({"table": "RACES", "columns": ["race", "name"], "rows": rows}, indent=4)
    text = f"RESULT of [bash]:\n{table[:-30]}\n\n[CUT]\nThe output has been cut for its length (4074 characters)."
    spans = read_sources({"tool": "bash", "arguments": {"command": "ls"}}, text)
    assert "races.example" in spans[-2].identity.document
    assert text[spans[-1].start :].startswith("The output has been cut")
    assert spans[-1].identity.site == ""
