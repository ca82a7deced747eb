"""Answers from files: where they stand, when there is none, sources that differ, and an index that is kept."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from amb_cli import main
from amb_embedders import HashingEmbedder
from amb_tools.corpus import read_corpus
from amb_tools.corpus.kept_corpus import KeptCorpus, cache_folder, open_corpus
from amb_tools.research import answer_corpus

FILES = {
    "harbour.md": "# Port Ellen\n\nThe harbour was dredged in 1901.\n\n## Pier\n\n"
    "It is 80 metres long and made of larch.\n",
    "ferry.txt": "OPTIONS\n       -l, --lights\n"
    "              Turn the lights of the ferry on at dusk.\n\n       -h      Help.\n",
    "海港.md": "# 海港条例\n\n第一条 渡船须在日落后开灯。\n\n第二条 违反前条的，处二百元罚款。\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "files"
    place.mkdir()
    for name, text in FILES.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("question", "file", "line", "said"),
    [
        ("When was the harbour dredged?", "harbour.md", 3, "in 1901"),
        ("How long is the pier?", "harbour.md", 7, "80 metres"),
        ("What does the option --lights do?", "ferry.txt", 3, "at dusk"),
        ("违反开灯规定罚款多少？", "海港.md", 5, "二百元"),
    ],
)
def test_the_first_sentence_quoted_answers_with_its_file_and_line(
    folder: Path, cache: Path, question: str, file: str, line: int, said: str
) -> None:
    first = answer_corpus(open_corpus(folder, cache=cache), question).citations[0]
    assert (first.source, first.line) == (file, line)
    assert said in first.text


@pytest.mark.parametrize("question", ["Who painted the ceiling of the opera in Vienna?", "国家图书馆的馆长是谁？"])
def test_what_the_files_do_not_say_is_not_found(folder: Path, cache: Path, question: str) -> None:
    answer = answer_corpus(open_corpus(folder, cache=cache), question)
    assert answer.certainty == "not found"
    assert answer.text.startswith(
        ("Not found in these files", "No sentence of these files", "在这些文件中没有找到", "这些文件中没有一句话")
    )


@pytest.mark.parametrize(
    ("question", "one", "other", "compared"),
    [
        (
            "What is the height of the mast of the ferry?",
            "The mast of the ferry has a height of 12 metres.",
            "The mast of the ferry has a height of 18 metres.",
            "compare map.md:3: The mast of the ferry has a height of 18 metres.",
        ),
        (
            "渡船的桅杆有多高？",
            "渡船的桅杆高度为12米。",
            "渡船的桅杆高度为18米。",
            "请对照 map.md:3: 渡船的桅杆高度为18米。",
        ),
    ],
)
def test_sources_that_differ_in_a_value_are_set_beside_each_other(
    folder: Path, cache: Path, question: str, one: str, other: str, compared: str
) -> None:
    (folder / "guide.md").write_text(f"# Ferry\n\n{one}\n", encoding="utf-8")
    (folder / "map.md").write_text(f"# Ferry\n\n{other}\n", encoding="utf-8")
    answer = answer_corpus(open_corpus(folder, cache=cache), question)
    beside = {one.source: one.instead for one in answer.citations[:2]}
    assert beside == {"guide.md": f"map.md:3: {other}", "map.md": f"guide.md:3: {one}"}
    assert compared in answer.text


@pytest.mark.parametrize(
    "other", ["The mast of the yacht has a height of 18 metres.", "The mast of the ferry has a weight of 18 tonnes."]
)
def test_values_of_other_things_do_not_differ(folder: Path, cache: Path, other: str) -> None:
    (folder / "guide.md").write_text("# Ferry\n\nThe mast of the ferry has a height of 12 metres.\n", encoding="utf-8")
    (folder / "map.md").write_text(f"# Ferry\n\n{other}\n", encoding="utf-8")
    answer = answer_corpus(open_corpus(folder, cache=cache), "What is the height of the mast of the ferry?")
    assert [one.instead for one in answer.citations] == [""] * len(answer.citations)


@pytest.mark.parametrize(
    ("text", "question", "said"),
    [
        ("Harbour lights\n\nAre on from dusk.\n\nHarbour lights\n", "What of the harbour lights?", "dusk"),
        ("海港灯光\n\n日落后开启。\n\n海港灯光\n", "海港灯光怎样？", "日落"),
    ],
)
def test_a_line_that_only_names_what_is_asked_for_is_not_shown(
    text: str, question: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "lights.txt").write_text(text, encoding="utf-8")
    [place] = answer_corpus(KeptCorpus(read_corpus(tmp_path)), question).citations
    assert said in place.text


@pytest.mark.parametrize(
    ("embedder", "said"), [(None, "The goats carry a light."), (HashingEmbedder(), "The feries carry a light.")]
)
def test_an_embedder_sets_what_is_near_before_what_has_as_many_words(
    embedder: HashingEmbedder | None, said: str, tmp_path: Path
) -> None:
    (tmp_path / "light.txt").write_text("The goats carry a light.\n\nThe feries carry a light.\n", encoding="utf-8")
    corpus, question = KeptCorpus(read_corpus(tmp_path)), "What light do the ferries carry?"
    answer = answer_corpus(corpus, question, embedder=embedder)
    assert answer.citations[0].text == said
    assert answer.certainty == answer_corpus(corpus, question).certainty
    assert answer_corpus(corpus, "Who painted Vienna?", embedder=embedder).citations == ()


def test_a_question_for_a_number_is_not_answered_by_a_sentence_that_has_none(folder: Path, cache: Path) -> None:
    answer = answer_corpus(open_corpus(folder, cache=cache), "How many harbour lights of the ferry turn on at dusk?")
    assert answer.certainty == "not found"
    assert "at dusk" in answer.citations[0].text


def test_two_questions_in_one_are_answered_by_a_sentence_for_each(folder: Path, cache: Path) -> None:
    answer = answer_corpus(open_corpus(folder, cache=cache), "How long is the pier, and when was the harbour dredged?")
    assert {"harbour.md:3", "harbour.md:7"} <= {f"{one.source}:{one.line}" for one in answer.citations}


def test_a_kept_corpus_is_what_was_read(folder: Path, cache: Path) -> None:
    read, kept = open_corpus(folder, cache=cache), open_corpus(folder, cache=cache)
    assert kept.sentences == read.sentences
    assert kept.search(["pier", "long"], k=5) == read.search(["pier", "long"], k=5)
    assert {name: document.text for name, document in kept.documents.items()} == {
        name: document.text for name, document in read.documents.items()
    }


def test_the_second_question_reads_no_file(folder: Path, cache: Path) -> None:
    open_corpus(folder, cache=cache)
    times = {file: file.stat() for file in folder.iterdir()}
    for file, found in times.items():
        file.write_bytes(b"\0" * found.st_size)
        os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert "1901" in answer_corpus(open_corpus(folder, cache=cache), "When was the harbour dredged?").text


def test_a_file_that_changes_comes_or_goes_is_noticed(folder: Path, cache: Path) -> None:
    open_corpus(folder, cache=cache)
    (folder / "harbour.md").write_text("The harbour was dredged in 1957.\n", encoding="utf-8")
    (folder / "ferry.txt").unlink()
    corpus = open_corpus(folder, cache=cache)
    assert "1957" in answer_corpus(corpus, "When was the harbour dredged?").text
    assert "ferry.txt" not in corpus.documents


def test_a_torn_index_is_made_anew(folder: Path, cache: Path) -> None:
    open_corpus(folder, cache=cache)
    [index] = cache.iterdir()
    index.write_bytes(index.read_bytes()[:-40])
    assert len(open_corpus(folder, cache=cache).documents) == len(FILES)


def test_the_index_is_for_this_user_alone(folder: Path, cache: Path) -> None:
    open_corpus(folder, cache=cache)
    assert cache.stat().st_mode & 0o077 == 0


def test_an_empty_corpus_answers_that_nothing_is_found() -> None:
    answer = answer_corpus(KeptCorpus(()), "Who built the pier?")
    assert (answer.certainty, answer.citations) == ("not found", ())


def test_the_command_gives_the_answer_as_json(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMB_CACHE", str(tmp_path / "home"))
    out = tmp_path / "out"
    asked = ["run", "How long is the pier?", "--corpus", str(folder), "--embedder", "hashing"]
    assert main([*asked, "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["quoted"][0]["source"] == told["quoted"][0]["file"] == "harbour.md"
    assert told["quoted"][0]["line"] == 7
    assert told["certainty"] == "not found"
    assert told["quoted"][0]["before"] == ""
    assert (out / "memory.html").exists()
    assert [file.suffix for file in cache_folder().iterdir()] == [".index"]
