"""The bench of roles: its cases, its scores, and answers that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.doubles.local_chat import LocalChatModel
from amb_bench.role_cases import ROLES, KeptAnswers, Outcome, Score, read_cases
from amb_bench.roles_bench import outcome, tables

from amb_core.chat import ScriptedChatModel
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


def test_kept_answers_are_given_again_without_the_model(tmp_path: Path) -> None:
    asked = ChatRequest(messages=({"role": "user", "content": "How much?"},), purpose="judge")
    first = KeptAnswers(tmp_path, chat=ScriptedChatModel([ChatReply(text="18 MWh")]))
    assert first.complete(asked).text == "18 MWh"
    again = KeptAnswers(tmp_path)
    assert again.complete(asked).text == "18 MWh"
    with pytest.raises(ModelRefused, match="name a model"):
        KeptAnswers(tmp_path).complete(ChatRequest(messages=({"role": "user", "content": "Else?"},)))


def test_the_bench_shows_the_local_twin_and_the_model_of_a_role(tmp_path: Path) -> None:
    KeptAnswers(tmp_path, chat=LocalChatModel())
    (table,) = tables(BenchOptions(only=("condense",), questions=2, keep=tmp_path))
    assert [row[:3] for row in table.rows] == [
        ("condense, local", "en", 2),
        ("condense, model", "en", 2),
        ("condense, local", "zh", 2),
        ("condense, model", "zh", 2),
    ]


def test_a_folder_without_cases_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match=r"judge\.en\.jsonl holds no cases"):
        read_cases("judge", "en", folder=tmp_path)
