"""The words by which an author tells the desk what to do, English and Chinese."""

from __future__ import annotations

from typing import Literal

__all__ = ["BRACKET_WORDS", "EDIT_WORDS", "HAN_WORDS", "KINDS", "REPLACE_WORDS", "SHOWN", "WORDS", "CommandKind"]

CommandKind = Literal["new", "continue", "switch", "restart", "settle", "tasks", "confirm", "discard", "help"]
KINDS: tuple[CommandKind, ...] = (
    "new",
    "continue",
    "switch",
    "restart",
    "settle",
    "confirm",
    "discard",
    "tasks",
    "help",
)

WORDS: dict[str, CommandKind] = {
    **dict.fromkeys(("new", "start"), "new"),
    **dict.fromkeys(("continue", "resume"), "continue"),
    "switch": "switch",
    **dict.fromkeys(("restart", "reopen"), "restart"),
    **dict.fromkeys(("settle", "close"), "settle"),
    **dict.fromkeys(("tasks", "list"), "tasks"),
    "confirm": "confirm",
    "discard": "discard",
    "help": "help",
}
"""Words behind a slash; each ends where the word ends."""

HAN_WORDS: dict[str, CommandKind] = {
    **dict.fromkeys(("开始新任务", "新建任务", "新任务", "新建"), "new"),
    **dict.fromkeys(("继续当前任务", "继续任务", "继续"), "continue"),
    **dict.fromkeys(("切换至任务", "切换到任务", "切换任务", "切换至", "切换到", "切换"), "switch"),
    **dict.fromkeys(("重启旧任务", "重启任务", "重新开始任务", "重启"), "restart"),
    **dict.fromkeys(("结算并关闭任务", "结算任务", "关闭任务", "结算"), "settle"),
    **dict.fromkeys(("任务列表", "列出任务", "任务"), "tasks"),
    **dict.fromkeys(("确认结算", "确认"), "confirm"),
    **dict.fromkeys(("放弃结算", "放弃"), "discard"),
    "帮助": "help",
}
"""The same in Chinese, where nothing need stand between a word and what follows; the longest that fits counts."""

BRACKET_WORDS: dict[str, CommandKind] = {
    **dict.fromkeys(("start new task", "start a new task", "new task"), "new"),
    **dict.fromkeys(("continue task", "continue the task", "continue current task"), "continue"),
    **dict.fromkeys(("switch to task", "switch task"), "switch"),
    **dict.fromkeys(("restart task", "reopen task"), "restart"),
    **dict.fromkeys(("settle and close task", "settle task", "close task"), "settle"),
    **dict.fromkeys(("list tasks", "tasks"), "tasks"),
    **dict.fromkeys(("confirm settlement", "confirm"), "confirm"),
    **dict.fromkeys(("discard settlement", "discard"), "discard"),
    **{word: kind for word, kind in HAN_WORDS.items() if len(word) > 2},
}
"""What stands before the colon of a bracketed command; short words are left to text, which has brackets, too."""

REPLACE_WORDS = frozenset({"replace", "取代", "替换", "以新的为准"})
"""What is said behind `/confirm` when the new statements hold against what is settled for that chapter."""

EDIT_WORDS = frozenset({"edits", "edit", "corrections", "changes", "修改", "更正", "改动"})
"""What is said behind `/discard` when only the corrections go, and the proposal stays as it was read off."""

SHOWN: dict[Literal["en", "zh"], dict[CommandKind, str]] = {
    "en": {
        "new": "/new TITLE – start a task; what follows on further lines is its first message",
        "continue": "/continue – where the task you are at stands; plain text goes on with it",
        "switch": "/switch TITLE-OR-NUMBER – go over to another task",
        "restart": "/restart TITLE-OR-NUMBER – take a task up again, with what holds by now",
        "settle": "/settle – read off what was agreed, for you to confirm",
        "confirm": "/confirm [CHAPTER] [replace] – write what is proposed into the book's memory and close the task",
        "discard": "/discard – throw the proposal away and go on with the task; /discard edits: only your corrections",
        "tasks": "/tasks – all tasks",
        "help": "/help – this list",
    },
    "zh": {
        "new": "[开始新任务：标题] 或 /new 标题 —— 开始一个任务，之后各行是它的第一条消息",
        "continue": "/continue —— 当前任务的进展；直接输入文字即继续当前任务",
        "switch": "[切换至任务：标题或编号] 或 /switch —— 切换到另一个任务",
        "restart": "[重启任务：标题或编号] 或 /restart —— 按当前事实重新开始一个任务",
        "settle": "[结算并关闭任务：标题] 或 /settle —— 提取已敲定的内容，供您确认",
        "confirm": "/confirm [章节] [取代] —— 把提案写入本书的记忆，并关闭任务",
        "discard": "/discard —— 放弃提案，继续任务；/discard 修改 —— 只放弃修改",
        "tasks": "/tasks —— 全部任务",
        "help": "/help —— 本列表",
    },
}
