"""`amb team show`: an export of a team's memory in words and as a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from amb_core import ManualClock
from amb_core.cli import main
from amb_core.team import TeamMemory
from amb_core.team.team_records import Challenge

PAGE = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
SECRET = "I think it is the gull."


@pytest.fixture
def team():
    clock = ManualClock(1_700_000_000, step=1)
    with TeamMemory("Who directed Titanic?", agents=["solver", "检索者"], clock=clock) as made:
        made.observe(agent="solver", action="Search[Titanic director]", observation=PAGE)
        made.before_search("检索者", "director of Titanic")
        made.private("solver").note(Challenge, content=SECRET)
        made.finish(answer="James Cameron", success=True)
        yield made


def shown(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["team", "show", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_the_figures_and_what_was_done_are_told_in_words(team, tmp_path, capsys):
    said = shown(capsys, team.export(tmp_path / "team.json"))
    assert "state: completed; answer: James Cameron" in said
    assert "searches: 1; 1 answered from memory, 0 made again" in said
    assert "solver: Search[Titanic director] → James Cameron" in said
    assert "检索者: Titanic director" in said
    assert "private" not in said


def test_a_full_export_is_called_what_it_is_without_telling_the_notes(team, tmp_path, capsys):
    said = shown(capsys, team.export(tmp_path / "team.json", everything=True))
    assert "This export holds private notes" in said
    assert "private notes of solver:" in said
    assert SECRET not in said


def test_the_page_is_written_where_it_is_wanted(team, tmp_path, capsys):
    page = tmp_path / "team.html"
    said = shown(capsys, team.export(tmp_path / "team.json", everything=True), "--html", page)
    assert f"page: {page}" in said
    assert SECRET in page.read_text("utf-8")


@pytest.mark.parametrize("text", ["", "{}", '{"format": "amb-task-memory", "version": 1}'])
def test_what_is_no_export_of_a_team_is_refused_in_one_line(tmp_path: Path, capsys, text):
    (tmp_path / "x.json").write_text(text)
    assert main(["team", "show", str(tmp_path / "x.json")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("amb: ")
    assert said.count("\n") == 1
    assert "team.export" in said


def test_one_agents_export_shows_its_kinds_of_notes(team, tmp_path, capsys):
    said = shown(capsys, team.export(tmp_path / "one.json", agent="solver"))
    assert "hops:\n" not in said
    assert "private notes of solver:" in said
    assert "holds private notes" in said
