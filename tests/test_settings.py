import re
from pathlib import Path

import pytest

from amb_core import Settings

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \|[^|]+\|([^|]*)\|$", re.MULTILINE)


def rows() -> dict[str, tuple[str, str]]:
    return {
        name: (default.strip().strip("`"), also.strip().strip("`"))
        for name, default, also in ROW.findall(PAGE.read_text())
    }


def test_the_settings_page_lists_every_setting_and_no_other():
    assert list(rows()) == list(Settings.model_fields)


def test_the_settings_page_gives_the_real_defaults():
    for name, (default, _) in rows().items():
        real = Settings.model_fields[name].default
        if real is not None:
            assert default == str(real).lower() or default == str(real), name


@pytest.mark.parametrize("name", [name for name, (_, also) in rows().items() if also])
def test_a_setting_can_also_be_given_by_its_original_name(name, monkeypatch):
    changed = {"alpha": 0.7, "chunk_ratio": 0.5, "storage_dir": Path("here"), "temp_dir": Path("there")}.get(name, 900)
    monkeypatch.setenv(rows()[name][1], str(changed))

    assert getattr(Settings(), name) == changed


def test_a_setting_can_be_given_by_its_amb_name(monkeypatch):
    monkeypatch.setenv("AMB_BLOCK_TOKENS", "321")

    assert Settings().block_tokens == 321


def test_a_dotenv_file_is_read(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("AMB_ALPHA=0.9\nOTHER=1\n")
    monkeypatch.chdir(tmp_path)

    assert Settings().alpha == 0.9
