"""Defaults from a file: what it may hold, what counts more, and what it must not hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from amb_cli import main
from amb_cli.environment import configured, environment, model_told


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def test_a_file_of_the_folder_counts_more_than_the_one_for_all_folders(folder: Path) -> None:
    everywhere = folder.parent / "config" / "amb" / "config.toml"
    everywhere.parent.mkdir(parents=True)
    everywhere.write_text('model = "small"\nlanguage = "zh"\n')
    (folder / "pyproject.toml").write_text('[tool.amb]\nfolder = "out"\nbudget-tokens = 5000\n')
    (folder / "amb.toml").write_text('model = "large"\n')

    told = {"LLM_MODEL": "large", "AMB_LANGUAGE": "zh", "AMB_FOLDER": "out", "AMB_BUDGET_TOKENS": "5000"}
    assert configured() == told


def test_the_environment_and_its_file_count_more(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "amb.toml").write_text('model = "of the file"\nbase-url = "http://127.0.0.1:1/v1"\n')
    with environment():
        assert model_told() == "of the file"
    (folder / ".env").write_text("LLM_MODEL=of-dotenv\n")
    with environment():
        assert model_told() == "of-dotenv"
    monkeypatch.setenv("LLM_MODEL", "of the shell")
    with environment():
        assert model_told() == "of the shell"


@pytest.mark.parametrize(("text", "said"), [
    ('modle = "m"', "'modle', which is no setting; is 'model' meant?"),
    ('api-key = "sk-0123456789"', "a secret does not belong in it: take it out, and set LLM_API_KEY"),
    ('access_token = "sk-0123456789"', "a secret does not belong in it"),
    ("budget-tokens = true", "budget-tokens in amb.toml must be a whole number from 1 on"),
    ("model = 7", "model in amb.toml must be a text between quotation marks"),
    ("model = ", "amb.toml cannot be read as TOML"),
    ('language = "fr"', "it takes en or zh"),
])  # fmt: skip
def test_what_a_file_must_not_hold_is_one_line_that_says_what_to_do(
    text: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "amb.toml").write_text(text)
    assert main(["settings"]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert "sk-0123456789" not in error


def test_a_file_says_the_language_of_help(folder: Path, capsys: Any) -> None:
    (folder / "amb.toml").write_text('language = "zh"')
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("用法：amb ")
    assert main(["--language", "en"]) == 0
    assert capsys.readouterr().out.startswith("usage: amb ")
