"""Names a text mentions, what it is about, and when two names are one."""

import pytest

from amb_values import entities, name_key
from amb_values.names import known_names


def _names(text: str) -> list[str]:
    return [entity.name for entity in entities(text)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The film was directed by Christopher Nolan.", "Christopher Nolan"),
        (
            "She studied at the University of North Carolina at Chapel Hill.",
            "University of North Carolina at Chapel Hill",
        ),
        ("He was chief of staff to Queensland Senator Barnaby Joyce.", "Barnaby Joyce"),
        ("It stars J. K. Simmons and others.", "J. K. Simmons"),
        ("They played for the NFL that year.", "NFL"),
        ('He wrote "How to Eat" in a year.', "How to Eat"),
        ("The sister of Henry Stafford, 1st Baron Stafford, left.", "Henry Stafford, 1st Baron Stafford"),
        ("Mozart's Piano Sonata was played.", "Piano Sonata"),
        ("According to CATL, it lasts.", "CATL"),
        ("After World War I ended they met.", "World War I"),
        ("She read The Name of the Wind again.", "The Name of the Wind"),
        ("They sell 3M Company tape at 7-Eleven now.", "7-Eleven"),
        ("他读了《三体》。", "三体"),
        ("本片由莱昂纳多·迪卡普里奥主演。", "莱昂纳多·迪卡普里奥"),
        ("他毕业于北京大学，后来任教。", "北京大学"),
        ("导演张艺谋参加了会议。", "张艺谋"),
    ],
)
def test_names_are_found_in_running_text(text: str, name: str) -> None:
    assert name in _names(text)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Prestige (film)", "the prestige"),
        ("Orléans", "Orleans"),
        ("O'Neal", "O’Neal"),
        ("Harper &amp; Row", "Harper & Row"),
        ("莱昂德罗·内托", "莱昂德罗・内托"),
        ("ＡＢＣ公司", "ABC公司"),
    ],
)
def test_two_spellings_of_a_name_share_a_key(first: str, second: str) -> None:
    assert name_key(first) == name_key(second) != ""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Who wrote The Old Man and the Sea?", {"old man and the sea": "Old Man and the Sea"}),
        ("who wrote the old man and the sea", {"old man and the sea": "old man and the sea"}),
        ("Is Silene a plant? Is silene?", {"silene": "Silene"}),
        ("洪武门建于何时？", {"洪武门": "洪武门"}),
        ("卡尔·马克思的 LFP电池", {"卡尔马克思": "卡尔·马克思", "lfp电池": "LFP电池"}),
        ("silene", {}),
        ("", {}),
    ],
)
def test_a_question_is_searched_for_names_by_their_keys(text: str, names: dict[str, str]) -> None:
    known = {"old man and the sea", "old man", "silene", "洪武门", "卡尔马克思", "lfp电池"}
    assert known_names(text, known) == names
