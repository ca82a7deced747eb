"""`amb book`: a book's memory from the command line, in two languages, for people and for programs."""

from __future__ import annotations

import json
from typing import Any

import pytest

SCENE = "Maren Tolve crossed the yard. “Where is Hob Rook?” asked Maren Tolve. Hob Rook laughed at Maren Tolve.\n\n"
STATEMENTS: list[dict[str, Any]] = [
    {"status": {"of": "Hob Rook", "is": "dead"}, "evidence": "Hob Rook fell from the tower."},
    {"subject": "Maren Tolve", "relation": "IS_AT", "object": "the yard"},
    {"hook": "the bell", "status": "Unresolved", "text": "who rang it?"},
    {"lore": "the bell", "text": "The bell of Ash rings by itself when a king dies."},
    {"plan": "war", "kind": "general_outline", "title": "War"},
    {"plan": "siege", "kind": "long_outline", "title": "Siege"},
    {"plan": "walls", "kind": "short_outline", "title": "Walls", "storyline": "Maren"},
    {"plan": "gate", "kind": "step", "title": "Maren opens the gate"},
]


@pytest.fixture
def book(amb_here: Any) -> Any:
    """Runs `amb book` on a book of four chapters of text and one of settled facts."""
    folder = amb_here.folder
    chapters = "".join(f"Chapter {number}: The Bell\n\n{SCENE * 8}" for number in range(1, 5))
    (folder / "novel.txt").write_text(chapters, "utf-8")
    (folder / "facts.json").write_text(json.dumps(STATEMENTS), "utf-8")
    assert amb_here("book", "war", "import", "novel.txt").returncode == 0
    assert amb_here("book", "war", "settle", "facts.json", "--chapter", "5", "--title", "Ash", "--id", "f").stderr == ""
    return lambda *arguments: amb_here("book", "war", *arguments)


def test_a_manuscript_is_taken_in_and_again_it_is_there_already(amb_here: Any) -> None:
    (amb_here.folder / "novel.txt").write_text(f"第一章 雪\n\n{'林月走进望江城。“谁在那里？”林月问。' * 9}\n", "utf-8")
    assert amb_here("book", "war", "import", "novel.txt").stdout.startswith("导入 1 章，第 1 章至第 1 章\n")
    assert "其中 1 章早已导入" in amb_here("book", "war", "import", "novel.txt").stdout
    assert json.loads(amb_here("book", "war", "import", "novel.txt", "--json").stdout)["already"] == 1


def test_where_the_story_stands_and_who_is_in_it(book: Any) -> None:
    assert (
        book("position").stdout == "After chapter 5: Ash\nMaren: Walls, 0 of 1 steps done; next: Maren opens the gate\n"
    )
    assert "Maren Tolve (character, since chapter 1)\n" in book("who", "--kind", "character").stdout
    assert "the yard" not in book("who", "--at", "4").stdout
    assert json.loads(book("position", "--json").stdout)["storylines"][0]["next_step"] == "gate"


def test_lore_is_looked_up_by_key_and_by_words(book: Any) -> None:
    entry = "the bell (setting): The bell of Ash rings by itself when a king dies.\n"
    assert book("lore").stdout == book("lore", "when a king dies").stdout == entry
    assert book("lore", "tides and moons").stdout == "there is no lore on it\n"
    assert json.loads(book("lore", "the bell", "--json").stdout)[0]["key"] == "the bell"


def test_what_holds_of_somebody_is_told_as_of_a_chapter(book: Any) -> None:
    told = book("about", "Hob Rook", "--timeline").stdout
    assert "state: dead" in told
    assert "Hob Rook HAS_STATUS dead (since 5) – “Hob Rook fell from the tower.”" in told
    assert "dead" not in book("about", "Hob Rook", "--at", "4").stdout
    assert json.loads(book("about", "Maren Tolve", "--json").stdout)["place"] == "the yard"
    assert "状态：dead" in book("about", "Hob Rook", "--language", "zh").stdout


def test_a_form_is_printed_filled_in_and_settled(book: Any, amb_here: Any) -> None:
    assert "[ ] Hob Rook is at: – “Hob Rook laughed at Maren Tolve.”" in book("form", "2").stdout
    rows = json.loads(book("form", "2", "--json").stdout)
    row = next(each for each in rows if each["statement"].get("subject") == "Hob Rook")
    row["statement"]["object"] = "the cellar"
    (amb_here.folder / "form.json").write_text(json.dumps(rows), "utf-8")
    assert book("settle", "form.json", "--chapter", "2").returncode == 0
    assert json.loads(book("about", "Hob Rook", "--json", "--at", "2").stdout)["place"] == "the cellar"
    assert book("about", "Hob Rook", "--at", "2", "--json").stdout.count("HAS_STATUS") == 0


def test_facts_of_a_manuscript_need_a_model(amb_here: Any) -> None:
    (amb_here.folder / "novel.txt").write_text(SCENE * 8, "utf-8")
    ran = amb_here("book", "war", "import", "novel.txt", "--settle", "facts")
    assert ran.returncode == 1
    assert "add --model NAME" in ran.stderr


def test_passages_are_found_by_words_and_by_who_is_in_them(book: Any) -> None:
    found = json.loads(book("search", "crossed", "yard", "--with", "Hob Rook", "--last", "2", "--json").stdout)
    assert {each["chapter"] for each in found} == {3, 4}
    assert book("search", "--with", "Nobody").stdout == "no passage fits\n"
    assert book("search", "yard", "-k", "1", "--at", "1").stdout.startswith("[chapter 1: Chapter 1: The Bell]\n  Maren")


def test_a_check_prints_its_evidence_and_ends_with_1_when_something_is_found(book: Any, amb_here: Any) -> None:
    (amb_here.folder / "draft.txt").write_text("It rained.\nHob Rook laughed and drank.\n", "utf-8")
    found = book("check", "draft.txt")
    assert found.returncode == 1
    assert found.stdout.startswith("draft.txt:2:1: dead_acts: Hob Rook has been dead since chapter 5")
    assert "  chapter 5: Hob Rook HAS_STATUS dead (since 5) – “Hob Rook fell from the tower.”\n" in found.stdout
    assert (book("check", "draft.txt", "--at", "4").returncode, book("check", "draft.txt", "--json").returncode) == (
        0,
        1,
    )


def test_the_plan_is_shown_and_its_steps_are_taken(book: Any) -> None:
    assert (
        "  [ ] Siege (siege)\n    [ ] Walls (walls · Maren)\n      [ ] Maren opens the gate (gate)\n"
        in book("plan").stdout
    )
    assert "[>] Maren opens the gate (gate)" in book("plan", "--start", "gate").stdout
    book("plan", "--complete", "gate")
    again = book("plan", "--start", "gate")
    assert (again.returncode, again.stderr) == (
        1,
        "amb: 'Maren opens the gate' is Completed; reopen('gate') takes it up again.\n",
    )
    assert book("hooks", "--open").stdout == "the bell: open; laid in chapter 5 – who rang it?\n"


def test_what_is_settled_twice_changes_nothing_and_can_be_undone(book: Any) -> None:
    assert (
        book("settle", "facts.json", "--chapter", "5", "--id", "f").stdout == "f is settled already; nothing changed\n"
    )
    assert book("undo", "f").stdout == "f is undone: 4 facts went\n"
    assert "dead" not in book("about", "Hob Rook").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("about", "Nobody"), "there is no entity"),
        (("settle", "nowhere.json", "--chapter", "1"), "nowhere.json cannot be read (No such file or directory)"),
        (("settle", "novel.txt", "--chapter", "1"), "novel.txt is no JSON (line 1: Expecting value)"),
        (("check", "nowhere"), "nowhere cannot be read"),
        (("plan", "--start", "moon"), "part of the plan"),
        (("undo", "nothing"), "settlement"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(book: Any, arguments: tuple[str, ...], said: str) -> None:
    before = book("position").stdout
    ran = book(*arguments)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("amb: ")
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert book("position").stdout == before


def test_a_folder_without_a_book_is_not_made_one_by_a_question(amb_here: Any) -> None:
    ran = amb_here("book", "nowhere", "position")
    assert (ran.returncode, list(amb_here.folder.iterdir())) == (1, [])
    assert "there is no book in nowhere" in ran.stderr
