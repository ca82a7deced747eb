from pathlib import Path

import pytest

from amb_cli import main
from amb_cli.doctor import checks
from amb_core import InvalidParameter, Settings

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
SEED_NAMES = {
    "RETRIEVAL_K": "retrieval_k",
    "RETRIEVAL_ALPHA": "alpha",
    "CLASSIFICATION_AGENT_WINDOW": "agent_window",
    "CHUNK_RATIO": "chunk_ratio",
    "MAX_CONTEXT_TOKENS": "prompt_budget_tokens",
    "STORAGE_DIR": "storage_dir",
    "TEMP_DIR": "temp_dir",
}


def test_the_settings_page_holds_the_table_as_it_is_now(capsys):
    assert main(["settings", "--markdown"]) == 0

    assert capsys.readouterr().out in PAGE.read_text(encoding="utf-8"), "renew it: amb settings --markdown"


def test_a_setting_that_does_not_exist_is_refused_with_the_nearest_name():
    with pytest.raises(InvalidParameter, match="Did you mean prompt_budget_tokens"):
        Settings(prompt_budget=8_000)
    with pytest.raises(InvalidParameter, match="no setting zzz"):
        Settings(zzz=1)


def test_every_setting_says_what_it_means_and_what_it_may_be():
    rows = [line.split("|") for line in Settings.table().splitlines()[2:]]

    assert [row[1].strip(" `") for row in rows] == list(Settings.model_fields)
    assert all(row[5].strip() not in ("", "None") for row in rows)
    assert {row[1].strip(" `") for row in rows if not row[4].strip()} == {
        "merge_with_last_user",
        "count_tokens",
        "keep_tools",
        "storage_dir",
        "temp_dir",
        "strict",
    }


def test_what_is_set_where_one_is_can_be_printed(monkeypatch, capsys):
    monkeypatch.setenv("AMB_ALPHA", "0.7")

    assert main(["settings"]) == 0
    assert "alpha = 0.7  (default: 0.4)" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("variable", "name"), SEED_NAMES.items())
def test_a_setting_can_also_be_given_by_its_original_name(variable, name, monkeypatch):
    changed = {"alpha": 0.7, "chunk_ratio": 0.5, "storage_dir": Path("here"), "temp_dir": Path("there")}.get(name, 900)
    monkeypatch.setenv(variable, str(changed))

    assert getattr(Settings(), name) == changed
    assert f"`{variable}`" in Settings.table()


def test_a_setting_can_be_given_by_its_amb_name(monkeypatch):
    monkeypatch.setenv("AMB_BLOCK_TOKENS", "321")

    assert Settings().block_tokens == 321


def test_a_dotenv_file_is_read(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("AMB_ALPHA=0.9\nOTHER=1\n")
    monkeypatch.chdir(tmp_path)

    assert Settings().alpha == 0.9


@pytest.mark.parametrize("variable", ["AMB_ALPHA", "amb_alpha", "Retrieval_Alpha", "alpha"])
@pytest.mark.parametrize("place", ["environment", ".env"])
def test_names_of_variables_are_known_in_small_and_large_letters(variable, place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if place == ".env":
        (tmp_path / ".env").write_text(f"OTHER=1\n{variable}=0.9\n")
    else:
        monkeypatch.setenv(variable, "0.9")

    assert Settings().alpha == 0.9
    assert Settings(alpha=0.3).alpha == 0.3
    assert Settings().model_fields_set == {"alpha"}


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("budget", "prompt_budget_tokens"),
        ("tokenizer_count", "count_tokens"),
        ("prompt_budget_token", "prompt_budget_tokens"),
    ],
)
def test_a_setting_that_shares_a_word_is_meant_before_one_that_looks_alike(wrong: str, meant: str) -> None:
    with pytest.raises(InvalidParameter, match=f"Did you mean .*{meant}"):
        Settings(**{wrong: 3})


def test_the_doctor_names_what_the_design_documents_set_and_nothing_reads(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text("EMBEDDING_MODEL=x\nPLANNING_AGENT_WINDOW=8000\nLLM_TEMPERATURE=0.3\nRETRIEVAL_K=5\n")

    said = [check.detail for check in checks() if check.name == "environment"]

    assert [detail.partition(";")[0] for detail in said] == [
        "nothing reads EMBEDDING_MODEL",
        "nothing reads PLANNING_AGENT_WINDOW",
    ]
