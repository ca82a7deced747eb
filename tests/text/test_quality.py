"""How well names, subjects, sentences and values are found on text nobody here wrote; skipped without that data."""

import json
import os
import re
from pathlib import Path

import pytest

from amb_core.text import about, dialogue_speaker, entities, name_key, sentence_spans, value_signature

DATA = Path(os.environ.get("AMB_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
NUMBER = re.compile(r"\b\d{2,3}\b")


def _load(name: str) -> object:
    if not (DATA / name).exists():
        pytest.skip(f"needs the evaluation data set {name}; set AMB_DATA to its folder")
    return json.loads((DATA / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def passages() -> dict[str, list[str]]:
    return dict(_load("hotpotqa/hotpotqa_train_corpus.json"))


@pytest.fixture(scope="module")
def chinese() -> dict[str, str]:
    articles = _load("cmrc2018/cmrc2018_dev.json")["data"]  # type: ignore[index,call-overload]
    return {article["title"].strip(): article["paragraphs"][0]["context"] for article in articles}


def _share(hits: list[bool]) -> float:
    return sum(hits) / len(hits)


def test_passages_are_about_their_titles(passages: dict[str, list[str]]) -> None:
    found = [name_key(title) in map(name_key, about("".join(text))) for title, text in list(passages.items())[::3]]
    assert _share(found) > 0.77


def test_chinese_passages_are_about_their_titles(chinese: dict[str, str]) -> None:
    named = {title: text for title, text in chinese.items() if title and title in text[:300]}
    found = [name_key(title) in map(name_key, about(text)) for title, text in list(named.items())[::3]]
    assert _share(found) > 0.88


def test_literal_mentions_of_the_other_gold_passage_are_entities(passages: dict[str, list[str]]) -> None:
    found: list[bool] = []
    for question in _load("hotpotqa/hotpotqa_train.json"):  # type: ignore[attr-defined]
        titles = {title for title, _ in question["supporting_facts"] if title in passages}
        for title in titles:
            names = {name_key(entity.name) for entity in entities("".join(passages[title]))}
            plain = [re.sub(r" \(.*\)$", "", other) for other in titles - {title}]
            found += [
                name_key(other) in names
                for other in plain
                if re.search(rf" {re.escape(other)}\b", "".join(passages[title]))
            ]
    assert _share(found) > 0.9


def test_sentence_boundaries_agree_with_the_gold_ones(passages: dict[str, list[str]]) -> None:
    right = missed = wrong = 0
    for sentences in list(passages.values())[::3]:
        text, gold = "", set()
        for sentence in sentences:
            text += sentence
            gold.add(len(text.rstrip()))
        found = {end for _, end in sentence_spans(text)}
        right, missed, wrong = right + len(found & gold), missed + len(gold - found), wrong + len(found - gold)
    assert right / (right + wrong) > 0.98
    assert right / (right + missed) > 0.98


def test_a_changed_number_changes_the_signature(passages: dict[str, list[str]]) -> None:
    texts = ["".join(text) for text in list(passages.values())[::5]]
    changed = [(text, NUMBER.sub(lambda found: str(int(found[0]) + 1), text, count=1)) for text in texts]
    assert all(value_signature(text) != value_signature(other) for text, other in changed if text != other)


def test_dialogue_turns_give_their_speaker() -> None:
    dialogue = _load("locomo/locomo10.json")[0]["conversation"]  # type: ignore[index,call-overload]
    turns = [turn for key in ("session_1", "session_2") for turn in dialogue[key]]
    assert all(dialogue_speaker(f"{turn['speaker']}: {turn['text']}") == turn["speaker"] for turn in turns)
