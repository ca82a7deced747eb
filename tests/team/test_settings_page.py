"""The page on team memory shows the settings as they are."""

from pathlib import Path

from amb_team import TeamSettings

PAGE = Path(__file__).parents[2] / "docs" / "team.md"


def test_the_page_holds_the_table_as_it_is_now():
    assert TeamSettings.table() in PAGE.read_text(encoding="utf-8"), "renew it: TeamSettings.table()"
