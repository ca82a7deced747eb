"""What left a transcript is found for the next question: what quiet calls did, escaped JSON, days, pasted texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings, ToolResult

BOUND = 3_000
SHELVES = "\n".join(
    f"Shelf {at}: {at * 7 % 50} boxes of rope, counted by the warden of pier {at % 9}." for at in range(90)
)


class Talk:
    """A transcript that grows, with the request for each call."""

    def __init__(self) -> None:
        goal = "Help me with the work of the harbour."
        bank = MemoryBank(goal, settings=Settings(prompt_budget_tokens=BOUND))
        self.adapter = ContextAdapter(bank)
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": goal}]

    def call(self, tool: str, output: str, **arguments: Any) -> list[Any]:
        number = len(self.messages)
        function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
        asked = [{"id": f"call_{number}", "type": "function", "function": function}]
        self.messages += [{"role": "assistant", "content": None, "tool_calls": asked}]
        self.messages += [{"role": "tool", "tool_call_id": f"call_{number}", "content": output}]
        return self.adapter.next_request(self.messages)

    def fill(self) -> None:
        for at in range(5):
            self.call("read_file", f"Ledger {at}\n{SHELVES}", path=f"ledger{at}.txt")

    def ask(self, question: str) -> str:
        self.messages.append({"role": "user", "content": question})
        request = self.adapter.next_request(self.messages)
        return "\n".join(str(message.get("content") or "") for message in request).replace(question, "")


QUIET = ["", "null", "{}", "[]", "ok", "true", "Saved.", "完成"]
DONE = [
    ("bash", {"cmd": "sed -i 's/prefetch = 16/prefetch = 4801/' /srv/deploy.ini"}, "What is prefetch now?", "4801"),
    ("send_email", {"to": "lindqvist@x.se", "body": "Your refund is 219.40 EUR."}, "Lindqvist's refund?", "219.40"),
    ("发送短信", {"号码": "13800138000", "内容": "您的取件码是 8-3-2204。"}, "取件码是多少？", "8-3-2204"),
    (
        "write_file",
        {"path": "rota.md", "content": "# Rota of the pier\n- Monday: Aino\n- Tuesday: Bjarne at 07:15\n"},
        "When does Bjarne have the rota?",
        "07:15",
    ),
]


# every answer once, each call with two of them
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("tool", "arguments", "question", "new", "answer"), [(*DONE[at % 4], answer) for at, answer in enumerate(QUIET)]
)
def test_what_a_call_did_is_found_whatever_its_tool_answers(
    tool: str, arguments: dict[str, Any], question: str, new: str, answer: str
) -> None:
    talk = Talk()
    talk.call(tool, answer, **arguments)
    talk.fill()
    assert new in talk.ask(question)


def test_a_search_that_found_nothing_says_so() -> None:
    talk = Talk()
    talk.call("search_orders", "[]", customer="Okonkwo")
    talk.fill()
    assert "search_orders Okonkwo" in talk.ask("Which orders does Okonkwo have?")


@pytest.mark.parametrize(("record", "question", "value"), [
    ({"姓名": "陈晓梅", "分机": "5521"}, "陈晓梅的分机是多少？", "5521"),
    ({"name": "Jörg Müller", "ext": "6612"}, "What is the extension of Jörg Müller?", "6612"),
    ({"товар": "чайник", "цена": 3390}, "Сколько стоит чайник?", "3390"),
    ({"mood": "🙂 glad", "who": "K-44"}, "Who is 🙂 glad?", "K-44"),
])  # fmt: skip
def test_json_with_escaped_characters_is_found_as_without(record: dict[str, Any], question: str, value: str) -> None:
    rows = [{"id": at, "note": "steady"} for at in range(40)]
    output = json.dumps({"rows": [*rows[:20], record, *rows[20:]]})
    talk = Talk()
    talk.call("get_rows", output, page=1)
    talk.fill()
    assert value in talk.ask(question)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("line", "question", "value"), [
    ('"maxRetryDelayMs": 8125,', "What is the max retry delay?", "8125"),
    ("max_upload_size_mb = 377", "What is the max upload size?", "377"),
    ("SESSION_TIMEOUT_SECONDS=5413", "What is the session timeout?", "5413"),
    ("<heartbeatInterval>4471</heartbeatInterval>", "What is the heartbeat interval?", "4471"),
    ("2026-03-09 crate 88 was refused", "What happened on 9 March 2026?", "refused"),
    ("20260309,crate 88,refused", "What happened on March 9, 2026?", "refused"),
    ("9 March 2026: crate 88 was refused", "What happened on 2026-03-09?", "refused"),
    ("2026-03-09 88号箱被拒收", "2026年3月9日发生了什么？", "拒收"),
])  # fmt: skip
def test_identifiers_and_days_are_found_by_plain_words(line: str, question: str, value: str) -> None:
    talk = Talk()
    talk.call("read_file", f"{SHELVES}\n{line}\n{SHELVES}", path="x.conf")
    talk.fill()
    assert value in talk.ask(question)


PASTED = {
    "log": ("\n".join(f"09:{at % 60:02d} INFO worker {at} served /refunds/{at * 3}" for at in range(500)),
            "09:11 ERROR process 48213 is blocked by process 48177", "What blocks process 48213?", "48177"),
    "zh": ("\n".join(f"第{at}段：管理员走到{at * 3}号码头，数了{at * 7 % 50}条船。" for at in range(500)),
           "何老师说，灯塔的钥匙挂在风琴后面。", "灯塔的钥匙挂在哪里？", "风琴后面"),
}  # fmt: skip


@pytest.mark.parametrize("kind", PASTED)
@pytest.mark.parametrize("question_first", [True, False])
def test_a_pasted_text_keeps_the_lines_that_its_question_is_about(kind: str, question_first: bool) -> None:
    text, line, question, value = PASTED[kind]
    lines = text.split("\n")
    pasted = "\n".join([*lines[:300], line, *lines[300:]])
    assert value in Talk().ask("\n\n".join([question, pasted] if question_first else [pasted, question]))


def test_the_newest_result_is_whole_where_an_older_one_can_give_way() -> None:
    talk = Talk()
    talk.fill()
    large = "\n".join(f"Line {at} of the manual says what to do with rope {at}." for at in range(75))
    talk.call("read_file", large.replace("manual", "guide"), path="guide.txt")
    assert any(message.get("content") == large for message in talk.call("read_file", large, path="manual.txt"))


def test_ends_of_lines_as_windows_writes_them_are_not_shown() -> None:
    talk = Talk()
    rows = "\r\n".join(f"K{at:03d},{('Oslo', 'Riga')[at % 2]},{at * 13}" for at in range(200))
    talk.call("read_csv", f"id,site,amount\r\n{rows}", path="a.csv")
    talk.fill()
    shown = talk.ask("What is the amount of K117?")
    assert "1521" in shown
    assert "\\x0d" not in shown


@pytest.mark.parametrize("words", ["Thanks, that is all!", "Write a haiku about rain.", "谢谢！", "你好"])
def test_words_that_nothing_in_memory_is_about_get_no_block(words: str) -> None:
    talk = Talk()
    talk.fill()
    talk.messages.append({"role": "assistant", "content": "I have read it all."})
    talk.messages.append({"role": "user", "content": words})
    request = talk.adapter.next_request(talk.messages)
    after = [message for message in request if "<memory>" in str(message.get("content") or "")]
    assert not after or request.index(after[-1]) < len(request) - 2


MENUS = {
    "en": (
        ["Home", "About us", "Products", "Press", "Careers", "Contact", "Log in", "Help centre", "Terms", "Cookies"],
        "The gate of lock {at} opens at {hour} and closes after the last barge of the day has passed it.",
    ),
    "zh": (
        ["首页", "关于我们", "产品中心", "新闻", "招聘", "联系我们", "登录", "帮助", "条款", "隐私"],
        "第{at}号船闸在{hour}点开启，当天最后一艘驳船通过之后才关闭，夜间由值班员看守。",
    ),
}


@pytest.mark.parametrize("language", MENUS)
def test_a_page_is_shortened_to_what_it_says_and_not_to_its_menu(language: str) -> None:
    entries, sentence = MENUS[language]
    menu = "\n".join(f"{entry} {at}" for at in range(20) for entry in entries)
    prose = "\n".join(sentence.format(at=at, hour=at % 24) for at in range(120))
    request = Talk().call("fetch", f"{menu}\n\n{prose}", url="https://locks.example/times")
    shown = next(str(message["content"]) for message in request if message["role"] == "tool")
    assert sentence.format(at=0, hour=0) in shown
    assert sum(line in set(menu.split("\n")) for line in shown.split("\n")) <= 10


def test_what_calls_are_given_next_is_in_the_request() -> None:
    """An agent that looks up the parts of a list one after the other has the next ones when the list has left."""
    talk = Talk()
    parts = {order: [f"{7_310_002_911 + 104_729 * (20 * order + at)}" for at in range(12)] for order in range(3)}
    for order, numbers in parts.items():
        items = [{"name": f"Part {at}", "part_id": number, "price": 20 + at} for at, number in enumerate(numbers)]
        notes = [{"note": f"Maker and stock of shelf {at} of order {order} counted dry."} for at in range(40)]
        talk.call("get_order", json.dumps({"order": f"#R{order}", "stock": notes, "items": items}), order=f"#R{order}")
    stock = [{"shelf": shelf, "count": shelf * 3 % 17, "state": "dry"} for shelf in range(60)]
    for number in parts[1][:4]:
        request = talk.call("get_part", json.dumps({"stock": stock, "maker": f"Yard {number[-3:]}"}), part_id=number)
    shown = "\n".join(str(message.get("content") or "") for message in request)
    assert sum(number in shown for number in parts[1][4:]) == 8


PLANS = {
    "en": (["Search the sources", "Read the chapters", "Write the summary"], "Did I read the chapters?"),
    "zh": (["检索公开来源", "通读全部章节", "撰写摘要"], "全部章节通读了吗？"),
}


@pytest.mark.parametrize("language", PLANS)
def test_an_older_plan_says_what_is_otherwise_since(language: str) -> None:
    points, question = PLANS[language]
    talk = Talk()
    for states in (("in_progress", "pending", "pending"), ("completed", "in_progress", "pending")):
        todos = [{"content": point, "status": state} for point, state in zip(points, states, strict=True)]
        talk.call("write_todos", f"Updated todo list to {todos}", todos=todos)
        talk.fill()
    shown = talk.ask(question)
    assert "status now in_progress" in shown


def test_a_question_in_another_language_than_all_that_was_read_is_answered() -> None:
    talk = Talk()
    talk.call(
        "read", "The retry delay of the ferry client is 41 seconds.\nThe buffer holds 9 crates.", path="client.md"
    )
    talk.fill()
    assert "41 seconds" in talk.ask("ferry client 的 retry delay 现在到底设置成了多少秒？")


LONG_WORDS = [
    (
        "Dr. Imhof sees patients on Tuesdays from 14:20.",
        "I'd love to see Imhof next week after lunch, would that work?",
        "14:20",
    ),
    (
        "Guest wifi: network Heron, password tall-grass-41",
        "My sister is here and would like to use the wifi, what do I say?",
        "tall-grass",
    ),
    (
        "打印机卡纸时先打开后盖，再按绿色按钮。",
        "我刚刚想打印合同，结果打印机又卡纸了，我现在该怎么办才好？",
        "绿色按钮",
    ),
]


@pytest.mark.parametrize(("fact", "question", "value"), LONG_WORDS, ids=["en", "en wifi", "zh"])
def test_a_question_of_many_words_is_answered_by_a_rare_one(fact: str, question: str, value: str) -> None:
    talk = Talk()
    talk.call("read_note", fact, path="board.txt")
    talk.fill()
    assert value in talk.ask(question)


@pytest.mark.parametrize("question", ["What is the late fee?", "What is the late fee in rates.py?"])
def test_a_file_that_the_agent_wrote_is_found_by_its_name(question: str) -> None:
    talk = Talk()
    tiers = "\n".join(f"TIER_{at} = {at * 13}" for at in range(60))
    talk.call("write_file", "written", path="billing/rates.py", content=f"# rates\n{tiers}\nLATE_FEE_PERCENT = 6.75\n")
    talk.call(
        "grep", "\n".join(f"docs/{at}.md:{at}: see rates.py for tier {at}" for at in range(40)), pattern="rates.py"
    )
    talk.fill()
    assert "6.75" in talk.ask(question)


def test_a_bank_in_the_language_of_the_question_answers_beside_one_in_another() -> None:
    team = MemoryBank("团队资料")
    team.absorb(ToolResult(tool="读", output="三号码头的值班电话是 5521，由老周接听。", call_id="t1"))
    talk = Talk()
    own = MemoryBank("Help me", settings=Settings(prompt_budget_tokens=BOUND))
    talk.adapter = ContextAdapter(own, shared=team, share=lambda result: False)
    talk.fill()
    assert "5521" in talk.ask("我记不清了，三号码头那边值班的电话到底是多少来着，能不能帮我看一下？")


DEFINITIONS = [
    ("  41\tfunc Dial(host string) error { return dialTimeout(host, 9) }", "err := Dial(hosts[{at}])", "Dial 是什么？"),
    ("#define KNOT 1852", "speed[{at}] = way / KNOT;", "What is KNOT?"),
    ("    enum Tide { Ebb, Flood }", "level = Tide.of(hour + {at});", "What is Tide?"),
]


@pytest.mark.parametrize(("defined", "use", "question"), DEFINITIONS)
def test_the_line_that_defines_a_name_is_found_among_its_uses(defined: str, use: str, question: str) -> None:
    talk = Talk()
    lines = [f"{use.format(at=at)}  // step {at} of the harbour" for at in range(120)]
    for part in range(3):
        shown = [*lines[part * 40 : part * 40 + 20], *([defined] if part == 1 else []), *lines[part * 40 + 20 :][:20]]
        talk.call("read_file", "\n".join(shown), path=f"part{part}.src")
    talk.fill()
    assert defined.strip().split("\n")[0] in talk.ask(question)
