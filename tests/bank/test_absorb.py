import pytest

from amb_core import MemoryBank, ToolResult


def test_what_a_tool_returned_is_recalled_at_once_and_verbatim(bank, result):
    bank.absorb(result("Cell N-280 reaches 6,000 full cycles at 80 percent depth."))

    assert "Cell N-280 reaches 6,000 full cycles at 80 percent depth." in bank.recall("cycles of N-280").text


def test_the_first_note_of_an_empty_bank_is_found_although_every_note_has_its_words(bank, result):
    report = bank.absorb(result("capacity"))

    assert bank.recall("capacity").receipts[0].node_id == report.node_ids[0]


def test_a_report_names_entries_nodes_and_no_model_calls(bank, result):
    report = bank.absorb(result("Brae Hill has six turbines.", call_id="c1"))

    assert report.entry_ids == ("e1",)
    assert [bank.host.node(node_id).id for node_id in report.node_ids] == list(report.node_ids)
    assert (report.llm_calls, report.repeat_of, report.conflicts) == (0, None, ())


def test_deep_retrieval_gives_the_raw_text_with_tool_arguments_call_and_source(bank):
    raw = "Turbine 3 stood still for nine days.\n\n  (indented, kept as it is)  "
    report = bank.absorb(
        ToolResult(tool="search", arguments={"query": "turbine"}, output=raw, call_id="c9", source="log.txt")
    )

    [entry] = bank.host.deep_retrieval(report.node_ids[0])

    assert entry.text == raw
    assert entry.metadata["tool"] == "search"
    assert entry.metadata["arguments"] == {"query": "turbine"}
    assert (entry.metadata["call_id"], entry.metadata["source"]) == ("c9", "log.txt")


def test_a_retried_call_with_the_same_id_and_text_is_taken_in_once(bank, result):
    first = bank.absorb(result("The quay is 80 metres long.", call_id="c1"))
    again = bank.absorb(result("The quay is 80 metres long.", call_id="c1"))

    assert again.repeat_of == again.entry_ids[0] == first.entry_ids[0]
    assert bank.size.entries == 1


def test_a_call_id_used_again_for_another_text_loses_neither(bank, result):
    bank.absorb(result("The quay is 80 metres long.", call_id="c1"))
    bank.absorb(result("The crane lifts nine tonnes.", call_id="c1"))

    assert "nine tonnes" in bank.recall("crane").text
    assert "80 metres" in bank.recall("quay").text


def test_a_long_text_becomes_several_nodes_whose_spans_cover_it(bank):
    topics = ["wind turbines on Brae Hill", "the ferry timetable of the quay", "school lunch and kitchen staff"]
    text = "\n\n".join(" ".join(f"Sentence {i} is about {topic}, item {i * 7}." for i in range(40)) for topic in topics)

    report = bank.read(text, source="report.txt")

    covered = {
        position
        for node_id in report.node_ids
        for span in bank.host.node(node_id).sources
        for position in range(span.start, span.end)
    }
    assert len(report.node_ids) >= 3
    assert all(position in covered for position, character in enumerate(text) if not character.isspace())


def test_a_result_absorbed_without_waiting_is_digested_in_the_background(bank, result):
    report = bank.absorb(result("The lighthouse has 112 steps."), wait=False)
    bank.host.flush()

    assert report.pending
    assert "112 steps" in bank.recall("lighthouse steps").text


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Context: LFP cells last long. Question: Which cells last longest?", "Which cells last longest?"),
        ("上下文: 磷酸铁锂电池寿命长。\n\n问题: 哪种电池寿命最长？", "哪种电池寿命最长？"),
    ],
)
def test_context_and_question_in_one_prompt_are_told_apart(text, goal):
    with MemoryBank(text) as bank:
        assert bank.insight.task_goal == goal
        assert bank.size.nodes == 1


def test_notes_that_name_the_same_thing_are_linked_with_the_reason(bank, result):
    bank.absorb(result("Norrvolt AB is a maker of cells in Skelleby. It was founded in 2011."))
    report = bank.absorb(result("The containers at the quay were delivered by Norrvolt AB in spring."))

    assert bank.host.node(report.node_ids[0]).links == ("n1",)
    assert "Norrvolt" in bank.snapshot().links[0].reason
