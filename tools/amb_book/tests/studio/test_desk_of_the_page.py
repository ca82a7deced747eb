"""Tasks, messages and settlements as the page sends them, against a server that runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Serve = Callable[..., Any]
MARRIED = {"subject": "Lin Yue", "relation": "MARRIED_TO", "object": "Qiu Han", "evidence": "They married at dusk."}


def started(studio: Any, title: str) -> str:
    task: str = studio.tell("press", kind="new", argument=title)["reply"]["task"]
    return task


def settling(studio: Any, task: str, *statements: Any) -> Any:
    for each in statements:
        studio.tell("say", text=json.dumps(each), task=task)
    return studio.tell("press", kind="settle", task=task)["reply"]["proposal"]


def test_a_task_goes_from_its_first_message_to_facts_in_the_book(studio: Any) -> None:
    task = started(studio, "Lin Yue's wedding")
    proposal = settling(studio, task, MARRIED)
    (row,) = proposal["rows"]
    assert row["new"] == ["Qiu Han"]
    corrected = {**row["statement"], "object": "Wei Lan"}
    told = studio.tell("confirm", proposal=proposal["id"], statements=[corrected], chapter=4, title="Dusk")
    assert told["reply"]["kind"] == "settled"
    assert told["chapter"] == 4
    (fact,) = [each for each in studio.ask("about", name="Wei Lan")["facts"] if each["relation"] == "MARRIED_TO"]
    assert (fact["since"], fact["evidence"]) == (4, "They married at dusk.")
    assert studio.ask("task", name=task)["task"]["state"] == "closed"


def test_every_answer_is_built_from_its_own_task_alone(studio: Any) -> None:
    tasks = [started(studio, title) for title in ("long outline", "the Fox as a character", "next chapter")]
    for word in ("amber", "basalt", "cedar"):
        task = tasks["abc".index(word[0])]
        studio.tell("say", text=f"Remember {word}.", task=task)
    for task, word in zip(tasks, ("amber", "basalt", "cedar"), strict=True):
        told = studio.ask("task", name=task)
        said = json.dumps(told["turns"])
        assert word in said
        assert sum(other in said for other in ("amber", "basalt", "cedar")) == 1
        assert told["turns"][-1]["context"]["window"]


def test_corrections_are_in_the_book_before_they_are_confirmed(served: Serve, tmp_path: Path) -> None:
    first = served(tmp_path / "book").open()
    task = started(first, "who owns what")
    proposal = settling(first, task, {"subject": "Lin Yue", "relation": "OWNS", "object": "the jade"})
    first.tell("correct", proposal=proposal["id"], statements=[{"status": {"of": "Lin Yue", "is": "safe"}}], chapter=3)
    again = served(tmp_path / "book").open()
    waiting = again.ask("task", name=task)["proposal"]
    assert [row["statement"] for row in waiting["rows"]] == [{"status": {"of": "Lin Yue", "is": "safe"}}]
    assert waiting["chapter"] == 3


def test_the_second_window_is_told_that_a_task_was_settled_elsewhere(served: Serve, tmp_path: Path) -> None:
    here, there = served(tmp_path / "book").open(), served(tmp_path / "book").open()
    proposal = settling(here, started(here, "one"), {"status": {"of": "Lin Yue", "is": "safe"}})
    asked = {"proposal": proposal["id"], "statements": [row["statement"] for row in proposal["rows"]], "chapter": 4}
    assert there.tell("confirm", **asked)["reply"]["kind"] == "settled"
    late = here.tell("confirm", **asked)["reply"]
    assert late["error"]["kind"] == "already_settled"
    assert "settled already" in late["error"]["text"]
    assert [each["state"] for each in here.ask("state")["tasks"]] == ["closed"]


def test_a_contradiction_is_shown_and_settled_only_when_the_author_says_so(studio: Any) -> None:
    proposal = settling(studio, started(studio, "a doubt"), {"status": {"of": "Old Wen", "is": "alive"}})
    asked = {"proposal": proposal["id"], "statements": [proposal["rows"][0]["statement"]], "chapter": 3}
    refused = studio.tell("confirm", **asked)["reply"]
    assert refused["error"]["kind"] == "contradiction"
    assert refused["proposal"]["rows"][0]["clashes"][0]["kind"] == "contradicts"
    assert studio.ask("about", name="Old Wen")["status"] == "dead"
    assert studio.tell("confirm", **asked, replace=True)["reply"]["kind"] == "settled"
    assert studio.ask("about", name="Old Wen")["status"] == "alive"


def test_what_cannot_be_read_as_a_statement_is_kept_and_refused(studio: Any) -> None:
    proposal = settling(studio, started(studio, "odd"))
    asked = {"proposal": proposal["id"], "statements": [{"relation": "OWNS"}], "chapter": 3}
    reply = studio.tell("confirm", **asked)["reply"]
    assert reply["error"]["kind"] == "invalid"
    assert reply["proposal"]["rows"][0]["clashes"][0]["kind"] == "invalid"


def test_a_task_is_restarted_the_next_day_with_what_holds_by_then(studio: Any) -> None:
    task = started(studio, "the Fox")
    proposal = settling(studio, task)
    studio.tell("confirm", proposal=proposal["id"], statements=[], chapter=3)
    studio.story.settle(chapter=5, statements=[{"status": {"of": "Lin Yue", "is": "captured"}}])
    studio.clock.advance(20 * 3_600)
    assert studio.ask("state")["tasks"][0]["hours_left"] == 4.0
    reply = studio.tell("press", kind="restart", argument="1")["reply"]
    assert "captured" in reply["text"]
    assert studio.ask("task", name=task)["task"]["state"] == "open"


def test_a_closed_task_is_gone_after_a_day(studio: Any) -> None:
    proposal = settling(studio, started(studio, "the Fox"))
    studio.tell("confirm", proposal=proposal["id"], statements=[], chapter=3)
    studio.clock.advance(25 * 3_600)
    assert studio.ask("state")["tasks"] == []
    assert studio.tell("press", kind="restart", argument="the Fox")["reply"]["error"]["kind"] == "unknown_task"


def test_a_discarded_proposal_leaves_the_task_open(studio: Any) -> None:
    task = started(studio, "the Fox")
    proposal = settling(studio, task)
    assert studio.tell("discard", proposal=proposal["id"])["reply"]["kind"] == "discarded"
    assert studio.ask("task", name=task)["task"]["state"] == "open"


def test_commands_are_typed_in_chinese_as_well(studio: Any) -> None:
    reply = studio.tell("say", text="[开始新任务：规划短期大纲]")["reply"]
    task = studio.ask("task", name=reply["task"])["task"]
    assert (task["title"], task["language"]) == ("规划短期大纲", "zh")
    assert studio.tell("say", text="[结算并关闭任务：规划短期大纲]", task=task["id"])["reply"]["kind"] == "proposal"


def test_mistakes_come_back_as_replies_that_say_what_can_be_done(studio: Any) -> None:
    assert studio.tell("say", text="/launch")["reply"]["error"]["known"][0] == "/new"
    assert studio.tell("say", text="hello")["reply"]["error"]["kind"] == "no_task"
    assert studio.ask("task", 404, name="t99")["error"]["kind"] == "unknown"
    assert studio.tell("say", text="hello", task="t99")["reply"]["error"]["kind"] == "no_task"
    assert "kind" in studio.tell("press", 400, kind="launch")["error"]["text"]


def test_any_text_survives_the_way_to_the_desk_and_back(studio: Any) -> None:
    task = started(studio, "odd texts")
    odd = "\x00 \u202e <script>alert(1)</script> 汉字 𝒳 \u2028 end"
    studio.tell("say", text=odd, task=task)
    assert studio.ask("task", name=task)["turns"][-2]["text"] == odd


def test_the_text_of_a_chapter_is_corrected_on_the_page_and_kept_in_the_archive(studio: Any) -> None:
    task = studio.tell("say", text="[开始新任务：撰写第四章]")["reply"]["task"]
    studio.tell("say", text="望江城的城头落了雪。林月数着江对岸的火光。" * 12, task=task)
    proposal = studio.tell("press", kind="settle", task=task)["reply"]["proposal"]
    assert proposal["text"].startswith("望江城的城头落了雪。")
    asked = {"proposal": proposal["id"], "statements": [], "chapter": 4}
    kept = studio.tell("correct", **asked, text="雪停了，林月还在城头。")["reply"]["proposal"]
    assert kept["text"] == "雪停了，林月还在城头。"
    assert studio.tell("confirm", **asked, title="雪")["reply"]["kind"] == "settled"
    [passage] = studio.story.episodes.chapter(4)
    assert (passage.text, passage.title, passage.entities) == ("雪停了，林月还在城头。", "雪", ("林月",))
