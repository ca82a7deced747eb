"""Tasks, messages and settlements as the page sends them, against a server that runs."""

from __future__ import annotations

import json
from typing import Any


def started(studio: Any, title: str) -> str:
    task: str = studio.tell("press", kind="new", argument=title)["reply"]["task"]
    return task


def settling(studio: Any, task: str, *statements: Any) -> Any:
    for each in statements:
        studio.tell("say", text=json.dumps(each), task=task)
    return studio.tell("press", kind="settle", task=task)["reply"]["proposal"]


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


def test_mistakes_come_back_as_replies_that_say_what_can_be_done(studio: Any) -> None:
    assert studio.tell("say", text="/launch")["reply"]["error"]["known"][0] == "/new"
    assert studio.tell("say", text="hello")["reply"]["error"]["kind"] == "no_task"
    assert studio.ask("task", 404, name="t99")["error"]["kind"] == "unknown"
    assert studio.tell("say", text="hello", task="t99")["reply"]["error"]["kind"] == "no_task"
    assert "kind" in studio.tell("press", 400, kind="launch")["error"]["text"]


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
