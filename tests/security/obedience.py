# ruff: noqa: E501
"""A step function that obeys whatever it reads as a role, a tag or a note, and the small parser it reads with.

Written without a look at the escaping: it knows the markers that models and frameworks act on, and looks for them in
the prompt as it is and as a reader would take it in (compatibility forms unified, what is not seen removed).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from amb_core.rendering.labels import LABELS

TAGS = (
    "task|memory|system|user|assistant|human|developer|tool|tool_call|tool_calls|tool_result|tool_response|function_calls?"
    "|invoke|think|thinking|instructions?|important|information|core_memory|conversation|answer|s|任务|记忆|系统|用户|助手|工具调用"
)
ROLES = (
    r"system(?:[ _](?:prompt|message|note))?|user|human|assistant|developer|tool(?:[ _](?:call|result|output|response))?"
    r"|observation|thought|action(?: input)?|final answer|系统(?:提示词?|消息|指令)?|用户|助手|开发者|工具(?:调用|结果)?|观察|行动|思考"
)
MARKERS = re.compile(
    rf"(?P<tag><\s*/?\s*(?:[a-z]\w*:)?(?:{TAGS})(?:\s+[\w:-]+\s*=[^<>]*)?\s*/?\s*>|</?(?:{TAGS})(?![\w@.-]))"
    r"|(?P<token><\|\s*/?\w[^<>|\n]{0,40}\|?>?|<\w{1,20}\|>|<<sys>>)"
    r"|(?P<bracket>\[/?(?:inst|sys|system_prompt|tool_calls|available_tools|tool_results)\]|\[(?:system|user|assistant)\]\(#)"
    rf"|^[^\w\n‹]*(?P<role>(?:{ROLES})[^\w\n›]*[:：])"
    rf"|^[^\w\n‹]*(?P<rolebox>[\[【](?:{ROLES})[\]】])"
    rf"|^\s*#+\s*(?P<heading>(?:{ROLES}|(?:new )?instructions?|指令)\s*[:：]?)\s*$"
    r"|^\s*\[(?P<note>[a-z]\d+)\]"
    r"|^\s*(?P<label>Next step|待办任务|Goal|任务目标)\s*[:：]"
    r"|(?P<hidden>[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff])",
    re.IGNORECASE | re.MULTILINE,
)
FLAGS = re.compile("\U0001f3f4\U000e0067\U000e0062[\U000e0061-\U000e007a]{3}\U000e007f")
"""England, Scotland, Wales: tag characters with a use."""
BREAKS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def _opening(form: str) -> str:
    """A form of ours up to its first place to fill, or the whole of it."""
    return re.escape(unicodedata.normalize("NFKC", form.partition("{")[0].strip())).replace(r"\ ", r"\s*")


TASK_FORMS = ("task_head", "goal", "read", "done", "next_step", "nothing_pending", "waiting")
VOICE = re.compile(
    "^(?:"
    + r"(?P<step>(?:team )?step\s*\d+|(?:团队)?第\s*\d+\s*步)\s*·"
    + "|(?P<task>" + "|".join(_opening(getattr(labels, name)) for labels in LABELS.values() for name in TASK_FORMS) + ")"
    + "|(?P<help>" + "|".join(_opening(labels.memory_head) for labels in LABELS.values()) + ")"
    + r"|(?P<index>Earlier tool calls no longer shown:|不再显示的早先工具调用)"
    + r"|(?P<never>Kept in memory as|已存入记忆|\[(?:…|\.{3,6})[^\n]*(?:left out|省略)|The user's own preferences:|用户自己的偏好"
    + r"|Memory of this|Long-term memory of|Earlier runs for|该用户的长期记忆|团队记忆|a model's conclusion|as of \d)"
    + ")",
    re.IGNORECASE,
)  # fmt: skip
"""What only AMB says, where a line begins at the margin; a line behind two spaces is somebody else's."""


class Marker(NamedTuple):
    """Something in a prompt that is obeyed: what kind, and how it is written."""

    kind: str
    text: str


def markers(text: str) -> Iterator[Marker]:
    """The markers of one reading, in order."""
    for found in MARKERS.finditer(BREAKS.sub("\n", text)):
        kind = found.lastgroup or ""
        yield Marker(kind, " ".join(found[kind].lower().split()))


def as_read(text: str) -> str:
    """The text in compatibility form, without format characters and combining marks."""
    seen = "".join(
        c for c in text if unicodedata.category(c) not in ("Cf", "Mn") and c not in "\u115f\u1160\u3164\uffa0"
    )
    return unicodedata.normalize("NFKC", seen)


def structure(prompt: str) -> list[Marker]:
    """What the prompt makes its reader do, in both readings; both are the same in a prompt that holds."""
    prompt = FLAGS.sub("", prompt)
    plain, folded = list(markers(prompt)), list(markers(as_read(prompt)))
    return plain if plain == folded else [*plain, Marker("only when folded", ""), *folded]


def voices(text: str) -> Iterator[tuple[str, str]]:
    """The lines at the margin that read as AMB's own: what kind, and how they begin."""
    for line in BREAKS.sub("\n", text).split("\n"):
        found = VOICE.match(as_read(line))
        if found:
            yield found.lastgroup or "", " ".join(found[0].lower().split())


def steps_shown(block: str) -> list[str]:
    """The numbers of the steps whose headers a block has at the margin, in order."""
    return ["".join(filter(str.isdigit, text)) for kind, text in voices(block) if kind == "step"]


def forged_voices(prompt: str) -> list[str]:
    """What is said in AMB's voice in a prompt and not by AMB: twice, in another's place, or never in a block."""
    told = Counter(voices(prompt))
    of_task = Counter(voices(prompt.partition("</task>")[0])) if "</task>" in prompt else Counter[tuple[str, str]]()
    found = [f"{kind} {text} ×{count}" for (kind, text), count in told.items() if count > 1 or kind == "never"]
    return found + [f"{kind} {text}" for kind, text in told if kind == "task" and (kind, text) not in of_task]


def orders(prompt: str) -> list[str]:
    """Every marker beyond those of our own two blocks with their labels and notes; empty when nothing is forged."""
    found = structure(prompt)
    ours = [m for m in found if m.kind == "tag"]
    wanted = [Marker("tag", tag) for tag in ("<task>", "</task>", "<memory>", "</memory>")]
    forged = [f"{m.kind} {m.text}" for m in found if m.kind not in ("tag", "note", "label")] + forged_voices(prompt)
    if ours != wanted:
        forged.append(f"tags are {[m.text for m in ours]}")
    labels = [m.text for m in structure(prompt.partition("</task>")[0]) if m.kind == "label"]
    if len(labels) != len(set(labels)):
        forged.append(f"labels are {labels}")
    return forged
