"""The planner's sentences in English and Chinese, as data."""

import re
from dataclasses import dataclass

from amb_core.models import CompletedTask
from amb_core.text.language import Language

__all__ = ["PHRASES", "Phrases", "own_words", "was_recognised"]


@dataclass(frozen=True, slots=True)
class Phrases:
    """Every sentence the planner can write in one language; fields in braces are filled with `str.format`."""

    validate: str
    validate_again: str
    said: str
    quote: str
    recognise: str
    recognise_again: str
    find: str
    find_again: str
    answer: str
    answer_again: str
    settled: str
    not_settled: str
    kept_disputed: str
    answered: str
    answered_in_part: str
    not_answered: str
    nothing_new: str
    gave_up_nothing_new: str
    failed: str
    gave_up_failed: str
    recognised: str
    because_conflict: str
    because_attachment: str
    because_clause: str
    because_covered: str
    because_done: str
    joint: str


_ENGLISH = Phrases(
    validate="Cross-validate {id}: {subject}. {said} Look it up in an independent source.",
    validate_again="Check {id} again with other search words and a source not used so far: {subject}. {said}",
    said='One source says "{a}", another "{b}".',
    quote='"{}"',
    recognise="Describe what attachment {ids} shows, as far as it matters for: {goal}",
    recognise_again="Look at attachment {ids} once more, part by part, and write down what can be read for: {goal}",
    find="Find out: {clause}",
    find_again="Find out, with other words and in another source: {clause}",
    answer="Answer the question from memory, citing nodes; look up only what is still missing: {goal}",
    answer_again="Answer with what is in memory and say what is missing, citing nodes: {goal}",
    settled="Settled: {text}",
    not_settled="Not settled yet: {text}",
    kept_disputed="Given up: the sources found do not settle it, both statements stay and are marked as disputed.",
    answered="Answered: {text}",
    answered_in_part="No answer yet to: {missing} Answered so far: {text}",
    not_answered="Not answered yet; more was looked up.",
    nothing_new="No new information.",
    gave_up_nothing_new="Given up: two steps in a row brought nothing new on this.",
    failed="Failed: {text}",
    gave_up_failed="Given up after a second try: {text}",
    recognised="Recognised: {text}",
    because_conflict="conflict {id} is open",
    because_attachment="an attachment is waiting",
    because_clause="memory holds no answer yet to: {clause}",
    because_covered="nothing else is left to find out",
    because_done="the question is answered",
    joint=", ",
)
_CHINESE = Phrases(
    validate="交叉验证 {id}：{subject}。{said}请查找独立来源核实。",
    validate_again="换一种检索词和尚未用过的来源，再次核实 {id}：{subject}。{said}",
    said="一处来源为“{a}”，另一处为“{b}”。",
    quote="“{}”",
    recognise="识别附件 {ids} 的内容，着重与此有关的部分：{goal}",
    recognise_again="逐部分再看一遍附件 {ids}，写下能辨认的内容，着重与此有关的部分：{goal}",
    find="查明：{clause}",
    find_again="换一种说法和来源，再次查明：{clause}",
    answer="根据记忆回答问题并注明节点，只查仍然缺少的内容：{goal}",
    answer_again="用记忆中已有的内容作答，说明还缺什么，并注明节点：{goal}",
    settled="已核实：{text}",
    not_settled="尚未核实：{text}",
    kept_disputed="放弃：找到的来源无法判定，两种说法都保留并标为有争议。",
    answered="已回答：{text}",
    answered_in_part="尚无答案：{missing} 已回答：{text}",
    not_answered="尚未回答，又查到了新的内容。",
    nothing_new="没有新的信息。",
    gave_up_nothing_new="放弃：连续两步没有得到这方面的新信息。",
    failed="失败：{text}",
    gave_up_failed="重试后放弃：{text}",
    recognised="已识别：{text}",
    because_conflict="冲突 {id} 尚未解决",
    because_attachment="有附件等待识别",
    because_clause="记忆中还没有答案：{clause}",
    because_covered="没有其他需要查明的内容",
    because_done="问题已经回答",
    joint="、",
)
PHRASES: dict[Language, Phrases] = {"en": _ENGLISH, "zh": _CHINESE}
_OF_TASKS = (
    *("validate", "validate_again", "said", "recognise", "recognise_again"),
    *("find", "find_again", "answer", "answer_again"),
)


def was_recognised(task: CompletedTask) -> bool:
    """Whether a finished task only said what a file shows."""
    return any(task.context.startswith(each.recognised.partition("{")[0]) for each in PHRASES.values())


def own_words() -> list[str]:
    """What the planner writes around the words of others when it describes a task, the longest first."""
    texts = [getattr(phrases, name) for phrases in PHRASES.values() for name in _OF_TASKS]
    pieces = {piece.strip() for text in texts for piece in re.split(r"\{\w*\}", text)}
    told = [piece for piece in pieces if len(piece) > 1 and not (piece.isascii() and piece.isalpha())]
    return sorted(told, key=lambda piece: (-len(piece), piece))
