"""What the planning situations name: goals, nodes, conflicts, steps and texts, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from amb_core.agent_io import NodeView
from amb_core.models import Conflict
from amb_core.text import Language

__all__ = ["WORDS", "Words"]


@dataclass(frozen=True, slots=True)
class Words:
    """Everything by name; `steps` and `texts` are in the local agent's wording."""

    goals: Mapping[str, str]
    nodes: Mapping[str, NodeView]
    conflicts: Mapping[str, Conflict]
    steps: Mapping[str, str]
    texts: Mapping[str, str]


_ENGLISH = Words(
    goals={
        "one": "What is the height of the Eiffel Tower?",
        "two": "In which year was the Riverton Bridge opened and how much did it cost?",
        "none": "?",
        "verify": "Verify the height of the Eiffel Tower and validate the conflict.",
    },
    nodes={
        "covers": NodeView(
            id="n1", context="Eiffel Tower", summary="The Eiffel Tower has a height of 330 metres. It stands in Paris."
        ),
        "opened": NodeView(
            id="n2",
            context="Riverton Bridge",
            summary="The Riverton Bridge was opened in the year 1932. It has two lanes.",
        ),
        "cost": NodeView(
            id="n3", context="Riverton Bridge", summary="The Riverton Bridge had a cost of 3 million dollars."
        ),
        "other": NodeView(id="n4", context="Harbour", summary="The harbour of Lyness closes in winter."),
        "beside": NodeView(id="n5", context="Gustave Eiffel", summary="Gustave Eiffel founded his company in 1866."),
    },
    conflicts={
        "c1": Conflict(
            id="c1",
            node_ids=("n1", "n6"),
            description="Two heights.",
            subject="Eiffel Tower height",
            values=("324 metres", "330 metres"),
        ),
        "c2": Conflict(
            id="c2",
            node_ids=("n2", "n7"),
            description="Two years.",
            subject="Riverton Bridge opened",
            values=("1932", "1935"),
        ),
        "bare": Conflict(id="bare", node_ids=("n1", "n6"), description="The nodes disagree on the height."),
    },
    steps={
        "one find": "Find out: What is the height of the Eiffel Tower?",
        "one again": "Find out, with other words and in another source: What is the height of the Eiffel Tower?",
        "one answer": "Answer the question from memory, citing nodes; look up only what is still missing: What is the height of the Eiffel Tower?",
        "one answer again": "Answer with what is in memory and say what is missing, citing nodes: What is the height of the Eiffel Tower?",
        "two find 1": "Find out: In which year was the Riverton Bridge opened",
        "two again 1": "Find out, with other words and in another source: In which year was the Riverton Bridge opened",
        "two find 2": "Find out: how much did it cost?",
        "two answer": "Answer the question from memory, citing nodes; look up only what is still missing: In which year was the Riverton Bridge opened and how much did it cost?",
        "none answer": "Answer the question from memory, citing nodes; look up only what is still missing: ?",
        "verify answer": "Answer the question from memory, citing nodes; look up only what is still missing: Verify the height of the Eiffel Tower and validate the conflict.",
        "validate c1": 'Cross-validate c1: Eiffel Tower height. One source says "324 metres", another "330 metres". Look it up in an independent source.',
        "validate c1 again": 'Check c1 again with other search words and a source not used so far: Eiffel Tower height. One source says "324 metres", another "330 metres".',
        "validate c2": 'Cross-validate c2: Riverton Bridge opened. One source says "1932", another "1935". Look it up in an independent source.',
        "validate bare": 'Cross-validate bare: "The nodes disagree on the height". Look it up in an independent source.',
        "recognise a1": "Describe what attachment a1 shows, as far as it matters for: What is the height of the Eiffel Tower?",
        "recognise a1 again": "Look at attachment a1 once more, part by part, and write down what can be read for: What is the height of the Eiffel Tower?",
        "recognise a1 a2": "Describe what attachment a1, a2 shows, as far as it matters for: What is the height of the Eiffel Tower?",
        "two again 2": "Find out, with other words and in another source: how much did it cost?",
        "none answer again": "Answer with what is in memory and say what is missing, citing nodes: ?",
    },
    texts={
        "nothing new": "No new information.",
        "gave up nothing new": "Given up: two steps in a row brought nothing new on this.",
        "failed": "Failed: The server did not answer.",
        "gave up failed": "Given up after a second try: The server did not answer.",
        "error": "The server did not answer. Retry later.",
        "learnt height": "The Eiffel Tower has a height of 330 metres.",
        "learnt beside": "",
        "learnt opened": "The Riverton Bridge was opened in the year 1932.",
        "settling": 'Eiffel Tower height: "330 metres" holds.',
        "settled": 'Settled: Eiffel Tower height: "330 metres" holds.',
        "not settled": "Not settled yet: Both pages load slowly.",
        "slow": "Both pages load slowly.",
        "disputed": "Given up: the sources found do not settle it, both statements stay and are marked as disputed.",
        "answer": "It is 330 metres high [n1]. More below.",
        "answered": "Answered: It is 330 metres high [n1].",
        "recognised": "Recognised: The Eiffel Tower has a height of 330 metres.",
        "blank": " \n",
        "answer blank": "Failed: No new information.",
        "answer blank again": "Given up after a second try: No new information.",
    },
)

_CHINESE = Words(
    goals={
        "one": "埃菲尔铁塔的高度是多少？",
        "two": "长江大桥是哪一年通车的？造价是多少？",
        "none": "请问？",
        "verify": "验证埃菲尔铁塔的高度并交叉验证冲突。",
    },
    nodes={
        "covers": NodeView(id="n1", context="埃菲尔铁塔", summary="埃菲尔铁塔的高度为330米。它位于巴黎。"),
        "opened": NodeView(id="n2", context="长江大桥", summary="长江大桥于1957年通车。大桥有两层。"),
        "cost": NodeView(id="n3", context="长江大桥", summary="长江大桥的造价为1.38亿元。"),
        "other": NodeView(id="n4", context="渔港", summary="渔港在冬季关闭。"),
        "beside": NodeView(id="n5", context="古斯塔夫·埃菲尔", summary="古斯塔夫·埃菲尔于1866年创办了公司。"),
    },
    conflicts={
        "c1": Conflict(
            id="c1",
            node_ids=("n1", "n6"),
            description="高度有两种说法。",
            subject="埃菲尔铁塔 高度",
            values=("324米", "330米"),
        ),
        "c2": Conflict(
            id="c2",
            node_ids=("n2", "n7"),
            description="通车年份有两种说法。",
            subject="长江大桥 通车",
            values=("1957年", "1958年"),
        ),
        "bare": Conflict(id="bare", node_ids=("n1", "n6"), description="两个节点对高度说法不一。"),
    },
    steps={
        "one find": "查明：埃菲尔铁塔的高度是多少？",
        "one again": "换一种说法和来源，再次查明：埃菲尔铁塔的高度是多少？",
        "one answer": "根据记忆回答问题并注明节点，只查仍然缺少的内容：埃菲尔铁塔的高度是多少？",
        "one answer again": "用记忆中已有的内容作答，说明还缺什么，并注明节点：埃菲尔铁塔的高度是多少？",
        "two find 1": "查明：长江大桥是哪一年通车的？",
        "two again 1": "换一种说法和来源，再次查明：长江大桥是哪一年通车的？",
        "two find 2": "查明：造价是多少？",
        "two answer": "根据记忆回答问题并注明节点，只查仍然缺少的内容：长江大桥是哪一年通车的？造价是多少？",
        "none answer": "根据记忆回答问题并注明节点，只查仍然缺少的内容：请问？",
        "verify answer": "根据记忆回答问题并注明节点，只查仍然缺少的内容：验证埃菲尔铁塔的高度并交叉验证冲突。",
        "validate c1": "交叉验证 c1：埃菲尔铁塔 高度。一处来源为“324米”，另一处为“330米”。请查找独立来源核实。",
        "validate c1 again": "换一种检索词和尚未用过的来源，再次核实 c1：埃菲尔铁塔 高度。一处来源为“324米”，另一处为“330米”。",
        "validate c2": "交叉验证 c2：长江大桥 通车。一处来源为“1957年”，另一处为“1958年”。请查找独立来源核实。",
        "validate bare": "交叉验证 bare：“两个节点对高度说法不一”。请查找独立来源核实。",
        "recognise a1": "识别附件 a1 的内容，着重与此有关的部分：埃菲尔铁塔的高度是多少？",
        "recognise a1 again": "逐部分再看一遍附件 a1，写下能辨认的内容，着重与此有关的部分：埃菲尔铁塔的高度是多少？",
        "recognise a1 a2": "识别附件 a1、a2 的内容，着重与此有关的部分：埃菲尔铁塔的高度是多少？",
        "two again 2": "换一种说法和来源，再次查明：造价是多少？",
        "none answer again": "用记忆中已有的内容作答，说明还缺什么，并注明节点：请问？",
    },
    texts={
        "nothing new": "没有新的信息。",
        "gave up nothing new": "放弃：连续两步没有得到这方面的新信息。",
        "failed": "失败：服务器没有响应。",
        "gave up failed": "重试后放弃：服务器没有响应。",
        "error": "服务器没有响应。请稍后再试。",
        "learnt height": "埃菲尔铁塔的高度为330米。",
        "learnt beside": "",
        "learnt opened": "长江大桥于1957年通车。",
        "settling": "埃菲尔铁塔 高度：“330米”成立。",
        "settled": "已核实：埃菲尔铁塔 高度：“330米”成立。",
        "not settled": "尚未核实：两个网页都打不开。",
        "slow": "两个网页都打不开。",
        "disputed": "放弃：找到的来源无法判定，两种说法都保留并标为有争议。",
        "answer": "高度为330米[n1]。详见下文。",
        "answered": "已回答：高度为330米[n1]。",
        "recognised": "已识别：埃菲尔铁塔的高度为330米。",
        "blank": " \n",
        "answer blank": "失败：没有新的信息。",
        "answer blank again": "重试后放弃：没有新的信息。",
    },
)


WORDS: Mapping[Language, Words] = {"en": _ENGLISH, "zh": _CHINESE}
