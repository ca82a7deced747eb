"""Search and reading in files: every format, both languages, and what a link opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from amb_core import MemoryBank
from amb_tools import CorpusSearch, open_tools


@pytest.fixture
def corpus(tmp_path: Path) -> CorpusSearch:
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "n280.md").write_text("# N-280\n\nThe N-280 cell reaches 6,000 full cycles.\n", "utf-8")
    (tmp_path / "harbour.html").write_text("<title>Harbour</title><p>The harbour was dredged in 1901.</p>", "utf-8")
    (tmp_path / "电池.txt").write_bytes("磷酸铁锂电池的循环寿命为6000次，这是国家标准中的要求。".encode("gb18030"))
    (tmp_path / "prices.csv").write_text("cell,price\nN-280,41 EUR\n", "utf-8")
    return CorpusSearch(tmp_path)


@pytest.mark.parametrize(
    ("query", "link"),
    [
        ("full cycles of the N-280", "corpus:sheets/n280.md"),
        ("when was the harbour dredged", "corpus:harbour.html"),
        ("循环寿命", "corpus:电池.txt"),
        ("price in EUR", "corpus:prices.csv"),
    ],
)
def test_the_file_that_says_it_comes_first_and_its_link_opens_it(query: str, link: str, corpus: CorpusSearch) -> None:
    hit = corpus.search(query, k=3)[0]
    assert hit.link == link
    assert hit.snippet.split()[0] in corpus.read(link).text


def test_several_pieces_of_one_file_come_after_the_other_files(tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text("\n\n".join(f"Cell {n} has cycles. " * 20 for n in range(20)), "utf-8")
    (tmp_path / "short.md").write_text("A cell has cycles, and more of them than a battery pack does.", "utf-8")
    links = [hit.link for hit in CorpusSearch(tmp_path).search("cell cycles", k=4)]
    assert set(links[:2]) == {"corpus:long.md", "corpus:short.md"}
    assert links[2:] == ["corpus:long.md"] * 2


def test_the_whole_set_of_tools_works_on_a_folder(corpus: CorpusSearch, tmp_path: Path) -> None:
    with MemoryBank("How many cycles does the N-280 reach?") as bank:
        search, visit, deep = open_tools(f"corpus:{tmp_path}", bank=bank)
        assert "corpus:sheets/n280.md" in search(queries=["N-280 cycles"])
        visit(urls=["corpus:sheets/n280.md"], goal="cycles of the N-280")
        (node, *_) = bank.nodes
        assert "6,000 full cycles" in deep(node_id=node.id)
