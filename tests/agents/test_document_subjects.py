"""What the statements of a document are about, where its title is more or less than the name of the thing."""

from __future__ import annotations

import pytest

from amb_core.agents import contradictions
from amb_core.agents.document_titles import entity_of, is_section

REPORT = "# Marlowe General Hospital: annual report 2023\n\nThe hospital is in Marlowe. It employs 2,150 people."


@pytest.mark.parametrize(
    ("title", "thing"),
    [
        ("Marlowe General Hospital: annual report 2024", "Marlowe General Hospital"),
        ("Annual report 2024: Marlowe General Hospital", "Marlowe General Hospital"),
        ("Protocol for Cardexin", "Cardexin"),
        ("Cardexin patient leaflet", "Cardexin"),
        ("走进云港造船厂", "云港造船厂"),
        ("云港造船厂2023年年度报告", "云港造船厂"),
        ("2010年冬季奥运会", "2010年冬季奥运会"),
        ("2019 Cricket World Cup", "2019 Cricket World Cup"),
    ],
)
def test_a_title_names_the_thing_and_not_the_kind_of_document(title: str, thing: str) -> None:
    assert entity_of(title) == thing


def test_headings_of_plain_words_are_sections() -> None:
    assert all(map(is_section, ("Finances", "Key figures", "经营情况", "财务")))
    assert not any(map(is_section, ("Marlowe General", "云港造船厂")))


def test_a_section_is_about_what_its_document_is_about() -> None:
    section = "## Staff\n\nThe wards were full. The hospital employs 2,150 people."
    path = "Marlowe General Hospital: annual report 2023: Staff"
    assert contradictions(section, "Marlowe General Hospital has a staff of 2,510.", topics=(path, ""))


def test_reports_on_two_years_do_not_contradict_each_other_but_in_what_lasts() -> None:
    other = REPORT.replace("2023", "2024").replace("2,150", "2,510")
    assert not contradictions(REPORT, other)
    assert contradictions(REPORT, other.replace("2024", "2023"))
    founded = "# Marlowe General Hospital: annual report {}\n\nThe wards are full. It was founded in {}."
    assert contradictions(founded.format(2023, 1912), founded.format(2024, 1921))


def test_a_name_may_leave_out_what_kind_of_place_it_is_unless_that_is_all_that_tells_it_apart() -> None:
    long = "Marlowe General Hospital was founded in 1912 by the physician Ada Kerr."
    assert contradictions(long, "Marlowe General, established in 1921, can now accommodate 640 patients at a time.")
    assert not contradictions(long, "Marlowe General School was established in 1921.")
    assert not contradictions("Riverton was founded in 1820.", "Riverton Museum was founded in 1920.")
    assert not contradictions("Riverton has 400 beds.", "Riverton Hospital has 900 beds.")
