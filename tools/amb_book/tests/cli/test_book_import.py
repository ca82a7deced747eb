"""`amb book BOOK import --model`: the facts are read off, how far it is stands on standard error, and it goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_book import Story
from amb_chat.scripted_model import ScriptedChatModel

pytestmark = pytest.mark.slow
SCENE = "Maren Tolve crossed the yard. “Where is Hob Rook?” asked Maren Tolve. Hob Rook laughed at Maren Tolve.\n\n"


def imported(amb_here: Any, answer: str, *arguments: str) -> Any:
    pytest.importorskip("openai", reason='needs: pip install "amb[openai]"')
    chapters = "".join(f"Chapter {number}: The Bell\n\n{SCENE * 3}" for number in range(1, 4))
    (amb_here.folder / "novel.txt").write_text(chapters, "utf-8")
    with ChatServer(ScriptedChatModel(lambda request: answer)) as server:
        amb_here.environment = {"LLM_BASE_URL": server.url, "LLM_API_KEY": "sk-0123456789"}
        return amb_here("book", "war", "import", "novel.txt", "--model", "reader", *arguments)


def test_a_model_reads_chapter_by_chapter_and_nothing_twice(amb_here: Any) -> None:
    ran = imported(amb_here, '{"statements": []}')
    assert ran.returncode == 0, ran.stderr
    assert [line.split(" (")[0] for line in ran.stderr.splitlines()[:3]] == [f"chapter {n} of 3" for n in (1, 2, 3)]
    assert "3 calls of reader" in ran.stderr
    again = imported(amb_here, "la la", "--json", "--language", "zh")
    assert (again.returncode, json.loads(again.stdout)["already"]) == (0, 3)
    assert "第 3 章，共 3 章（0 token）" in again.stderr


def test_a_budget_that_is_spent_ends_it_with_all_text_so_far_and_says_how_to_go_on(amb_here: Any) -> None:
    ran = imported(amb_here, '{"statements": []}', "--budget-tokens", "100")
    assert ran.returncode == 1
    assert "import the same again to go on from there" in ran.stderr
    with Story(amb_here.folder / "war") as story:
        assert story.episodes.chapters() == [1, 2, 3]
    again = imported(amb_here, '{"statements": []}')
    assert (again.returncode, "2 calls of reader" in again.stderr) == (0, True)


def test_facts_without_a_model_are_refused_before_anything_is_taken_in(amb_here: Any) -> None:
    (amb_here.folder / "novel.txt").write_text(f"Chapter 1\n\n{SCENE * 3}", "utf-8")
    ran = amb_here("book", "war", "import", "novel.txt", "--settle", "facts")
    assert (ran.returncode, "--model" in ran.stderr) == (1, True)
