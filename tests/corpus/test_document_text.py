"""What becomes of the bytes of text, HTML and PDF files."""

from __future__ import annotations

import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from amb_core.errors import UnreadableSource
from amb_files.pdf_text import pdf_text
from amb_files.text_decoder import decode_text
from amb_tools.html_text import html_text

OTHERS = {
    "cp1251": "Москва является столицей России и крупнейшим по численности населения городом страны.",
    "koi8-r": "Москва является столицей России и крупнейшим по численности населения городом страны.",
    "cp949": "서울은 대한민국의 수도이자 최대 도시이다. 한강을 끼고 있으며 역사가 오래되었다.",
    "shift_jis": "東京は日本の首都であり、世界最大の都市の一つである。江戸時代から発展してきた。",
    "big5": "臺北是臺灣的政治、經濟與文化中心。它位於臺灣北部的盆地，是國際化的城市。",
    "cp1250": "Warszawa jest stolicą Polski i największym miastem kraju, położonym nad Wisłą, and the centre of trade.",
    "iso8859-2": "Praha je hlavní a největší město České republiky, ležící na řece Vltavě, and the seat of the state.",
    "cp1254": "İstanbul Türkiye'nin en kalabalık şehridir ve ülkenin ekonomik merkezidir, and the port is large.",
    "cp850": "Le café était fermé and the garçon was away.",
    "mac_roman": "Le café était fermé and the garçon was away.",
}


def pdf(*pages: bytes, packed: bool = False) -> bytes:
    """A PDF with one content stream a page."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode()]
    objects.append(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for index, page in enumerate(pages):
        content = zlib.compress(page, 9) if packed else page
        form = b"/Filter/FlateDecode" if packed else b""
        refers = f"<</Type/Page/Parent 2 0 R/Resources<</Font<</F 3 0 R>>>>/Contents {5 + 2 * index} 0 R>>"
        objects.append(refers.encode())
        objects.append(b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), form, content))
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return body + head + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(body))


def shows(text: str) -> bytes:
    return f"BT /F 12 Tf 72 700 Td ({text}) Tj ET".encode("latin-1")


# --- text -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", OTHERS)
def test_text_in_another_encoding_is_never_taken_for_chinese(encoding: str) -> None:
    assert decode_text(OTHERS[encoding].encode(encoding, "ignore")) is None


def test_a_declared_encoding_is_believed_after_utf_8() -> None:
    text = OTHERS["big5"]
    decoded = decode_text(text.encode("big5", "ignore"), declared="big5")
    assert decoded is not None
    assert (decoded.encoding, decoded.text[:2]) == ("big5", "臺北")
    assert decode_text(b"\xe9t\xe9", declared="no-such-charset") is None
    assert decode_text(b"\xe9t\xe9", declared="hex") is None


# --- HTML -------------------------------------------------------------------------------------------------------------


def test_lists_and_tables_stay_readable() -> None:
    page = """<ul>
      <li>one</li><li><p>two</p><ul><li>deep</li></ul></li></ul>
    <table><tr><th>Name</th><th>Cycles</th></tr>
      <tr><td>LFP</td> <td><p>4,000</p></td></tr></table>"""
    assert html_text(page) == "- one\n- two\n- deep\n\nName | Cycles\nLFP | 4,000"


@pytest.mark.slow
def test_a_hostile_page_is_read_to_its_end() -> None:
    assert html_text("<div>" * 20_000 + "deep" + "</div>" * 20_000) == "deep"
    assert html_text("<p>a<br>" * 5_000).count("a") == 5_000
    assert html_text("<td>x" * 5_000).count("x") == 5_000


@pytest.mark.parametrize("part", ["<div>", "<p>a<br>", "<td>x"])
def test_a_hostile_page_takes_work_in_its_length(part: str, growth: Callable[..., float]) -> None:
    assert growth(lambda times: html_text(part * times), 100) < 8


def test_control_characters_of_a_page_cannot_pose_as_line_marks() -> None:
    assert html_text("a\x01b\x02c") == "a b c"


# --- PDF --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"%PDF-1.4 not really", "damaged"),
        (pdf(shows("x"))[:200], "damaged"),
        (pdf(b""), "no text"),
        (pdf(*[shows("x")] * 5), "5 pages"),
        (pdf(shows("x" * 500)), "characters"),
    ],
)
def test_a_pdf_that_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableSource, match=reason):
        pdf_text(data, max_pages=4, max_chars=400)


def test_a_locked_pdf_says_so() -> None:
    from io import BytesIO

    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf(shows("secret")))))
    writer.encrypt("password", algorithm="RC4-128")
    locked = BytesIO()
    writer.write(locked)
    with pytest.raises(UnreadableSource, match="password"):
        pdf_text(locked.getvalue())


@pytest.mark.slow
@pytest.mark.parametrize("pages", [[b"BT (a) Tj ET " * 5_000_000], [b" " * 4_900_000] * 15], ids=["one", "many"])
def test_a_pdf_bomb_is_refused_without_eating_memory(pages: list[bytes]) -> None:
    bomb = pdf(*pages, packed=True)
    assert len(bomb) < 200_000
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableSource, match="more than AMB reads"):
            pdf_text(bomb)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()
