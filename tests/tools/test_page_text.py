"""What a page says, whatever it is written in: formats, charsets, and what is content."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("trafilatura", reason='needs pip install "amb[tools]"')

from amb_tools import AddressGuard, Page, PageFetcher, PageUnreadable

MENU = "<nav><ul>" + "".join(f"<li><a href='/{n}'>Menu entry {n}</a></li>" for n in range(30)) + "</ul></nav>"
ENGLISH = "".join(
    f"<p>In test {n} the cell kept {90 - n} percent of its capacity after {n + 1},000 full cycles at 25 degrees.</p>"
    for n in range(12)
)
CHINESE = "".join(
    f"<p>第{n}次试验中，电池在{n + 1}000次完整循环后仍保有百分之{90 - n}的容量，环境温度为二十五度。</p>"
    for n in range(12)
)


def pdf(text: bytes) -> bytes:
    shown = b"BT /F 12 Tf 72 700 Td (" + text + b") Tj ET"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(shown), shown),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, found) for number, found in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n0\n%%EOF"


def read(site: Any, body: str | bytes, kind: str) -> Page:
    return PageFetcher(guard=AddressGuard(allow=[site.endpoint]), robots=False).read(site.page("/p", body, kind))


@pytest.mark.parametrize(("body", "fact"), [(ENGLISH, "kept 88 percent"), (CHINESE, "第2次试验")], ids=["en", "zh"])
def test_the_main_text_has_no_menu_and_the_whole_text_has_everything(body: str, fact: str, site: Any) -> None:
    html = f"<html><head><title>Cells &amp; 电池</title></head><body>{MENU}<article>{body}</article></body></html>"
    page = read(site, html, "text/html; charset=utf-8")
    assert page.title == "Cells & 电池"
    assert fact in page.main
    assert "Menu entry 7" not in page.main
    assert fact in page.text


def test_scripts_are_no_text_and_broken_pages_are_read(site: Any) -> None:
    page = read(site, f"<p>open<div><script>steal()</script><style>p{{}}</style>{'<b>' * 5_000}deep", "text/html")
    assert page.text.split() == ["open", "deep"]


CHARSETS = [
    ("text/html; charset=gbk", "", "gbk"),
    ("text/html; charset=gb2312", "", "gb18030"),
    ("text/html", "<meta charset=gb2312>", "gb18030"),
    ("text/html", '<meta http-equiv="Content-Type" content="text/html; charset=GB18030">', "gb18030"),
    ("text/html", "", "gb18030"),
    ("text/html; charset=big5", "", "big5"),
    ("text/html; charset=iso-8859-1", "", "utf-8"),
    ("text/html; charset=gbk", "", "utf-8"),
    ("text/html; charset=nonsense", "", "utf-8"),
    ("text/html", "", "utf-8-sig"),
    ("text/html; charset=utf-16", "", "utf-16"),
]


@pytest.mark.parametrize(("kind", "meta", "encoding"), CHARSETS)
def test_chinese_pages_are_read_in_every_charset_they_come_in(kind: str, meta: str, encoding: str, site: Any) -> None:
    text = (
        "磷酸鐵鋰電池的循環壽命"
        if encoding == "big5"
        else "的电池在二十五度下循环六千次，这是国家标准中的要求，也是一般的情况。"
    )
    html = f"<html><head>{meta}</head><body><p>{text}</p></body></html>"
    assert text in read(site, html.encode(encoding), kind).text


@pytest.mark.parametrize(
    ("kind", "body", "shows"),
    [
        ("text/plain", "6,000 cycles\r\n6,000 次", "6,000 cycles\n6,000 次"),
        ("text/markdown", "# Cells\n\n* LFP", "# Cells\n\n* LFP"),
        ("text/csv; charset=gbk", "名称,次数\n磷酸铁锂,6000".encode("gbk"), "名称,次数\n磷酸铁锂,6000"),
        ("application/json", '{"a": [1, "电池"]}', '{"a": [1,\n"电池"]}'),
        ("application/ld+json", "{torn", "{torn"),
        ("application/xml", "<a>1</a>", "<a>1</a>"),
        ("application/octet-stream", "plain after all", "plain after all"),
        ("", "no type given", "no type given"),
    ],
)
def test_plain_formats_are_read_as_they_are(kind: str, body: str | bytes, shows: str, site: Any) -> None:
    assert read(site, body, kind).text == shows


@pytest.mark.parametrize(
    ("kind", "body", "says"),
    [
        ("image/png", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("application/zip", b"PK\x03\x04", "no text"),
        ("application/octet-stream", b"\0\1\2\3" * 100, "binary"),
        ("text/html", b" \n", "empty"),
        ("text/html", "<script>draw()</script>", "without running scripts"),
        ("application/pdf", b"%PDF-1.4 torn", "damaged"),
    ],
)
def test_what_has_no_text_is_said_to_have_none(kind: str, body: str | bytes, says: str, site: Any) -> None:
    with pytest.raises(PageUnreadable, match=says):
        read(site, body, kind)


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/octet-stream", "<!---->" * 290 + "<p>x"),
        ("text/html", "x<title>" * 20_000),
        ("text/html", "x" + "<!--" * 50_000),
        ("text/html", "x" + "<![" * 50_000),
        ("text/html", "x" + "<a '" * 50_000),
        ("application/json", "[" * 900 + "1," * 200_000 + "1" + "]" * 900),
        ("application/json", "[" * 300_000),
        ("text/html", "x" + "<table><tr><td>" * 3_000),
    ],
    ids=["comments", "titles", "open comments", "open marks", "open tags", "deep list", "torn deep list", "tables"],
)
def test_pages_made_to_take_for_ever_are_read(kind: str, body: str, site: Any) -> None:
    assert len(read(site, body, kind).text) < 2_000_000
