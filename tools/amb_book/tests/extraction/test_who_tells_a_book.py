"""A book that somebody tells of himself; people by their titles alone; what a pronoun of a paragraph means."""

from __future__ import annotations

import pytest

from amb_book import Story

PEOPLE = """
“Sit down, Tom,” my mother told me. “Yes, Tom,” Squire Orme said to me. “Where are we, Tom?” Dr. Pell asked me.

“At home,” I said to Dr. Pell. Squire Orme had come from Ulton with Mrs. Orme and Dr. Pell, by Redmere and by Fenwick.

“Good,” said Mrs. Orme to Squire Orme. “Good,” said Dr. Pell. I saw Jacob Lamb, and Jacob Lamb saw me, in Redmere.

“Tom Hale sat there, as Tom Hale will,” Mrs. Orme told me. “Tom Hale laughed. Tom went home, and Tom came back.”

“Is that Jacob Lamb?” asked Mrs. Orme. I looked at Squire Orme, and we spoke of the road to Fenwick and Ulton.
"""
TOLD = "I looked at the lamp, and then I put it out, and I sat by the window till I slept. " * 4


def book(*chapters: str, people: str = PEOPLE) -> Story:
    story = Story(None)
    texts = (f"Chapter {number}\n\n{people}\n\n{text}" for number, text in enumerate(chapters, start=1))
    story.import_manuscript("\n\n".join(texts))
    return story


def place(story: Story, name: str, *, at: int | None = None) -> str:
    return story.facts.about(name, at=at).place


def test_who_says_i_is_whom_others_call_by_name() -> None:
    story = book(f"{TOLD}I went to Redmere.", f"{TOLD}We came to Ulton by coach.", TOLD)
    assert [place(story, "Tom", at=at) for at in (1, 2, 3)] == ["Redmere", "Ulton", "Ulton"]


def test_a_chapter_that_speaks_of_him_by_name_is_told_by_another() -> None:
    story = book(f"{TOLD}I went to Redmere.", f"{TOLD}I went to Ulton, and Tom stayed behind.", TOLD)
    assert place(story, "Tom") == "Redmere"


def test_what_he_goes_on_to_do_is_not_done_by_whom_he_names() -> None:
    story = book(f"{TOLD}I took Jacob Lamb by the arm, and went to Fenwick.", TOLD, TOLD)
    assert (place(story, "Tom"), place(story, "Jacob Lamb")) == ("Fenwick", "")


def test_who_tells_of_his_own_death_is_alive() -> None:
    story = book(f"{TOLD}I was dead, and I slept.", TOLD, TOLD)
    assert story.facts.about("Tom").status == ""


def test_a_title_alone_is_the_one_who_bears_it() -> None:
    story = book(TOLD, f"{TOLD}\n\nThe squire went to Fenwick.", TOLD + TOLD)
    assert place(story, "Squire Orme") == "Fenwick"
    other = "Squire Lamb came. Squire Lamb sat. Squire Lamb left."
    both = book(TOLD, f"{TOLD}{other}\n\nThe squire went to Fenwick.", TOLD)
    assert place(both, "Squire Orme") == ""


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("Squire Orme lay ill. Mrs. Orme spoke to Squire Orme of old days. He died at dawn.", "dead"),
        ("Had Squire Orme died in that house, nobody would have wept.", ""),
        ("Now, had Squire Orme perished, it had been a pity.", ""),
        ("Squire Orme and Dr. Pell lay ill. Mrs. Orme sat up. He died at dawn.", ""),
    ],
)
def test_a_pronoun_means_the_only_man_of_its_paragraph_and_a_condition_kills_nobody(told: str, status: str) -> None:
    story = book(TOLD, f"{TOLD}\n\n{told}")
    assert story.facts.about("Squire Orme").status == status


@pytest.mark.parametrize("told", ["Jacob Lamb of Fenwick was late.", "Jacob Lamb kept a shop in Fenwick."])
def test_where_people_live_is_told(told: str) -> None:
    story = book(f"{TOLD}\n\n{told}", TOLD)
    assert ("LIVES_AT", "Fenwick") in {(each.relation, each.object) for each in story.facts.about("Jacob Lamb").facts}


def test_a_couple_of_a_name_that_another_man_has_is_nobodys() -> None:
    couple = "“Yes,” said Mr. Dale. Mr. Dale sat. Mr. Dale left. “No,” said Mrs. Dale. Mrs. Dale sat. Mrs. Dale left. "
    couple += "Mr. and Mrs. Dale came."
    other = "".join(f" “Yes,” said {one} Dale. {one} Dale sat down. {one} Dale wept." for one in ("Linus", "Hugo"))
    for told, related in ((couple, 1), (couple + other, 0)):
        story = book(f"{TOLD}\n\n{told}", TOLD)
        found = [each for each in story.facts.about("Mrs. Dale").facts if each.relation == "MARRIED_TO"]
        assert len(found) == related


def test_a_boy_called_master_is_not_the_mr_of_his_mother() -> None:
    family = "“Master John!” cried Nan. “No,” said John Reed. John Reed ran. John Reed hid. “Oh,” said Mrs. Reed. "
    story = book(f"{family}Mrs. Reed sat. Mr. Reed had left. “Good,” said Mr. Reed. Mrs. Reed spoke of Mr. Reed.")
    assert [each.name for each in story.facts.resolve("Mr. Reed")] == ["Mr. Reed"]
