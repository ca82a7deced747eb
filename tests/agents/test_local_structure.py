"""Local summaries: the published contract, and what is particular to keeping whole sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_agents.local_notes import LocalStructure
from amb_contracts.agents import BATTERIES, TEA, StructureContract
from amb_core.agent_io import StructureRequest
from amb_core.text import sentences

PRONOUNS = (
    "Clara Jensen was a violinist from Bergen who studied in Leipzig. She founded the Harbour Orchestra in 1922 and "
    "led it for thirty years. The grain store in which concerts are given was built by Peter Holm in 1871. He sold it "
    "to the town for 12,000 crowns. This was a scandal at the time. Concerts are mostly on Sundays. There are 800 "
    "seats. "
    "A new roof was laid in 2004. Tickets are sold at the harbour office."
)

BAND = (
    "The band was founded by Ann Lee, whose mother had sung in a choir for a while and liked it well enough. It has "
    "made 12 records since 1990. The second record was bought by 40,000 people in Norway, although nobody had expected "
    "that. Concerts are mostly given in the summer, because the halls are cheap then and the players have time. There "
    "are many who like the band, as one might expect of people who like this kind of thing and know what they like."
)
GARDEN = (
    "花园由林文设计（Lin Wen the Elder of Hangzhou），建于1920年，占地三公顷，是当地最大的花园。"
    "园内有两座桥和一座塔，塔高25米。每年春天有很多人来这里看花，大家都觉得非常高兴，心情也随之好了起来。花园在1950年重修，费用为八万元。"
    "园中的树木长得很好，非常茂盛，令人喜爱。管理处设在东门旁边，工作人员一共有十二人，他们每天都来打扫，从不间断。"
)


def summary(text: str, goal: str = "") -> str:
    return LocalStructure().structure(StructureRequest(content=text, task_goal=goal)).summary


class TestContract(StructureContract):
    @pytest.fixture
    def agent(self) -> LocalStructure:
        return LocalStructure()


@pytest.mark.parametrize("text", [BATTERIES, TEA, PRONOUNS, BAND, GARDEN])
def test_a_summary_is_the_content_with_stretches_left_out(text: str) -> None:
    rest = iter(text)
    assert all(char in rest for char in summary(text).replace("…", "") if not char.isspace())


@pytest.mark.parametrize("text", [BATTERIES, TEA, PRONOUNS])
def test_at_most_half_is_kept_and_not_less_than_three_tenths(text: str) -> None:
    assert 0.3 * len(text) <= len(summary(text)) <= 0.52 * len(text)


@pytest.mark.parametrize(
    "text",
    [
        "A note of one sentence.",
        "First fact is 12. Second fact is 13. Third fact is 14. Fourth fact is 15.",
        "One: 1,000 units were sold in Norway in the spring of 2021 by the firm of Holm and sons, who trade in grain. "
        "Two: 3,000 units were sold in Denmark in the autumn by the firm of Jensen, who had bought them from Holm. "
        "Three: the rest was stored in a harbour office and has not been seen since by anybody.",
        "会议定于2024年5月3日举行。地点改为三楼会议室。",
    ],
)
def test_short_content_is_kept_whole(text: str) -> None:
    assert summary(text) == text


def test_a_pronoun_is_not_kept_without_whom_it_stands_for() -> None:
    kept = summary(PRONOUNS, "For how many crowns was it sold to the town?")
    assert "12,000 crowns" in kept
    assert "Peter Holm" in kept


def test_this_is_not_kept_without_the_sentence_before() -> None:
    kept = summary(PRONOUNS, "Which scandal was there?")
    assert "scandal" in kept
    assert "12,000 crowns" in kept


def test_a_sentence_as_long_as_a_page_is_shortened_at_clauses_and_says_so() -> None:
    clause = "the council heard the engineer, who spoke of the bridge, the river and the winter of 1947, "
    kept = summary("Then " + clause * 8 + "and left.")
    assert kept
    assert "…" in kept


def test_no_bracket_with_a_year_is_taken_out_of_its_sentence() -> None:
    text = "Ann Lee (born 1951 in Oslo) is a violinist who has led the band from the start. " + BAND
    assert "(born 1951 in Oslo)" in summary(text, "Ann Lee violinist")


def test_content_over_the_window_is_taken_chunk_by_chunk() -> None:
    text = "\n\n".join([BATTERIES, TEA] * 10)
    kept = summary(text)
    assert 0.25 * len(text) < len(kept) < 0.65 * len(text)


@given(
    st.lists(st.sampled_from([*sentences(PRONOUNS), *sentences(TEA), "\n\n", "- b\n", "# A\n", " ", "{", "x" * 500]))
)
def test_the_same_content_gives_the_same_summary(parts: list[str]) -> None:
    text = "".join(parts)
    assert summary(text) == summary(text)
    assert len(summary(text)) <= len(text)
