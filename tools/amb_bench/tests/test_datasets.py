"""The loaders read the published forms of the sets; without the data they say what to set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from amb_bench.datasets import data_folder, load_cmrc, load_hotpotqa, load_locomo

from amb_core.errors import UnreadableSource


def _write(folder: Path, name: str, value: Any) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus = {"Titanic": ["A film.", " By Cameron."], "Cameron": ["A director."]}
    facts = [["Titanic", 1], ["Cameron", 0], ["Elsewhere", 0]]
    row = {"question": "Who?", "answer": "C", "type": "bridge", "supporting_facts": facts}
    _write(tmp_path, "hotpotqa/hotpotqa_train_corpus.json", corpus)
    _write(tmp_path, "hotpotqa/hotpotqa_train.json", [row])
    photo = {"speaker": "Ann", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a dog"}
    talk = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_2_date_time": "1:00 pm on 9 May, 2023"}
    talk["session_1"] = [{"speaker": "Bob", "dia_id": "D1:1", "text": "Hi!"}, photo]  # type: ignore[assignment]
    asked = [{"question": "What?", "category": 1, "evidence": ["D1:01; D1:2", "D9:9"]}]
    asked += [{"question": "Why?", "category": 5, "evidence": ["D1:1"]}, {"question": "?", "category": 1}]
    _write(tmp_path, "locomo/locomo10.json", [{"sample_id": "s", "conversation": talk, "qa": asked}])
    questions = [{"question": "是什么？", "answers": [{"text": "一部电影"}, {"text": "一部电影"}]}]
    questions.append({"question": " ", "answers": [{"text": "电影"}]})
    paragraph = {"id": "DEV_0", "context": "这是一部电影。", "qas": questions}
    _write(tmp_path, "cmrc2018/cmrc2018_dev.json", {"data": [{"paragraphs": [paragraph]}]})
    return tmp_path


@pytest.mark.parametrize(
    ("titles", "text"),
    [
        ("line", "Titanic\nA film. By Cameron."),
        ("prefix", "Titanic: A film. By Cameron."),
        ("none", "A film. By Cameron."),
    ],
)
def test_hotpotqa_passages_carry_their_title_as_asked(folder: Path, titles: Any, text: str) -> None:
    sample = load_hotpotqa(folder=folder, titles=titles)
    assert sample.passages[0].text == text
    question = sample.questions[0]
    assert (question.gold, question.evidence) == (("Titanic", "Cameron"), ("By Cameron.", "A director."))


def test_locomo_turns_name_their_speaker_photo_and_time(folder: Path) -> None:
    (sample,) = load_locomo(folder=folder)
    assert [passage.text for passage in sample.passages] == [
        "[1:56 pm on 8 May, 2023] Bob: Hi!",
        "[1:56 pm on 8 May, 2023] Ann: Look! [shares a photo of a dog]",
    ]
    assert [(passage.source, passage.position) for passage in sample.passages] == [("session 1", 0), ("session 1", 1)]
    assert load_locomo(folder=folder, dates=False)[0].passages[0].text == "Bob: Hi!"


def test_locomo_keeps_the_answerable_questions_with_evidence_that_exists(folder: Path) -> None:
    (sample,) = load_locomo(folder=folder)
    assert [(question.text, question.gold) for question in sample.questions] == [("What?", ("D1:1", "D1:2"))]


def test_cmrc_questions_point_to_their_passage(folder: Path) -> None:
    sample = load_cmrc(folder=folder)
    assert (sample.questions[0].gold, sample.questions[0].evidence) == (("DEV_0",), ("一部电影",))


def test_a_missing_folder_is_named_with_the_variable_to_set(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="AMB_DATA"):
        data_folder(tmp_path / "nowhere")


def test_a_missing_or_torn_file_is_named(folder: Path) -> None:
    (folder / "locomo" / "locomo10.json").write_text("[{")
    with pytest.raises(UnreadableSource, match="not valid JSON"):
        load_locomo(folder=folder)
    (folder / "locomo" / "locomo10.json").unlink()
    with pytest.raises(UnreadableSource, match=r"locomo10\.json"):
        load_locomo(folder=folder)
