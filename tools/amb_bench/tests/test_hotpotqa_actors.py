"""Actors on HotpotQA: the local one reads nothing but what it is shown, and every arm shows no more than its budget."""

from __future__ import annotations

import pytest
from amb_bench.hotpotqa import (
    ARMS,
    Arm,
    Budgets,
    ChatActor,
    LocalActor,
    ScriptedActor,
    run_episode,
)
from amb_bench.hotpotqa.actors import Prompt
from amb_bench.hotpotqa.local_policy import next_action
from amb_bench.hotpotqa.shown import read_shown

from amb_chat import ScriptedChatModel
from amb_core.text import estimate_tokens
from amb_team.actions import normalised
from amb_tools.hotpotqa import PassageSearch, bundled_questions

QUESTIONS, PASSAGES = bundled_questions()
SEARCH = PassageSearch(PASSAGES)
TITANIC = QUESTIONS[0]


def test_a_block_is_read_as_statements_searches_plans_guesses_and_ways() -> None:
    shown = read_shown(
        "<team>\nFound, as written:\n- Titanic was directed by James Cameron.\nWhat the team did:\n"
        "- Search[Titanic] → James Cameron\nAlready searched, do not repeat: Titanic; Kate\nYour own notes:\n"
        "- to ask next: James Cameron\n- may be the answer (0.8): Suzy Amis\nFrom earlier tasks:\n"
        "- worked: Who made Jaws? → Search[Jaws] → Steven → Steven\n- learnt: search for names\n</team>"
    )
    assert shown.statements == ["Titanic was directed by James Cameron."]
    assert shown.done == {normalised("Titanic"), normalised("Kate")}
    assert shown.plans == ["James Cameron"]
    assert [(guess.answer, guess.confidence) for guess in shown.guesses] == [("Suzy Amis", 0.8)]
    assert [way.searches for way in shown.ways] == [("Jaws",)]


def test_the_local_policy_answers_at_the_last_step_and_only_who_may() -> None:
    text = "Search[X]\nObservation: James Cameron is a filmmaker. In 2000 he married Suzy Amis."
    assert next_action(TITANIC.text, text, steps_left=1, may_finish=True).startswith("Finish[")
    assert next_action(TITANIC.text, text, steps_left=1, may_finish=False).startswith("Search[")


def test_the_local_policy_follows_the_way_of_a_like_task() -> None:
    text = f"- worked: {TITANIC.text} → Search[Titanic (1997 film)] → x → Search[James Cameron] → y → y"
    assert next_action(TITANIC.reworded, text, steps_left=5, may_finish=False) == "Search[Titanic (1997 film)]"


@pytest.mark.parametrize("arm", ARMS)
def test_every_arm_shows_no_more_than_the_budget(arm: Arm) -> None:
    prompts: list[Prompt] = []
    for question in QUESTIONS[:4]:
        run_episode(
            question, SEARCH, LocalActor(), arm, budgets=Budgets(6, 150), told=lambda seen, *_: prompts.append(seen)
        )
    assert prompts
    assert max(estimate_tokens(prompt.text) for prompt in prompts) <= 155


def test_agents_take_turns_and_a_repeat_is_answered_from_memory() -> None:
    actor = ScriptedActor(["Search[Titanic]", "Search[titanic]", "Search[James Cameron]", "Finish[Suzy Amis]"])
    episode = run_episode(TITANIC, SEARCH, actor, "all", budgets=Budgets(steps=5))
    assert [prompt.agent for prompt in actor.prompts] == ["solver", "retriever", "solver", "retriever"]
    assert (episode.em, episode.searches, episode.avoided, episode.repeated) == (1.0, 2, 1, 0)
    assert episode.statistics is not None
    assert episode.statistics.facts > 0
    assert episode.statistics.task_status == "completed"


def test_without_memory_a_repeat_is_made_again() -> None:
    actor = ScriptedActor(["Search[Titanic]", "Search[titanic]", "Finish[x]"])
    episode = run_episode(TITANIC, SEARCH, actor, "none")
    assert (episode.searches, episode.repeated, episode.em, episode.statistics) == (2, 1, 0.0, None)


def test_a_chat_model_acts_with_what_is_around_its_action_left_out() -> None:
    chat = ScriptedChatModel(["I think Search[Titanic] is best.", "no idea", "Finish[Suzy Amis]"])
    episode = run_episode(TITANIC, SEARCH, ChatActor(chat), "all")
    assert episode.em == 1.0
    assert "steps are left" in str(chat.requests[0].messages[1]["content"])
