"""What a team leaves for later tasks: as many records as were kept, each of its own kind, and all can be read back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from amb_longterm import LongTermMemory
from amb_team import GroundTruthAgent, MetaMemory, TeamMemory
from amb_team.team_records import Insight, Skill, Trajectory

SAID = "Search for the page of the director first."
NOT = "Do not search for the page of the director first."


@pytest.fixture
def meta() -> Iterator[MetaMemory]:
    with LongTermMemory("memory://") as memory:
        yield MetaMemory(memory)


def test_every_insight_that_differs_is_kept_and_read_back(meta: MetaMemory) -> None:
    texts = [
        SAID, NOT, "The director has the page.", "The page has the director.", "Search the first page of the director.",
        "先查导演的条目。", "不要先查导演的条目。", "查两次。", "查三次。", "Search twice.", "Search three times.",
    ]  # fmt: skip
    told = [Insight(text=text, question_type="bridge") for text in texts]
    ids = [meta.add(each) for each in told]
    assert meta.insights == told
    assert len(set(ids)) == len(told)


def test_an_insight_a_skill_and_two_trajectories_in_the_same_words_are_four_records(meta: MetaMemory) -> None:
    ids = [
        meta.add(Insight(text="bridge: Search[{subject}]", question_type="bridge")),
        meta.add(Skill(pattern=("Search[{subject}]",), question_type="bridge", uses=1, successes=1)),
        *(meta.add(Trajectory(task="bridge: Search[{subject}]", success=success)) for success in (True, False)),
    ]
    records = [meta.memory.get(each, namespace=meta.namespace) for each in ids]
    assert [each.metadata["kind"] for each in records if each] == ["Insight", "Skill", "Trajectory", "Trajectory"]
    assert len(set(ids)) == 4


def test_the_order_of_steps_makes_another_skill_and_the_same_skill_is_counted_up(meta: MetaMemory) -> None:
    there, back = ("Search[{subject}]", "Search[{bridge}]"), ("Search[{bridge}]", "Search[{subject}]")
    for pattern in (there, back, there):
        meta.add(Skill(pattern=pattern, question_type="bridge", uses=1, successes=1))
    assert [(each.pattern, each.uses) for each in meta.skills] == [(there, 2), (back, 1)]


def test_a_later_run_of_a_task_takes_the_place_of_the_earlier(meta: MetaMemory) -> None:
    for answer in ("Oslo", "Bergen"):
        meta.add(Trajectory(task="Where was the mayor born?", answer=answer, success=True))
    meta.add(Trajectory(task="Where was the major born?", answer="Moss", success=True))
    assert [each.answer for each in meta.recent_successes(5)] == ["Moss", "Bergen"]


def test_uses_and_successes_are_what_the_trajectories_say(meta: MetaMemory) -> None:
    films = {"Titanic": "James Cameron", "Alien": "Ridley Scott", "Fargo": "Joel Coen", "Jaws": "Steven Spielberg"}
    for number, (film, director) in enumerate([*films.items()] * 3):
        with TeamMemory(f"Who directed {film}?", agents=["a"], meta=meta.memory, team_id=f"run{number}") as team:
            team.inject("a")
            for missed in range(2):
                team.observe(agent="a", action=f"Search[x{missed}]", observation="Could not find it.")
            team.observe(agent="a", action=f"Search[{film}]", observation=f"{film} was directed by {director}.")
            team.finish(answer=director, success=number % 3 != 1)
            team.finish(answer=director, success=number % 3 != 1)  # says nothing new
    went = recounted(meta)
    kept = meta.memory.records(meta.namespace, filters={"kind": "Insight"})
    kept += meta.memory.records(meta.namespace, filters={"kind": "Skill"})
    counted = {each.id: (each.metadata["data"]["uses"], each.metadata["data"]["successes"]) for each in kept}
    assert counted == {each: (len(went[each]), sum(went[each])) for each in counted}
    assert all(0 < successes < uses for uses, successes in counted.values())
    assert {each.uses for each in (*meta.insights, *meta.skills)} == {uses for uses, _ in counted.values()}


def recounted(meta: MetaMemory) -> dict[str, list[bool]]:
    """How the runs ended that used each record, by all versions of the trajectories."""
    records = meta.memory.records(meta.namespace, filters={"kind": "Trajectory"})
    versions = [each for record in records for each in meta.memory.history(record.id, namespace=meta.namespace)]
    runs = {each.metadata["data"]["run"]: Trajectory.model_validate(each.metadata["data"]) for each in versions}
    used = {each for went in runs.values() for each in went.used}
    return {each: [went.success for went in runs.values() if each in went.used] for each in used}


def test_a_task_that_is_tried_again_knows_every_answer_that_did_not_hold() -> None:
    task = "Which town has the oldest bridge of Veria?"
    with LongTermMemory("memory://") as memory:
        for answer in ("Orm", "Lund"):
            with TeamMemory(task, agents=["solver"], meta=memory) as team:
                assert answer not in team.refuted
                team.finish(answer=answer, success=False)
        with TeamMemory(task, agents=["solver", "ground_truth"], meta=memory) as again:
            assert "Did not hold before: Orm; Lund" in again.inject("solver")
            assert GroundTruthAgent(again).check("Lund").problem
        with TeamMemory("Which town has the oldest church of Veria?", agents=["solver"], meta=memory) as other:
            assert other.refuted == ()
