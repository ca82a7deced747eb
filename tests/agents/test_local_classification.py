"""Local topic segmentation: the published contract, and what is particular to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_agents.local_notes import LocalClassification
from amb_contracts.agents import BATTERIES, RESULTS, TEA, ClassificationContract
from amb_core.agent_io import ClassificationRequest, Cluster
from amb_core.text import sentences

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
MOON = (
    "月饼是中秋节的传统食品，通常用面粉、糖和莲蓉制成。广式月饼皮薄馅多，苏式月饼层层起酥。月饼的名称最早见于南宋的文献。"
    "现代月饼还有冰淇淋馅和水果馅。一家人在中秋节的晚上一边赏月，一边分吃月饼。广式月饼在烤好以后要放两三天，等饼皮变软。"
    "月饼的模子多用梨木雕成，上面刻有花纹和字。中秋节前一个月，各地的食品厂就开始生产月饼。"
)
RAIL = (
    "成昆铁路是连接成都和昆明的铁路干线，全长1096公里。这条铁路于1970年7月1日通车。沿线共有427座隧道和991座桥梁。"
    "铁路工人在施工中克服了许多困难。隧道最长的一座长6383米。铁路通车以后，昆明到成都的列车只要一天。"
    "2022年复线建成，列车的速度提高到每小时160公里。沿线的隧道里装有照明和通风设备。"
)
CRANE = (
    "丹顶鹤（又名仙鹤）是鹤科的一种大型水鸟，栖息于沼泽和湿地。成年丹顶鹤体长约140厘米，头顶裸露呈红色。丹顶鹤以鱼、虾和水生植物为食。"
    "雌鹤每次产两枚卵，雌鹤和雄鹤轮流孵卵。幼鹤出壳以后三个月学会飞行。每年秋天，丹顶鹤成群飞往江苏的湿地越冬。"
    "黑龙江的保护区里约有四百只丹顶鹤。湿地减少是丹顶鹤面临的最大威胁。"
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


def test_a_passage_of_two_hundred_words_is_one_cluster() -> None:
    assert len(classify(VOLCANO + ORCHESTRA)) == 1


@pytest.mark.parametrize(("sentence", "most"), [(ORCHESTRA, 2_500), (CRANE, 1_100)])
def test_clusters_of_a_long_text_on_one_topic_have_a_size_that_retrieves_well(sentence: str, most: int) -> None:
    lengths = [len(cluster.content) for cluster in classify("".join(editions(sentence, 40)))]
    assert max(lengths) <= most
    assert sum(lengths) / len(lengths) > 0.2 * most


def test_the_topic_carries_title_and_heading() -> None:
    assert [cluster.context for cluster in classify(BATTERIES)] == [
        "Home batteries: Lithium iron phosphate",
        "Home batteries: Lead-acid",
    ]
    assert [cluster.context for cluster in classify(TEA)] == ["茶叶：绿茶", "茶叶：红茶"]


def test_a_topic_has_no_markup_and_at_most_120_characters() -> None:
    text = "## **The `very` long** heading " + "of many words " * 30 + "\n\n" + VOLCANO
    context = classify(text)[0].context
    assert context.startswith("The very long heading of many words")
    assert len(context) <= 120


def test_the_line_above_the_results_goes_with_the_first() -> None:
    clusters = classify(RESULTS)
    assert len(clusters) == 3
    assert clusters[0].content.startswith("Found 3 results")


def test_a_list_of_links_is_no_list_of_results() -> None:
    links = "\n".join(f"- [Page {number}](https://a.example/{number})" for number in range(12))
    assert len(classify(links)) == 1


def test_a_table_is_cut_between_rows() -> None:
    rows = [f"| cell {number} | {number * 3} cycles | {number} EUR |" for number in range(200)]
    for cluster in classify("| name | cycles | cost |\n|---|---|---|\n" + "\n".join(rows)):
        assert all(line.startswith("|") and line.endswith("|") for line in cluster.content.splitlines())


def test_a_dialogue_is_cut_between_turns() -> None:
    turns = [f"{'Ann' if number % 2 else 'Bob'}: We talked about {VOLCANO[:60]}{number}." for number in range(60)]
    clusters = classify("\n".join(turns))
    assert len(clusters) > 1
    assert all(cluster.content.startswith(("Ann:", "Bob:")) for cluster in clusters)


def test_headings_carry_over_from_cluster_to_cluster() -> None:
    clusters = classify("# Songs\n\n" + "\n\n".join(editions(ORCHESTRA, 20)))
    assert all("Songs" in cluster.context for cluster in clusters)


@pytest.mark.slow
@given(st.lists(st.sampled_from([VOLCANO, MOON, "\n\n", "# A\n", "- b\n", "x: y\n", "| 1 | 2 |\n", "```\n", "{", " "])))
def test_the_same_text_gives_the_same_answer(parts: list[str]) -> None:
    assert classify("".join(parts)) == classify("".join(parts))


@pytest.mark.nightly
@pytest.mark.slow
def test_a_megabyte_is_taken() -> None:
    text = "".join(editions(VOLCANO + ORCHESTRA + CHESS, 800))
    clusters = classify(text[:1_000_000])
    assert sum(len(cluster.content) + 1 for cluster in clusters) >= 999_000


@pytest.mark.parametrize("passage", [VOLCANO, MOON])
@pytest.mark.parametrize("joiner", ["", "\n\n"])
def test_a_passage_that_comes_again_is_taken_once(passage: str, joiner: str) -> None:
    text = ORCHESTRA + joiner + joiner.join([passage] * 50) + joiner + CHESS
    clusters = classify(text)
    assert sum(cluster.content.count(passage[:60]) for cluster in clusters) == 1
    assert all(any(part in cluster.content for cluster in clusters) for part in sentences(passage))
    assert any("Vera Lind" in cluster.content for cluster in clusters)


def test_a_greeting_that_comes_again_stays() -> None:
    turns = [f"Ann: Good morning!\nBob: Good morning, Ann. I bought {number} apples." for number in range(40)]
    assert sum(cluster.content.count("Ann: Good morning!") for cluster in classify("\n".join(turns))) == 40


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "row"),
    [
        pytest.param("log", "2024-03-01 12:{0:02d}:07 INFO worker-{1} request {2} took {3} ms", marks=pytest.mark.slow),
        pytest.param("csv", "{2},Jensen {3},Oslo,{1},2024-03-01", marks=pytest.mark.slow),
        ("json", '{{"id": {2}, "worker": {1}, "took": {3}}}'),
    ],
)
def test_records_are_put_in_large_groups_and_none_is_cut(name: str, row: str) -> None:
    rows = [row.format(n % 60, n % 7, n, n * 31 % 997) for n in range(4_000)]
    text = "[" + ",\n".join(rows) + "]" if name == "json" else "\n".join(rows)
    clusters = classify(text)
    assert len(clusters) <= len(text) // 4_000
    assert sum(cluster.content.count(row) for cluster in clusters for row in rows[:50] + rows[2_000:2_050]) == 100


@pytest.mark.parametrize(
    "line", ["月牙的{0}号架上放着第{1}位守塔人带来的一本潮汐表。", "Shelf {0} holds the table of keeper {1}."]
)
def test_lines_of_one_form_are_not_taken_for_topics(line: str) -> None:
    clusters = classify("\n".join(line.format(number * 3 + 11, number) for number in range(160)))
    assert sum(len(cluster.content) for cluster in clusters) / len(clusters) > 400
