"""`amb bench answers`: what counts as quoted, as wrong and as rightly not found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from amb_bench.answers_bench import holds_gold, judge, read_questions

from amb_cli import main
from amb_core.errors import InvalidParameter

TEXT = "The pier of Lyness is 80 metres long. It was built in 1911. Gulls sit on the roof of the old shed.\n"
ROWS: list[dict[str, Any]] = [
    {
        "id": "1",
        "question": "How long is the pier of Lyness?",
        "file": "a.txt",
        "gold": ["The pier of Lyness is 80 metres long."],
    },
    {"id": "2", "question": "Who conducts Vienna's orchestra?", "file": None, "gold": []},
]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text(TEXT, encoding="utf-8")
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("shown", "gold"),
    [
        ("The pier of Lyness is 80 metres long.", True),
        ("- the pier of Lyness\nis 80  metres long, they say. It was built in 1911.", True),
        ("Lyness is 80 metres long. It was built in 1911.", False),
        ("", False),
    ],
)
def test_a_paragraph_is_right_when_a_gold_sentence_stands_whole_in_it(shown: str, gold: bool) -> None:
    assert holds_gold(shown, ROWS[0]) is gold


def test_questions_are_judged_as_a_reader_would(questions: Path) -> None:
    first, second = judge(read_questions(questions), questions.parent)
    assert (first.quoted, first.within, first.plain, first.wrong) == (True, True, [TEXT.strip()], False)
    assert first.shown == first.plain
    assert (second.answer.certainty, second.wrong) == ("not found", False)
    assert first.first > 0
    assert second.again > 0


def test_the_bench_prints_a_row_for_each_language_and_keeps_what_was_quoted(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "answers", str(questions), "--out", str(tmp_path / "out")]) == 0
    assert 'right "not found"' in capsys.readouterr().out
    lines = (tmp_path / "out" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["1", "2"]


def test_a_line_that_lacks_a_field_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"id": "1"}\n', encoding="utf-8")
    with pytest.raises(InvalidParameter, match=r"line 1 of .* has no question, gold"):
        read_questions(file)
