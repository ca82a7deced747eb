"""The contract of a team's member: what it is there for, and its own words that count as its plan and its guesses.

The form is the seed's: 【Role】, 【Plan】 and 【Hypotheses】, in Chinese 【角色】, 【计划】 and 【假设】.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from amb_core.frozen import Frozen
from amb_core.rendering import Language
from amb_team.shared_memory import PrivateMemory
from amb_team.team_records import Hypothesis, PlanItem, PlanStatus

__all__ = ["HEADINGS", "MemberNotes", "RoleContract", "keep_notes", "read_notes", "without_notes"]

HEADINGS: dict[Language, tuple[str, str, str]] = {
    "en": ("【Role】", "【Plan】", "【Hypotheses】"),
    "zh": ("【角色】", "【计划】", "【假设】"),
}
"""The headings of the role, the plan and the hypotheses."""
_MOST, _LONGEST = 20, 300
"""So many lines of a section are read, and so many characters of a line."""
_SECTION = re.compile(
    r"^[ \t#*]*【(?P<name>plan|计划|hypothes[ei]s|假设)】[ \t:：*]*"
    r"(?P<said>[^\n]*(?:\n[ \t]*(?:[→•*\-–·~≈✓✔]|\d{1,2}[.)、])[^\n]*)*)",
    re.IGNORECASE | re.MULTILINE,
)
"""A heading, what stands beside it, and the lines under it that begin with a mark."""
_MARK = re.compile(r"^\s*(?:[→•*\-–·]|\d{1,2}[.)、])?\s*")
_STATUS = re.compile(r"\s*[\[［【(（](?P<status>[\w ]+)[\]］】)）]\s*$")
_SURE = re.compile(r"^[~≈✓✔]?\s*(?P<share>[01](?:\.\d+)?|\.\d+)\s*[:：]?\s+")
_SIGN = re.compile(r"\s*(?P<sign>[⚠＋－]|(?<=\s)[+−-](?=\s))\s*")
"""What comes before something that speaks for a guess, against it, or is a risk of it."""
_SIGNS = {"+": "＋", "-": "－", "−": "－"}
_STATES = {
    **{status.value: status for status in PlanStatus},
    **dict(zip(("待办", "进行中", "已完成", "受阻"), PlanStatus, strict=True)),
}
_WORDS: dict[Language, dict[str, str]] = {
    "en": {"rules": " | Priorities: {} | May: {} | May not: {} | Tools: {} | Output: {}", "and": ", "},
    "zh": {"rules": " | 优先级：{} | 可以：{} | 不可以：{} | 工具：{} | 输出：{}", "and": "、"},
}
_FORM: dict[Language, str] = {
    "en": "Write what you mean to do under 【Plan】 (“→ step [in_progress]”), what you believe without proof under "
    "【Hypotheses】 (“~0.8 guess ＋ pro － con ⚠ risk”); they are kept as such, and never as facts.",
    "zh": "打算做的写在【计划】下（“→ 步骤 [in_progress]”），尚无证据的猜测写在【假设】下"
    "（“~0.8 猜测 ＋ 优点 － 缺点 ⚠ 风险”）；"
    "它们只作为计划和假设保存，绝不当作事实。",
}


class RoleContract(Frozen):
    """What a member is there for and keeps to; whatever is empty is left out."""

    responsibilities: tuple[str, ...] = ()
    can_do: tuple[str, ...] = ()
    cannot_do: tuple[str, ...] = ()
    priorities: tuple[str, ...] = ()
    allowed_tools: tuple[str, ...] = ()
    output_format: str = ""

    def lines(self, agent: str, language: Language) -> tuple[str, str]:
        """The contract of an agent as one line, and how it writes its plan and its guesses."""
        words = _WORDS[language]
        parts = (self.priorities, self.can_do, self.cannot_do, self.allowed_tools, (self.output_format,))
        told = [words["and"].join(filter(None, part)) for part in parts]
        rules = [rule.format(said) for rule, said in zip(words["rules"].split(" | ")[1:], told, strict=True) if said]
        does = [words["and"].join(self.responsibilities)] if self.responsibilities else []
        return " | ".join([agent, *does, *rules]), _FORM[language]


class Guess(NamedTuple):
    """How sure a member is of a guess, and what is a risk, what speaks for it and what against it."""

    confidence: float
    risks: tuple[str, ...] = ()
    pros: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()


class MemberNotes(NamedTuple):
    """What a member's message says of its plan (step, how far it is) and its guesses."""

    plan: tuple[tuple[str, PlanStatus], ...] = ()
    hypotheses: tuple[tuple[str, Guess], ...] = ()


def read_notes(text: str) -> MemberNotes:
    """The plan and the hypotheses that stand under their headings in a member's own message."""
    plan: dict[str, PlanStatus] = {}
    guesses: dict[str, Guess] = {}
    for section in _SECTION.finditer(text):
        lines = [line.strip()[:_LONGEST] for line in section["said"].splitlines() if line.strip()][:_MOST]
        for line in lines:
            said = _MARK.sub("", line)
            if section["name"].casefold() in ("plan", "计划"):
                found = _STATUS.search(said)
                status = _STATES.get(found["status"].strip().casefold().replace(" ", "_")) if found else None
                step = said[: found.start()] if found and status else said
                plan[step] = status or PlanStatus.PENDING
            else:
                sure = _SURE.match(said)
                guess, *signed = _SIGN.split(said[sure.end() :] if sure else said)
                told: dict[str, list[str]] = {"⚠": [], "＋": [], "－": []}
                for sign, reason in zip(signed[::2], signed[1::2], strict=True):
                    told[_SIGNS.get(sign, sign)] += [reason] if reason else []
                share = min(float(sure["share"]), 1.0) if sure else 0.5
                guesses[guess.strip()] = Guess(share, *(tuple(told[sign]) for sign in ("⚠", "＋", "－")))
    return MemberNotes(
        tuple((step, status) for step, status in plan.items() if step),
        tuple((guess, rest) for guess, rest in guesses.items() if guess),
    )


def without_notes(text: str) -> str:
    """A text without sections of plan and hypotheses: what may be read for facts."""
    return _SECTION.sub("", text)


def keep_notes(text: str, private: PrivateMemory, *, turn: int) -> None:
    """Keep the plan and the hypotheses of an agent's own message among its notes; what it says last of each counts."""
    notes = read_notes(text)
    for step, status in notes.plan:
        item = private.note(PlanItem, description=step, turn=turn)
        private.change(item, status=status)
    for guess, rest in notes.hypotheses:
        known = private.said(Hypothesis, guess)
        if known is None:
            private.note(Hypothesis, content=guess, turn=turn, **rest._asdict())
        else:
            private.change(known, turn=turn, **rest._asdict())
