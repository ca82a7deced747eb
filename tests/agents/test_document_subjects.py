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


ZH_REPORT = (
    "# 云港造船厂2023年年度报告\n\n云港造船厂成立于1958年，位于云港市北岸区。董事长为周启明。2023年共交付船舶18艘。"
)


@pytest.mark.parametrize(
    ("story", "values"),
    [
        ("走进云港造船厂\n这家创办于1985年的老厂，一年四季都很忙。工人们很早上班。", {"1958年", "1985年"}),
        ("走进云港造船厂\n工人们很早上班。董事长由陈大伟担任，他很忙。", {"周启明", "陈大伟"}),
        ("走进云港造船厂\n工人们很早上班。船厂如今坐落在云港市南岸区。", {"云港市北岸区", "云港市南岸区"}),
    ],
)
def test_a_story_that_points_to_the_yard_is_held_against_its_report(story: str, values: set[str]) -> None:
    for found in (contradictions(ZH_REPORT, story), contradictions(story, ZH_REPORT)):
        assert values in [set(pair.values) for pair in found]


def test_the_named_dam_of_a_report_on_a_scheme_is_the_dam_of_the_encyclopedia() -> None:
    report = "# 青岚水利枢纽2023年度报告\n\n青岚大坝位于沅溪中游的松河县境内,坝高128米。工程很大。"
    assert contradictions(report, "青岚大坝\n青岚大坝是一座重力坝,坝高135米。大坝很美。")
    assert not contradictions(report, "下青岚大坝\n下青岚大坝是一座土石坝,坝高42米。大坝很美。")


def test_an_event_of_a_day_is_the_same_in_every_text() -> None:
    said = "The outage of 3 July 2024 began at 09:12 UTC."
    assert contradictions(said, said.replace("09:12", "08:40") + " Uploads failed at once.")
    assert not contradictions(said, said.replace("09:12", "08:40").replace("3 July", "4 July"))


def test_a_clause_after_the_hospital_is_about_the_hospital() -> None:
    wiki = "Marlowe General Hospital\nThe wards are full. Marlowe General Hospital opened on 14 May 1961."
    news = "The hospital, which opened its doors on 9 June 1961, has been short of money for years."
    assert contradictions(wiki, news, topics=("", "Marlowe General"))
    assert not contradictions(wiki, news, topics=("", "Marlowe Community Hospital"))


def test_a_news_item_is_about_whom_its_story_begins_with() -> None:
    item = "THE MARLOWE HERALD\nMonday 11 March 2024\n\n{} came under renewed pressure last night after campaigners "
    item += "published figures they say were kept from the public for years.\n\nThe hospital has a staff of 2,510."
    wiki = "Marlowe General Hospital\nThe wards are full. Marlowe General Hospital employs 2,150 people."
    assert contradictions(wiki, item.format("Marlowe General"))
    assert not contradictions(wiki, item.format("Marlowe School"))


def test_a_dam_seen_also_is_another_dam() -> None:
    dam = "青岚大坝\n青岚大坝是一座重力坝,坝高135米。大坝很美。"
    assert not contradictions(dam, "大坝很美。另见:下青岚大坝,位于下游18公里处,坝高42米。", topics=("", "青岚大坝"))


def test_opening_hours_in_the_same_words_are_one_question() -> None:
    leaflet = "Visiting hours on all wards are 15:00 to 19:00. Please ring first."
    topics = ("Coming to Marlowe General: information for visitors", "Marlowe General Hospital: ward register")
    assert contradictions(leaflet, leaflet.replace("15:00 to 19:00", "14:00 to 20:00"), topics=topics)
    assert not contradictions(leaflet, "Visiting hours in intensive care are 14:00 to 20:00. Ring.", topics=topics)


@pytest.mark.parametrize(
    ("a", "b", "values"),
    [
        (
            "The medical director of the hospital is Dr Helen Ashdown.",
            "The winter was hard, said Dr Priya Raman, the hospital's medical director.",
            {"Helen Ashdown", "Priya Raman"},
        ),
        ("董事长为周启明。", "公司董事长陈大伟表示，船厂很忙。", {"周启明", "陈大伟"}),
        ("总工程师由女工程师林若兰担任。", "该厂的总工程师陈汉文介绍，一切正常。", {"林若兰", "陈汉文"}),
    ],
)
def test_an_office_named_beside_a_name_is_held_by_it(a: str, b: str, values: set[str]) -> None:
    topic = "Marlowe General Hospital" if a.isascii() else "云港造船厂"
    assert values in [set(pair.values) for pair in contradictions(a, b, topics=(topic, topic))]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The chief executive is Judith Prys.", "The chief executive, Martin Oyelaran, left in November."),
        ("The medical director is Helen Ashdown.", "Henry Ashdown, head of radiology, defended the purchase."),
        ("The medical director is Helen Ashdown.", "Priya Raman, the deputy medical director, disagreed."),
        ("董事长为周启明。", "公司副董事长陈大伟表示，船厂很忙。"),
        ("董事长为周启明。", "北方船厂董事长陈大伟表示，船厂很忙。"),
        ("董事长为周启明。", "公司原董事长陈大伟表示，船厂很忙。"),
    ],
)
def test_a_predecessor_a_deputy_and_another_house_hold_another_office(a: str, b: str) -> None:
    topic = "Marlowe General Hospital" if a.isascii() else "云港造船厂"
    assert not contradictions(a, b, topics=(topic, topic))


def test_a_register_on_one_line_is_held_against_what_documents_tell() -> None:
    row = "云港造船厂，建厂时间：1985年；地址：云港市南岸区；董事长：陈大伟；2023年交付船舶：16艘"
    values = [set(pair.values) for pair in contradictions(ZH_REPORT, row)]
    assert {"1958年", "1985年"} in values
    assert {"周启明", "陈大伟"} in values
    assert {"18", "16艘"} in values
    assert not contradictions(ZH_REPORT, "云港造船厂，员工人数：3200；码头：2个；2022年交付船舶：16艘")


def test_beds_on_three_sites_are_all_the_beds() -> None:
    said = "Marlowe General Hospital has 640 beds on three sites and employs 2,150 people."
    record = '{"facility": "Marlowe General Hospital", "beds": 604, "employees": 2150, "revenue_2022": 500}'
    assert [set(pair.values) for pair in contradictions(said, record)] == [{"640", "604"}]
    assert not contradictions(said.replace("on three sites", "in the north wing"), record)
    assert not contradictions(record, "Marlowe General Hospital had a revenue of 700 in 2023.")


def test_what_a_place_has_is_held_against_what_it_has_none_of() -> None:
    topics = ("Marlowe General Hospital", "Marlowe General")
    has = "The wards are full. There is a helipad on the roof of the Tern Wing."
    lacks = "Patients who arrive by helicopter come by road, since the hospital has no helipad. The wards are full."
    assert contradictions(has, lacks, topics=topics)
    for other in ("helipad on the south side", "helipad yet", "car park"):
        assert not contradictions(has, lacks.replace("helipad", other), topics=topics)
    assert not contradictions(has, lacks, topics=("Marlowe General Hospital", "Marlowe Community Hospital"))
