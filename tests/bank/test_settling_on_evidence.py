"""A decision about a conflict counts only if it stands on raw text; what it changes can be taken back."""

from dataclasses import replace

import pytest

from amb_agents import local_agents
from amb_core import ConflictStatus, ManualClock, MemoryBank, Settings, ToolResult
from amb_embedders import HashingEmbedder


class Altered:
    """An integration agent whose answers are altered, as a model's may be."""

    def __init__(self, alter):
        self._inner, self._alter = local_agents().integration, alter

    def integrate(self, request):
        answer = self._inner.integrate(request)
        return answer.model_copy(update=self._alter(answer)) if answer.decided else answer


class Copying:
    """An analysis agent that writes what the new node says into the topic of the nodes it belongs with."""

    def __init__(self):
        self._inner = local_agents().analysis

    def analyse(self, request):
        answer = self._inner.analyse(request)
        told = [
            relation.model_copy(update={"context_update_existing": f"Told: {request.new.text}"})
            if relation.relationship == "related" and "12 MWh" in request.new.text
            else relation
            for relation in answer.relationships
        ]
        return answer.model_copy(update={"relationships": tuple(told)})


def opened(**agents):
    return MemoryBank(
        "What is the capacity of the battery?",
        agents=replace(local_agents(), **agents),
        embedder=HashingEmbedder(),
        clock=ManualClock(1_700_000_000, step=1),
        settings=Settings(disputes="verify"),
    )


@pytest.mark.parametrize(
    "alter",
    [
        lambda answer: {"summary": f"{answer.summary} It was built in 1987."},
        lambda answer: {"summary": f"{answer.summary} Ada Harlow designed it."},
        lambda answer: {"summary": f"{answer.summary} 它由林月如于1987年设计。"},
        lambda answer: {"keywords": (*answer.keywords, "44 MWh")},
        lambda answer: {"summary": " "},
        lambda answer: {"evidence": ()},
        lambda answer: {"evidence": ("The inspector measured it twice.",)},
        lambda answer: {"evidence": (*answer.evidence, "检查员测了两次。")},
    ],
    ids=["number", "name", "Chinese", "keyword", "nothing said", "no evidence", "made up", "half made up"],
)
def test_a_decision_that_does_not_stand_on_the_texts_is_refused_and_done_locally(dispute, alter):
    with opened(integration=Altered(alter)) as bank:
        for source in dispute:
            bank.absorb(source)
            bank.plan()

        assert bank.usage.fallbacks == {"integration": 1}
        assert bank.conflicts[0].status is ConflictStatus.RESOLVED
        assert not any(word in bank.nodes[-1].indexed_text for word in ("1987", "Harlow", "44 MWh"))


def test_a_decision_against_its_own_evidence_is_refused(dispute):
    def turned_round(answer):
        old, new = ("18 MWh", "12 MWh") if "MWh" in answer.summary else ("8万吨", "5万吨")
        return {"summary": answer.summary.replace(old, new), "context": answer.context.replace(old, new)}

    with opened(integration=Altered(turned_round)) as bank:
        for source in dispute:
            bank.absorb(source)

        assert bank.usage.fallbacks == {"integration": 1}
        assert not any(value in bank.host.node("n1").summary for value in ("12 MWh", "5万吨"))


def test_a_refuted_value_is_recalled_from_nowhere_in_its_source(bank, result):
    says = "The Harbour Point battery has a usable capacity of {} MWh."
    told = f"{says.format(12)} It stands on the quay. The usable capacity of the Harbour Point battery is 12 MWh."
    bank.absorb(result(says.format(18), "a"))
    bank.absorb(result(told, "b"))
    bank.plan()
    bank.absorb(result(f"Checked on site. {says.format(18)}", "c"))

    block = bank.recall("capacity of the Harbour Point battery").text
    assert block.count("12 MWh") == block.count("refuted: b said 12 MWh") > 0
    assert "It stands on the quay." in block


def test_one_more_source_with_a_third_value_settles_nothing(bank, dispute, result):
    bank.absorb(dispute[0])
    bank.absorb(dispute[1])
    bank.plan()
    bank.absorb(result(dispute[2].output.replace("18", "15").replace("8万", "6万"), "c"))

    assert bank.merges == ()
    assert all(conflict.status is not ConflictStatus.RESOLVED for conflict in bank.conflicts)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_else_the_evidence_says_meets_the_other_notes(bank, result, language):
    built, says = {
        "en": (
            "The Harbour Point battery was opened in {}.",
            "The Harbour Point battery has a usable capacity of {} MWh.",
        ),
        "zh": ("青屿海水淡化厂建成于{}年。", "青屿海水淡化厂的日产水量为{}万吨。"),
    }[language]
    bank.absorb(result(built.format(1958), "w"))
    bank.absorb(result(says.format(18), "a"))
    bank.absorb(result(says.format(12), "b"))
    bank.plan()
    report = bank.absorb(result(f"{says.format(18)} {built.format(1956)}", "c"))

    assert report.resolved
    assert [set(conflict.node_ids) for conflict in report.conflicts] == [{"n1", bank.merges[0].new_node_id}]


def test_undoing_a_merge_restores_embeddings_and_what_is_recalled(dispute):
    with opened() as bank:
        bank.absorb(dispute[0])
        bank.absorb(dispute[1])
        bank.plan()
        before, block = bank.snapshot(), bank.recall(dispute[2].output)
        bank.absorb(dispute[2])
        bank.host.undo_merge("m1")

        assert bank.snapshot().nodes == before.nodes
        assert all(node.embedding for node in before.nodes)
        shown = bank.recall(dispute[2].output).text.split("\n")  # with the third source, which is a step as well
        assert [line for line in block.text.split("\n") if line.startswith("  ") and line not in shown] == []


def test_evidence_whose_merge_was_undone_does_not_merge_again(dispute, tmp_path):
    url = f"sqlite:///{tmp_path / 'bank.db'}"
    bank = MemoryBank("capacity?", store=url, settings=Settings(disputes="verify"))
    for source in dispute:
        bank.absorb(source)
    bank.host.undo_merge("m1")
    bank.absorb(dispute[2])
    bank.close(keep=True)

    with MemoryBank.resume(url) as again:
        again.absorb(dispute[2])
        assert [merge.undone for merge in again.merges] == [True]
        assert again.conflicts[0].status is not ConflictStatus.RESOLVED


def test_what_came_after_a_merge_meets_the_nodes_that_are_back(bank, dispute, result):
    for source in dispute:
        bank.absorb(source)
    late = bank.absorb(result(dispute[1].output.replace("loudest", "whitest").replace("五点", "六点"), "d"))
    merged = bank.merges[0].new_node_id
    assert {merged, *late.node_ids} in [set(conflict.node_ids) for conflict in late.conflicts]
    bank.host.undo_merge("m1")

    pairs = [set(conflict.node_ids) for conflict in bank.conflicts]
    assert {"n1", *late.node_ids} in pairs
    assert {merged, *late.node_ids} not in pairs


def test_a_topic_that_drew_on_a_refuted_statement_is_made_anew_and_comes_back_with_undo(result):
    neighbour = "The Harbour Point battery stands beside the ferry pier. Gulls nest on its roof."
    wrong = "The Harbour Point battery has a usable capacity of 12 MWh."
    with opened(analysis=Copying()) as bank:
        bank.absorb(result(neighbour, "n"))
        bank.absorb(result(wrong, "b"))
        assert "12 MWh" in bank.host.node("n1").context
        told = bank.host.node("n1")
        bank.absorb(result(wrong.replace("12", "18"), "a"))
        bank.absorb(result(f"Checked on site. {wrong.replace('12', '18')}", "c"))

        assert bank.merges
        assert "12 MWh" not in bank.host.node("n1").indexed_text
        assert not bank.host.node("n1").stale
        bank.host.undo_merge("m1")
        assert "12 MWh" in bank.host.node("n1").context
        assert bank.host.node("n1").summary == told.summary


@pytest.mark.parametrize(
    ("goal", "texts"),
    [
        ("核实资料。", ("泰山的海拔是 1545 米。", "泰山的海拔是 1532 米。", "年鉴：泰山的海拔是 1545 米。")),
        ("核实资料。", ("海燕水库坝高 86 米。", "海燕水库坝高 68 米。", "水利年鉴记载，海燕水库坝高为 86 米。")),
        (
            "Check.",
            ("Dune was published in 1965.", "Dune was published in 1963.", "Dune, a novel, was published in 1965."),
        ),
        ("核实资料。", ("小米成立于2010年。", "小米成立于2011年。", "小米由雷军等人在2010年创办。")),
        (
            "Check.",
            (
                "The Tay Bridge is 3,286 metres long.",
                "The Tay Bridge is 3,136 metres long.",
                "The Tay Bridge has a length of 3,286 metres.",
            ),
        ),
        ("Check.", ("Nokia has 86,700 staff.", "Nokia has 78,400 staff.", "Nokia, says the report, has 86,700 staff.")),
    ],
)
def test_a_third_source_settles_in_words_of_its_own(goal, texts):
    with MemoryBank(goal, settings=Settings(disputes="verify")) as bank:
        for number, text in enumerate(texts):
            bank.absorb(ToolResult(tool="read", output=text, source=f"https://site{number}.org/page"))
        assert [one.status for one in bank.conflicts] == ["resolved"]
        assert bank.conflicts[0].values[0] in bank.recall(texts[0]).text


def test_what_is_told_of_a_part_settles_nothing_of_the_whole():
    with MemoryBank("Check.", settings=Settings(disputes="verify")) as bank:
        told = "The main span of the Tay Bridge is 3,136 metres long."
        for number, text in enumerate(
            ("The Tay Bridge is 3,286 metres long.", "The Tay Bridge is 3,136 metres long.", told)
        ):
            bank.absorb(ToolResult(tool="read", output=text, source=f"https://site{number}.org/page"))
        assert [one.status for one in bank.conflicts] == ["open"]
