from amb_core import ToolResult


def test_what_a_tool_returned_is_recalled_at_once_and_verbatim(bank, result):
    bank.absorb(result("Cell N-280 reaches 6,000 full cycles at 80 percent depth."))

    assert "Cell N-280 reaches 6,000 full cycles at 80 percent depth." in bank.recall("cycles of N-280").text


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


def test_a_result_absorbed_without_waiting_is_digested_in_the_background(bank, result):
    report = bank.absorb(result("The lighthouse has 112 steps."), wait=False)
    bank.host.flush()

    assert report.pending
    assert "112 steps" in bank.recall("lighthouse steps").text


def test_notes_that_name_the_same_thing_are_linked_with_the_reason(bank, result):
    bank.absorb(result("Norrvolt AB is a maker of cells in Skelleby. It was founded in 2011."))
    report = bank.absorb(result("The containers at the quay were delivered by Norrvolt AB in spring."))

    assert bank.host.node(report.node_ids[0]).links == ("n1",)
    assert "Norrvolt" in bank.snapshot().links[0].reason
