"""Position, facts, graph, plan, hooks, lore and checks as the page asks for them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest


def test_the_position_tells_where_every_storyline_stands(studio: Any) -> None:
    told = studio.ask("position")
    assert (told["chapter"], told["title"]) == (3, "Ash")
    assert [(each["storyline"], each["step_title"]) for each in told["storylines"]] == [
        ("Lin Yue", "Lin Yue waits"),
        ("the traitor", ""),
    ]


def test_facts_are_told_as_of_a_chapter_and_nothing_later_leaks(studio: Any) -> None:
    now, before = studio.ask("about", name="the Fox"), studio.ask("about", name="Lin Yue", at=1)
    assert (now["status"], before["status"], now["place"]) == ("wounded", "", "the Harbour")
    assert now["entity"]["aliases"] == ["the Fox"]
    assert [fact["since"] for fact in now["timeline"]] == [1, 1, 2]
    assert studio.ask("about", 404, name="Old Wen", at=2)["error"]["kind"] == "unknown"
    assert "Old Wen" not in [each["name"] for each in studio.ask("entities", at=2)["entities"]]
    assert "Old Wen" in [each["name"] for each in studio.ask("entities")["entities"]]


def test_a_step_of_the_plan_begins_and_ends_and_takes_its_outlines_along(studio: Any) -> None:
    parts = studio.tell("plan/step", id="the traitor waits", action="start")["parts"]
    assert {part["status"] for part in parts if part["id"] in ("the traitor", "siege", "war")} == {"InProgress"}
    studio.tell("plan/step", id="the traitor waits", action="complete")
    line = studio.ask("position")["storylines"][1]
    assert (line["completed"], line["step_title"]) == (1, "the traitor opens the gate")
    assert "cannot" in studio.tell("plan/step", 400, id="the traitor", action="complete")["error"]["text"]


def test_what_is_planned_is_no_fact(studio: Any) -> None:
    studio.tell("plan/add", kind="step", title="Lin Yue dies", within="Lin Yue")
    steps = [part["title"] for part in studio.ask("plan")["parts"] if part["within"] == "Lin Yue"]
    assert steps == ["Lin Yue waits", "Lin Yue opens the gate", "Lin Yue dies"]
    assert studio.ask("about", name="Lin Yue")["status"] == "wounded"
    assert "dies" not in str(studio.ask("graph"))


def test_hooks_and_lore_are_found(studio: Any) -> None:
    (hook,) = studio.ask("hooks")["hooks"]
    assert (hook["name"], hook["status"], hook["laid"]) == ("the broken jade", "Unresolved", 1)
    assert studio.ask("hooks", at=0)["hooks"] == []
    assert studio.ask("lore", query="when does it freeze?")["entries"][0]["key"] == "the Harbour"


def test_a_draft_is_checked_with_the_evidence_and_places_as_a_browser_counts(studio: Any) -> None:
    draft = "𝒳 The wind fell.\n\nOld Wen laughed and said: “We go on.”"
    (finding,) = studio.tell("check", draft=draft)["findings"]
    assert finding["kind"] == "dead_acts"
    assert (finding["evidence"][0]["chapter"], finding["evidence"][0]["source"]) == (3, "Old Wen died.")
    wide = draft.encode("utf-16-le")
    assert wide[2 * finding["start"] : 2 * finding["end"]].decode("utf-16-le") == finding["sentence"]
    assert studio.tell("check", draft=draft, at=2)["findings"] == []


def imported(studio: Any, manuscript: bytes, settle: str = "") -> Any:
    status, _, body = studio.raw(
        "POST", f"/api/import?settle={settle}", manuscript, {"content-type": "application/octet-stream"}
    )
    assert status == 200, body
    for _ in range(1_000):
        told = studio.ask("import")
        if told["state"] != "running":
            return told
        time.sleep(0.01)
    raise AssertionError("the import does not end")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030"])
def test_a_manuscript_is_taken_in_with_whom_it_names(studio: Any, encoding: str) -> None:
    chapters = (
        f"第{n}章 渡口\n\n" + f"沈砚走进望江城，沈砚对顾青蘅说：“走。”顾青蘅笑了，又看了沈砚一眼。这是第{n}天。\n" * 9
        for n in "一二三"
    )
    told = imported(studio, "\n".join(chapters).encode(encoding))
    assert (told["state"], told["first"], told["chapters"]) == ("done", 4, 3)
    assert "沈砚" in [each["name"] for each in told["cast"]]
    assert studio.ask("position")["chapter"] == 6
    assert studio.ask("position")["texts"] == 3
    assert studio.ask("about", name="沈砚", at=5)["entity"]["since"] == 4


def test_a_manuscript_is_never_taken_for_the_name_of_a_file(studio: Any, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("Chapter 1\n\nThe secret of the machine.\n" * 50, encoding="utf-8")
    imported(studio, str(tmp_path / "secret.txt").encode())
    assert "secret of the machine" not in str(studio.story.episodes.search())


def test_what_is_no_manuscript_is_refused_with_a_reason(studio: Any) -> None:
    told = imported(studio, b"\x00\x01\x02" * 100)
    assert (told["state"], told["error"]["kind"]) == ("failed", "invalid")
    assert studio.ask("position")["chapter"] == 3
    assert studio.ask("nothing", 404)["error"]["kind"] == "nowhere"
