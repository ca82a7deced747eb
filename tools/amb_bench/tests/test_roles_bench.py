"""The bench of roles: its cases, its scores, and answers that are kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.doubles.chat_server import ChatServer
from amb_bench.role_cases import ROLES, KeptAnswers, Outcome, Score, read_cases
from amb_bench.roles_bench import outcome, tables

from amb_chat import ScriptedChatModel
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelRefused, UnreadableSource

LABELS = {
    "judge": {"same", "changed", "conflict", "neither"},
    "update": {"same", "more", "replaces", "contradicts", "unrelated"},
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("role", ROLES)
def test_every_quote_of_a_case_stands_in_its_text(role: str, language: str) -> None:
    cases = read_cases(role, language)
    assert len(cases) >= 12
    for case in cases:
        assert case.get("label") in LABELS.get(role, {None})
        assert all(each["quote"] in case["text"] for each in case.get("statements", ()))
        assert all(each["quote"] in case["scene"] for each in case.get("errors", ()))
        said = "\n".join(each["text"] for each in [*case.get("messages", ()), *case.get("talk", ())])
        assert all(each["quote"] in said for each in [*case.get("facts", ()), *case.get("decisions", ())] if said)


def test_a_score_counts_what_is_missing_and_what_is_false() -> None:
    score = Score([Outcome(2, 0, 2), Outcome(1, 1, 2), Outcome(0, 0, 0), Outcome(0, 0, 1, refused=True)])
    assert (score.precision, score.recall, score.whole, score.refused) == (0.75, 0.6, 0.5, 1)


@pytest.mark.parametrize("role", ROLES)
def test_a_model_that_babbles_does_no_more_in_any_role_than_its_local_twin(role: str) -> None:
    babbling = ScriptedChatModel(lambda _: ChatReply(text="Well, well."))
    for language in ("en", "zh"):
        ended = outcome(role, read_cases(role, language)[0], chat=babbling)
        twin = outcome(role, read_cases(role, language)[0], chat=None)
        assert ended.refused or ended == twin
        assert ended.hits + ended.false <= twin.hits + twin.false


JUDGED = {
    "id": "judge-en-1",
    "earlier": {"text": "Ada lives in Bern.", "source": "talk", "date": "2026-01-02"},
    "later": {"text": "Ada moved to Basel and lives there now.", "source": "talk", "date": "2026-05-02"},
    "label": "changed",
}
PAGE = {
    "task": "When was the dam built?",
    "messages": [{"author": "tool", "text": "The dam was built in 1931."}, {"author": "Eli", "text": "Let us go on."}],
    "facts": [{"author": "tool", "quote": "The dam was built in 1931."}],
    "never": [],
}
TWO = {
    "known": ["Call me in the afternoon.", "I live in Bern."],
    "new": "Afternoons are best for a call.",
    "label": "same",
    "which": 0,
}
CASES = [("judge", JUDGED), ("curate", PAGE), ("update", TWO)]


def knowing(request: ChatRequest) -> str:
    """A model that knows the cases above."""
    if request.schema_name == "ReadingShape":
        page = "1931" in str(request.messages[-1]["content"])
        built = {"quote": "The dam was built in 1931.", "subject": "dam", "attribute": "built", "value": "1931"}
        return json.dumps({"statements": [built] if page else []})
    shown = json.loads(str(request.messages[-1]["content"]))
    later = shown["later"]["text"]
    verdicts = []
    for each in shown["earlier"]:
        relation = "changed" if "Basel" in later else "same" if "afternoon" in each["text"] else "neither"
        told = {"n": each["n"], "about_earlier": "her home", "about_later": "her home", "only_one": True}
        verdicts.append(told | {"quote_earlier": each["text"], "quote_later": later, "relation": relation})
    return json.dumps({"verdicts": verdicts})


@pytest.mark.parametrize(("role", "case"), CASES)
def test_a_model_that_knows_a_case_does_it_wholly(role: str, case: Any) -> None:
    assert outcome(role, case, chat=ScriptedChatModel(knowing)) == Outcome(1, 0, 1)


@pytest.mark.parametrize(("role", "case"), CASES)
def test_an_answer_that_cannot_be_used_is_counted_as_refused(role: str, case: Any) -> None:
    assert outcome(role, case, chat=ScriptedChatModel(lambda _: "Well, well.")).refused


def written(folder: Path, case: Any) -> Path:
    """A folder with one case of a judge in English."""
    folder.mkdir()
    (folder / "judge.en.jsonl").write_text(json.dumps(case), "utf-8")
    return folder


def test_a_model_is_shown_beside_its_local_twin_and_again_from_its_kept_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_API_KEY", "none")
    cases = written(tmp_path / "cases", JUDGED)
    kept = BenchOptions(only=("judge",), language="en", file=cases, keep=tmp_path / "kept")
    with ChatServer(ScriptedChatModel(knowing)) as served:
        (asked,) = tables(replace(kept, model="m", base_url=served.url))
        assert served.requests == 1
    (again,) = tables(kept)
    assert [row[:6] for row in asked.rows] == [
        ("judge, local", "en", 1, "-", 0.0, 0.0),
        ("judge, model", "en", 1, 1.0, 1.0, 1.0),
    ]
    assert [row[:10] for row in again.rows] == [row[:10] for row in asked.rows]


def test_a_killed_run_goes_on_with_the_answers_that_were_written_whole(tmp_path: Path) -> None:
    asked = [ChatRequest(messages=({"role": "user", "content": each},), purpose="judge") for each in ("One?", "Two?")]
    first = KeptAnswers(tmp_path, chat=ScriptedChatModel(["1", "2"]))
    for each in asked:
        first.complete(each)
    (file,) = tmp_path.glob("*.jsonl")
    file.write_bytes(file.read_bytes()[:-9])
    model = ScriptedChatModel(["two"])
    again = KeptAnswers(tmp_path, chat=model)
    assert [again.complete(each).text for each in asked] == ["1", "two"]
    assert model.requests == asked[1:]
    with pytest.raises(ModelRefused, match="name a model"):
        KeptAnswers(tmp_path).complete(ChatRequest(messages=({"role": "user", "content": "Else?"},)))


def test_without_a_model_and_without_kept_answers_nothing_is_measured(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="holds no kept answers"):
        list(tables(BenchOptions(only=("judge",), keep=tmp_path / "none")))
    assert not (tmp_path / "none").exists()
