"""Every small project starts as its README says, prints what it shows, and asks a model where there is a key."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = sorted(path.parent for path in (ROOT / "examples" / "projects").glob("*/README.md"))
LINES = 150
"""Of Python in a project, without empty ones."""
FENCE = re.compile(r"^```(bash|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
START = re.compile(r"^(?:AMB_LANGUAGE=zh )?\.venv/bin/python (.+)$", re.MULTILINE)
ENGLISH = re.compile(r'(?<=secret )".*"')
"""What is said to the server, in either language."""
READMES = {"en": "README.md", "zh": "README.zh.md"}
FRAMEWORKS, marks_for = itemgetter("FRAMEWORKS", "marks_for")(
    runpy.run_path(str(Path(__file__).with_name("frameworks.py")))
)
NEEDED = {"langgraph_server": ["fastapi", "langchain_openai"], "coding_agent_gateway": ["openai", "uvicorn", "httpx2"]}
"""Modules beside the framework that a project cannot do without."""

pytestmark = pytest.mark.slow


def _marks(project: str) -> list[Any]:
    names = [name for name in FRAMEWORKS if project.startswith(f"{name}_")]
    missing = [module for module in NEEDED.get(project, ()) if find_spec(module) is None]
    return [*marks_for(names), pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} is not installed")]


def fences(project: str, kind: str, readme: str = "README.md") -> list[str]:
    """The commands (bash), or what they print (text), as a project's README shows them."""
    text = (ROOT / "examples" / "projects" / project / readme).read_text(encoding="utf-8")
    return [inside for which, inside in FENCE.findall(text) if which == kind]


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of the project that the test is about, as somebody makes one."""
    here = ROOT / "examples" / "projects" / request.node.get_closest_marker("project").args[0]
    return Path(shutil.copytree(here, tmp_path / here.name, ignore=shutil.ignore_patterns("data", "work", "mybook")))


def environment(**more: str) -> dict[str, str]:
    """Ours without keys and settings of AMB, and with what is asked for."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AMB_", "OPENAI_", "MODEL"))}
    return kept | {"PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"} | more


def start(folder: Path, *arguments: str, lines: str = "", language: str = "en", **variables: str) -> str:
    """What the project prints when it is started by the command of its README."""
    (command,) = START.findall("\n".join(fences(folder.name, "bash")))
    ran = subprocess.run(
        [sys.executable, *command.split()[:1], *arguments], cwd=folder, input=lines,
        env=environment(AMB_LANGUAGE=language, **variables),
        capture_output=True, text=True, encoding="utf-8", timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert not ran.stderr
    return ran.stdout


def shown(project: str, language: str = "en") -> list[str]:
    """The lines that the README says are printed."""
    return [line for text in fences(project, "text", READMES[language]) for line in text.splitlines()]


in_both_languages = pytest.mark.parametrize("language", ["zh", pytest.param("en", marks=pytest.mark.nightly)])


def _project(name: str) -> Any:
    def marked(test: Any) -> Any:
        for mark in [pytest.mark.project(name), *_marks(name)]:
            test = mark(test)
        return test

    return marked


@contextmanager
def endpoint(*said: Say) -> Iterator[tuple[ProviderServer, dict[str, str]]]:
    """An endpoint on this machine that says these things in turn, and the variables that lead to it."""
    replies = iter(said)
    with ProviderServer(lambda seen: next(replies)) as provider:
        yield provider, {"OPENAI_API_KEY": "key", "OPENAI_BASE_URL": f"{provider.url}/v1", "MODEL": "m"}


# --- one after another ------------------------------------------------------------------------------------------------


@_project("book")
@in_both_languages
def test_the_book_finds_the_mistakes_of_the_draft_and_can_be_started_again(folder: Path, language: str) -> None:
    first = start(folder, language=language)
    assert not [line for line in shown("book", language) if line not in first.splitlines()]
    assert start(folder, language=language) == first


@pytest.mark.nightly
@_project("book")
def test_the_book_asks_a_model_where_there_is_a_key(folder: Path) -> None:
    with endpoint(*[Say('{"verdicts": [], "findings": []}')] * 3) as (provider, key):
        start(folder, **key)
    assert "The oil is low" in str(provider.seen[0].body["messages"])
    assert provider.seen[0].body["model"] == "m"


@_project("support_bot")
@pytest.mark.parametrize(("language", "router", "told", "asked"), [
    pytest.param("en", "Heron", "My router is a Heron 4.", "Which router do I have?", marks=pytest.mark.nightly),
    ("zh", "苍鹭", "我的路由器是苍鹭四型", "我的路由器是哪一种"),
])  # fmt: skip
def test_the_support_bot_knows_a_customer_again_and_no_other_one(
    folder: Path, language: str, router: str, told: str, asked: str
) -> None:
    first = start(folder, "--user", "ann", lines=f"{told}\n", language=language)
    other = start(folder, "--user", "ben", lines=f"{asked}\n", language=language)
    again = start(folder, "--user", "ann", lines=f"{asked}\n/forget\n{asked}\n", language=language)
    answers = [talk.splitlines()[1].removeprefix("> ") for talk in (first, again, other)]
    assert answers == shown("support_bot", language)
    assert again.count(router) == 1
    assert not [file for file in folder.glob("memory.db*") if router.encode() in file.read_bytes()]


@pytest.mark.nightly
@_project("support_bot")
def test_a_model_of_the_support_bot_writes_into_the_memory_of_its_customer(folder: Path) -> None:
    write = ("memory_write", {"content": "The router is a Heron 4.", "namespace": "user_profile"})
    with endpoint(Say("", [write]), Say("Noted."), Say("A Heron 4.")) as (provider, key):
        assert "> A Heron 4." in start(folder, lines="It is a Heron 4, the router.\nWhich router do I have?\n", **key)
    assert "The router is a Heron 4." in provider.seen[-1].body["messages"][0]["content"]


@_project("coding_agent_gateway")
@in_both_languages
def test_the_coding_agent_mends_the_shop_through_the_gateway(folder: Path, language: str) -> None:
    printed = start(folder, language=language)
    assert not [line for line in shown(folder.name, language) if line not in printed.splitlines()]
    assert "FREE_FROM = 75" in (folder / "work" / "delivery.py").read_text(encoding="utf-8")
    went_on, sent = re.search(r"(\d+) (?:of|/) (\d+)", printed).groups()  # type: ignore[union-attr]
    assert int(went_on) < 0.9 * int(sent)


@pytest.mark.nightly
@_project("coding_agent_gateway")
def test_the_coding_agent_goes_on_to_a_real_endpoint_and_stays_in_its_folder(folder: Path) -> None:
    with endpoint(Say("", [("read_file", {"path": "../README.md"})]), Say("I give up.")) as (provider, key):
        assert "I give up." in start(folder, **key)
    assert "is not in the project" in provider.seen[-1].body["messages"][-1]["content"]
    assert provider.seen[0].headers["authorization"] == "Bearer key"


@_project("autogen_team")
@in_both_languages
def test_the_team_asks_its_library_nothing_twice(folder: Path, language: str) -> None:
    printed = start(folder, language=language)
    assert not [line for line in shown(folder.name, language) if line not in printed]
    page = (folder / "data" / "team.html").read_text(encoding="utf-8")
    assert ("杜文海" if language == "zh" else "Ines Duarte") in page


@pytest.mark.nightly
@_project("autogen_team")
def test_the_members_of_the_team_ask_a_real_endpoint(folder: Path) -> None:
    search = Say("", [("search", {"query": "the dry dock"})])
    with endpoint(search, Say("It holds 5,400."), Say("It does."), Say("The Gannet. DONE")) as (provider, key):
        assert "The Gannet. DONE" in start(folder, **key)
    assert "5,400 cubic metres" in str(provider.seen[1].body["messages"])
    assert "Search[the dry dock]" in str(provider.seen[-1].body["messages"]), "the writer is told what was searched"


# --- the server -------------------------------------------------------------------------------------------------------


@contextmanager
def served(folder: Path, **variables: str) -> Iterator[str]:
    """The server as its README starts it, on a free port; gives its address."""
    (command,) = START.findall("\n".join(fences(folder.name, "bash")))
    with subprocess.Popen(
        [sys.executable, command], cwd=folder, env=environment(PORT="0", **variables),
        stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr
        said = ""
        while not (found := re.search(r"127\.0\.0\.1:\d+", said)):
            line = process.stderr.readline()
            assert line, said
            said += line
        rest = threading.Thread(target=process.stderr.read, daemon=True)
        rest.start()
        try:
            yield found[0]
        finally:
            process.terminate()
            rest.join(10)


def told(commands: str, address: str, folder: Path) -> list[str]:
    """What the commands of the README print when they are sent to this server."""
    script = commands.replace("127.0.0.1:8000", address)
    ran = subprocess.run(["bash", "-ec", script], cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    return ran.stdout.splitlines()


@_project("langgraph_server")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize(("language", "boots", "nobody"), [
    ("en", "pair of boots", "This token is nobody's."),
    pytest.param("zh", "一双靴子", "没有人使用这个令牌。", marks=pytest.mark.nightly),
])  # fmt: skip
def test_the_server_keeps_users_apart_through_a_restart_and_deletes_one(
    folder: Path, language: str, boots: str, nobody: str
) -> None:
    _, commands = fences(folder.name, "bash", READMES[language])
    ask = commands.partition("\nask ")[0]
    asks, deletes = commands.split("curl -s 127.0.0.1:8000/me")
    with served(folder, AMB_LANGUAGE=language) as address:
        answers = told(asks, address, folder)
    assert boots in (folder / "memory.html").read_text(encoding="utf-8")
    with served(folder, AMB_LANGUAGE=language) as address:
        answers += told(f"curl -s 127.0.0.1:8000/me{deletes}", address, folder)
        assert answers == shown(folder.name, language)
        assert [file for file in (folder / "data").rglob("*.db*") if boots.encode() in file.read_bytes()] == []
        assert told(f'{ask}\nask eve-secret "?"', address, folder) == [f'{{"detail":"{nobody}"}}']


@pytest.mark.nightly
@_project("langgraph_server")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_server_asks_a_real_endpoint(folder: Path) -> None:
    ask = fences(folder.name, "bash")[1].partition("\nask ")[0]
    with (
        endpoint(Say("", [("find_order", {"number": 4712})]), Say("In Turku.")) as (provider, key),
        served(folder, **key) as address,
    ):
        assert told(f'{ask}\nask ann-secret "Where are my boots?"', address, folder) == [
            '{"answer":"In Turku.","tools":["find_order"]}'
        ]
    assert "a pair of boots" in str(provider.seen[-1].body["messages"])


# --- all of them ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("project", [path.name for path in PROJECTS])
def test_a_project_is_short_and_says_the_same_in_both_languages(project: str) -> None:
    here = ROOT / "examples" / "projects" / project
    lines = [line for file in here.glob("*.py") for line in file.read_text(encoding="utf-8").splitlines()]
    assert len([line for line in lines if line.strip()]) <= LINES
    chinese = "\n".join(fences(project, "bash", "README.zh.md")).replace("AMB_LANGUAGE=zh ", "")
    assert ENGLISH.sub("…", chinese) == ENGLISH.sub("…", "\n".join(fences(project, "bash")))
    assert len(shown(project)) == len(shown(project, "zh"))
    for readme in ("README.md", "README.zh.md"):
        links = re.findall(r"\]\(([^)#]+)", (here / readme).read_text(encoding="utf-8"))
        assert not [link for link in links if not (here / link).exists()]
        assert f"{project}/{readme}" in (here.parent / readme).read_text(encoding="utf-8")
