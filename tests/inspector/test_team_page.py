"""The page of a team: everything an export holds, in two languages, and nothing that it does not hold."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import runpy
from importlib import resources
from pathlib import Path

import pytest

from amb_core import InvalidInput, InvalidParameter, ManualClock
from amb_inspector import page as pages
from amb_inspector import render_team_page, write_team_page
from amb_team import TeamMemory
from amb_team.team_records import Challenge

PAGES = runpy.run_path(str(Path(__file__).parents[1] / "page_contents.py"))
tags, data = (PAGES[name] for name in ("tags", "data"))
TEMPLATE = Path(str(resources.files("amb_inspector"))) / "template"
SCRIPTS = {file.name: file.read_text("utf-8") for file in sorted((TEMPLATE / "team" / "scripts").glob("*.js"))}
STYLES = {file.name: file.read_text("utf-8") for file in sorted((TEMPLATE / "team" / "styles").glob("*.css"))}
WORDS = {name: json.loads((TEMPLATE / "team" / "words" / f"{name}.json").read_text("utf-8")) for name in ("en", "zh")}
SHARED = [(TEMPLATE / "scripts" / name).read_text("utf-8") for name in ("dom.js", "frame.js")]
ALL_SCRIPTS = "".join([*SHARED, *SCRIPTS.values()])
PAGE = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
SECRET = "I think it is the gull."
ATTACK = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e\ud800\u2028"


def told(task: str = "Who is the spouse of the director of Titanic?", said: str = PAGE) -> TeamMemory:
    team = TeamMemory(task, agents=["solver", "retriever"], clock=ManualClock(1_700_000_000, step=1), team_id="t")
    team.observe(agent="solver", action="Search[Titanic director]", observation=said)
    team.private("solver").note(Challenge, content=SECRET)
    team.message("solver", "retriever", said)
    return team


def test_the_page_holds_everything_a_full_export_holds() -> None:
    snapshot = told().snapshot(everything=True)
    shown = data(render_team_page(snapshot))["team"]
    assert shown["records"] == snapshot["records"]
    assert shown["private"] == snapshot["private"]
    assert shown["holds_private_notes"] is True


def test_the_page_of_a_shared_export_holds_no_private_note() -> None:
    assert SECRET in render_team_page(told().snapshot(everything=True))
    assert SECRET not in render_team_page(told().snapshot())


def test_the_page_of_one_agents_export_is_marked_as_private() -> None:
    shown = data(render_team_page(told().snapshot("solver")))["team"]
    assert (shown["scope"], shown["holds_private_notes"]) == ("private.solver", True)


def test_hostile_text_adds_no_tag_and_reaches_the_page_unchanged() -> None:
    plain, attacked = told().snapshot(everything=True), told(ATTACK, ATTACK).snapshot(everything=True)
    page = render_team_page(attacked, title=ATTACK)
    assert tags(page) == tags(render_team_page(plain))
    assert data(page)["team"]["task"] == attacked["task"]
    page.encode("utf-8")


def test_the_policy_allows_exactly_this_style_and_this_script() -> None:
    page = render_team_page(told().snapshot())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    for tag in ("style", "script"):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[-1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src &#x27;sha256-{digest}&#x27;" in policy[1] or f"{tag}-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none'")


def test_nothing_on_the_page_points_outside() -> None:
    page = render_team_page(told().snapshot())
    assert re.findall(r'(?:src|href)="([^"]*)"', page.partition('id="amb-data"')[0]) == ["data:,"]


def test_the_language_follows_the_task_unless_it_is_given() -> None:
    chinese = told("《泰坦尼克号》导演的配偶是谁？").snapshot()
    assert data(render_team_page(chinese))["page"]["language"] == "zh"
    assert data(render_team_page(chinese, language="en"))["page"]["language"] == "en"
    with pytest.raises(InvalidParameter, match="'auto', 'en' or 'zh'"):
        render_team_page(chinese, language="fr")  # type: ignore[arg-type]


def test_what_is_no_snapshot_of_a_team_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"team\.export"):
        write_team_page({"format": "amb-task-memory"}, tmp_path / "x.html")
    assert [*tmp_path.iterdir()] == []


def test_the_page_is_written_whole(tmp_path: Path) -> None:
    path = write_team_page(told().snapshot(), tmp_path / "deep" / "team.html")
    assert path.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert [file.name for file in path.parent.iterdir()] == ["team.html"]


def test_every_piece_of_the_template_is_used_and_short() -> None:
    used = {name.rpartition("/")[2] for name in (*pages._TEAM_SCRIPTS, *pages._TEAM_STYLES) if name.startswith("team/")}
    assert used == {*SCRIPTS, *STYLES}
    assert [name for name, text in (SCRIPTS | STYLES).items() if text.count("\n") > 400] == []


def test_both_languages_have_the_same_words_with_the_same_places() -> None:
    def places(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    assert {key for key in WORDS["en"] if not key.endswith(".one")} == WORDS["zh"].keys()
    assert [key for key, text in WORDS["zh"].items() if places(text) != places(WORDS["en"][key])] == []
    assert [key for key, text in WORDS["zh"].items() if not re.search(r"[\u4e00-\u9fff]", text)] == []


def test_every_word_the_scripts_ask_for_exists_and_every_word_is_asked_for() -> None:
    asked = set(re.findall(r'"([a-z]+\.[\w.]+)"', ALL_SCRIPTS)) | {"confidence"}
    prefixes = tuple(re.findall(r"`([a-zA-Z]+\.)\$\{", ALL_SCRIPTS))
    bare = {key.removesuffix(".one") for key in WORDS["en"]}
    called = set(re.findall(r'\b(?:t|plural|numeric|listed)\(\s*"([\w.]+)"', ALL_SCRIPTS))
    assert called - WORDS["en"].keys() - {"copy", "copied", "copy.failed"} == set()
    assert {key for key in bare if not key.startswith(prefixes)} - asked == set()


@pytest.mark.parametrize(
    "means",
    ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser", "fetch(",
     "XMLHttpRequest", "import(", "localStorage", "Math.random", "Date.now", "</script", "<!--"],
)  # fmt: skip
def test_no_script_makes_markup_from_text_or_reaches_out(means: str) -> None:
    assert [name for name, text in SCRIPTS.items() if means in text] == []
    assert [name for name, text in STYLES.items() if re.search(r"url\(|@import|</style", text)] == []
