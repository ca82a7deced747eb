from pathlib import Path
from pydoc_data.topics import topics

import pytest

from amb_core import ConflictStatus, MemoryBank, Settings, TaskType
from amb_tools.corpus import Document, read_corpus
from amb_tools.research import compose_answer, research

CORPORA = Path(__file__).resolve().parents[2] / "examples" / "corpora"
CASES = [
    ("island_microgrid", "What is the usable capacity of the Harbour Point battery, and which cells is it built from?"),
    ("海水淡化厂", "青屿海水淡化厂的日产水量是多少？采用什么工艺？"),
]
"""Two sources contradict each other, and a third one decides."""


@pytest.fixture(params=[0, 1], ids=["en", "zh"])
def case(request):
    name, question = CASES[request.param]
    return name, question, read_corpus(CORPORA / name)


@pytest.fixture
def run(case):
    """A case worked through: the bank and its report."""
    _, question, documents = case
    with MemoryBank(question) as bank:
        yield bank, research(bank, documents)


@pytest.mark.slow
def test_the_planted_contradiction_is_found_verified_and_merged(run):
    bank, report = run

    assert [conflict.status for conflict in bank.conflicts] == [ConflictStatus.RESOLVED]
    assert len(bank.merges) == 1
    assert report.finished


def test_the_verification_reads_a_source_that_neither_side_stands_on(run):
    _, report = run
    before = [turn for turn in report.turns if turn.task.type is TaskType.NORMAL and turn.number == 1]
    verifying = next(turn for turn in report.turns if turn.task.type is TaskType.CROSS_VALIDATE)

    read_before = {reading.document for turn in before for reading in turn.read}
    assert verifying.read[-1].document not in read_before
    assert verifying.read[-1].report.resolved


def test_the_answer_gives_the_verified_value_with_its_source(run):
    bank, report = run
    winner, loser = ("18 MWh", "12 MWh") if "battery" in bank.insight.task_goal else ("8万吨", "5万吨")

    first = report.answer.citations[0]
    assert winner in first.text
    assert loser not in report.answer.text
    assert any(first.text in " ".join(entry.text.split()) for entry in bank.host.deep_retrieval(first.node_id))


def test_a_sentence_of_a_merged_note_is_cited_with_the_one_source_it_stands_in(run, case):
    _, report = run
    documents = {document.name: " ".join(document.text.split()) for document in case[2]}
    assert [c for c in report.answer.citations if c.text not in documents[c.source]] == []


def test_what_is_printed_of_a_request_is_what_the_page_shows_of_it(run):
    bank, report = run
    shown = [(one.prompt_tokens, one.raw_tokens) for one in bank.snapshot().injections]

    assert shown == [(turn.prompt_tokens, turn.raw_tokens) for turn in report.turns]


def test_an_answer_says_what_another_source_says_instead():
    with MemoryBank("How long is the pier of Lyness?") as bank:
        for length, source in ((80, "a.txt"), (90, "b.txt")):
            bank.read(f"The pier of Lyness is {length} metres long.", source=source)
        answer = compose_answer(bank, "How long is the pier of Lyness?")

    assert {one.source: one.instead for one in answer.citations} == {
        "a.txt": "b.txt:1: The pier of Lyness is 90 metres long.",
        "b.txt": "a.txt:1: The pier of Lyness is 80 metres long.",
    }


def test_a_corpus_without_an_answer_ends_and_says_so():
    with MemoryBank("Who won the chess match of 1931?") as bank:
        report = research(bank, [Document("a.txt", "Gulls sit on the quay all day long.", Path("a.txt"))])

    assert report.answer.citations == ()
    assert bank.insight.pending is None


@pytest.mark.parametrize(
    ("text", "answered", "unanswered", "said"),
    [
        (
            "The Brae Hill turbine was built by Norrvolt AB in 1987. It stands above the harbour of Lyness.",
            "Who built the Brae Hill turbine?",
            "Who built the Glen Orra tunnel?",
            "No sentence of memory answers this for sure; these places are nearest:",
        ),
        (
            "青屿海水淡化厂由海岛水务公司于2011年建成。工厂位于渔港以北。",
            "青屿海水淡化厂由谁建成？",
            "青屿灯塔的看守人叫什么名字？",
            "记忆中没有一句话能确定地回答这个问题；最接近的地方是：",
        ),
    ],
)
def test_an_answer_says_when_nothing_in_memory_is_one(text, answered, unanswered, said):
    with MemoryBank(answered) as bank:
        bank.read(text, source="a")
        assert compose_answer(bank, answered).certainty != "not found"
        answer = compose_answer(bank, unanswered)

    assert answer.certainty == "not found"
    assert answer.text.splitlines()[0] == said


@pytest.mark.slow
def test_prompts_stay_bounded_while_a_long_document_collection_is_read():
    eight = Settings(prompt_budget_tokens=8_000)
    with MemoryBank("How does Python choose the except clause that handles an exception?", settings=eight) as bank:
        pages = [Document(f"{name}.txt", text, Path(f"{name}.txt")) for name, text in sorted(topics.items())]
        report = research(bank, pages, max_pieces=40)
        budget = bank.settings.prompt_budget_tokens

    assert report.turns[-1].raw_tokens > 2 * budget
    assert max(turn.prompt_tokens for turn in report.turns) <= budget
