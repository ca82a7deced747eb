"""Local topic segmentation: the published contract, and what is particular to it."""

from __future__ import annotations

import pytest

from amb_agents.local_notes import LocalClassification
from amb_contracts.agents import ClassificationContract
from amb_core.agent_io import ClassificationRequest, Cluster

VOLCANO = (
    "Mount Erta is a shield volcano in the north of the country. Its summit caldera holds a lake of lava that has been "
    "active since 1906. The lava is basalt and flows at about 1,200 degrees. Geologists climb the volcano at night, "
    "when the desert is cooler. An eruption in 2005 killed 250 head of livestock around the volcano. The desert round "
    "the volcano is crossed by caravans that carry salt. Lava of an earlier eruption dammed the valley below the rim. "
)
ORCHESTRA = (
    "The Harbour Orchestra was founded in 1922 by the violinist Clara Jensen. It plays forty concerts a year "
    "in a former grain store. Its players own the orchestra and elect the conductor for three years. Recordings of "
    "late symphonies made the orchestra known abroad. In 2019 the players toured Japan with two symphonies. The grain "
    "store was given to the orchestra by the town. Half of the concerts are played for schools at no charge. "
)
CHESS = (
    "Vera Lind (born 1951) is a chess player who won the northern championship four times. She learned chess from her "
    "grandmother at the age of six. Her endgames were published as a book in 1988. Lind trains young players in a "
    "chess club in Tromsø. Several of her pupils became grandmasters in chess. Her last championship was a draw with "
    "a pupil of hers. The chess club was named after Lind in 2010, and her endgames are analysed there every Friday. "
)


def classify(text: str, goal: str = "") -> tuple[Cluster, ...]:
    return LocalClassification().classify(ClassificationRequest(text=text, task_goal=goal)).clusters


def editions(text: str, count: int) -> list[str]:
    """The text over and over, every sentence with a number of its own."""
    return [text.replace(". ", f" ({number}). ").replace("。", f"（{number}）。") for number in range(count)]


class TestContract(ClassificationContract):
    @pytest.fixture
    def agent(self) -> LocalClassification:
        return LocalClassification()


@pytest.mark.nightly
@pytest.mark.slow
def test_a_megabyte_is_taken() -> None:
    text = "".join(editions(VOLCANO + ORCHESTRA + CHESS, 800))
    clusters = classify(text[:1_000_000])
    assert sum(len(cluster.content) + 1 for cluster in clusters) >= 999_000
