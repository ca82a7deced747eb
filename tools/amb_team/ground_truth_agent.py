"""The agent of a team that knows no answer, but knows a circle and the form of an answer when it sees one; no model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from amb_core.call_lock import CallLock
from amb_core.rendering import Language, escape_line, strip_block
from amb_core.text import clip_tokens, detect_language, index_tokens
from amb_team.actions import argument_of, near, normalised
from amb_team.question_kind import QuestionType, choices_of, question_type
from amb_team.team_memory import TeamMemory
from amb_values import entities, name_key, sentences, values

__all__ = ["AnswerCheck", "GroundTruthAgent"]

Problem = Literal["empty", "yes-no", "not yes-no", "choice", "number", "name", "long", "refuted", "unseen"]
"""What is wrong with an answer: nothing said, no yes or no, one that was not asked for, and so on."""

_TOLD: dict[Language, dict[Problem, str]] = {
    "en": {
        "empty": "there is no answer in it.",
        "yes-no": "the question asks for yes or no.",
        "not yes-no": "the question does not ask for yes or no.",
        "choice": "the answer is one of {choices}.",
        "number": "the question asks for a number, and there is none in it.",
        "name": "the question asks for a name, not for a number.",
        "long": "that is too long for an answer.",
        "refuted": "it did not hold when this task was tried before.",
        "unseen": "nothing the team has seen says so; search for it first.",
    },
    "zh": {
        "empty": "其中没有答案。",
        "yes-no": "问题要求回答是或否。",
        "not yes-no": "问题问的不是“是或否”。",
        "choice": "答案应是 {choices} 之一。",
        "number": "问题问的是数量，其中没有数字。",
        "name": "问题问的是名称，不是数字。",
        "long": "作为答案太长了。",
        "refuted": "此前尝试本任务时，这个答案不成立。",
        "unseen": "团队所见的内容中没有这一点；请先检索。",
    },
}
_SEEN_KINDS = frozenset({"person", "place", "other"})
"""Questions that are answered by what stands in a text."""
_YES_NO = re.compile(r"\W*(?:yes|no|是的?|否|不是|对|不对|有|没有)\W*", re.IGNORECASE)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_MOST_WORDS, _MOST_HAN = 14, 30
_LINE_TOKENS = 40
_MOST_QUERIES = _MOST_SENTENCES = 20


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """What an answer of its `kind` looks like: `problem` says what is wrong with it, "" that nothing is."""

    answer: str
    kind: QuestionType
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with the form."""
        return not self.problem


class GroundTruthAgent:
    """Helps a team out of circles and looks at the form of its answers, from nothing but what the team shares.

    `agent` is its own name in the team. It does not know the answer. Thread-safe.
    """

    def __init__(self, team: TeamMemory, *, agent: str = "ground_truth") -> None:
        team.private(agent)
        self.team, self.agent = team, agent
        self._given: dict[str, str] = {}
        self._open: set[str] = set()
        self._lock = CallLock()

    # --- circles -----------------------------------------------------------------------------------------------------

    def is_stuck(self, agent: str) -> bool:
        """Whether an agent goes in circles; InvalidParameter for a name that is not in the team."""
        self.team.private(agent)
        peer = self.team.private(self.agent).peer(agent)
        return peer is not None and peer.status == "stuck"

    def suggest(self, for_agent: str) -> str | None:
        """What an agent that goes in circles could search for: nothing that was searched, and nothing twice.

        None for an agent that does not, and when there is nothing left to suggest. Whether an earlier suggestion helped
        becomes part of what the two think of each other.
        """
        with self._lock:
            self._look_back()
            if for_agent == self.agent or not self.is_stuck(for_agent):
                return None
            shared, given = self.team.shared, {normalised(self.team.task), *self._given}
            for query in self._worth_trying():
                clean = clip_tokens(escape_line(query), _LINE_TOKENS).strip()
                words = normalised(clean)
                if len(name_key(clean)) > 1 and words not in given and not shared.has_searched(clean):
                    self._given[words] = clean
                    self._open.add(words)
                    return clean
            return None

    def _worth_trying(self) -> Iterator[str]:
        """Names on the way, what hops suggest that bears on the task, names of the question, names seen, the rest."""
        task, shared = self.team.task, self.team.shared
        yield from (hop.bridge_entity for hop in reversed(shared.hops) if hop.bridge_entity)
        suggested = shared.open_queries(_MOST_QUERIES)
        asked = set(index_tokens(task))
        there = asked.union(*(index_tokens(fact.text) for fact in shared.facts))
        yield from (query for query in suggested if there & set(index_tokens(query)))
        seen = [text for hop in reversed(shared.hops) if hop.success for text in sentences(hop.observation)]
        nearest = sorted(seen, key=lambda text: -len(asked & set(index_tokens(text))))[:_MOST_SENTENCES]
        yield from (each.name for text in (task, *nearest) for each in entities(text) if not each.name[:1].isdigit())
        yield from suggested

    def _look_back(self) -> None:
        """Note for each suggestion that was followed whether it brought anything."""
        least, hops = self.team.settings.near_query, self.team.shared.hops
        for words in sorted(self._open):
            made = [hop for hop in hops if near(normalised(argument_of(hop.action)), words, least=least)]
            if made:
                self._open.discard(words)
                about = f"suggestion: {self._given[words]}"
                self.team.collaborated(self.agent, made[0].agent, about, success=made[0].success)

    # --- answers -----------------------------------------------------------------------------------------------------

    def check(self, answer: str) -> AnswerCheck:
        """Whether an answer has the form the task asks for, and a name in it stands in what the team saw."""
        said = strip_block(answer).strip()
        kind = question_type(self.team.task)
        problem = _form_problem(self.team.task, kind, said)
        if problem is None and name_key(said) in map(name_key, self.team.refuted):
            problem = "refuted"
        if problem is None and kind in _SEEN_KINDS and not self._was_seen(said):
            problem = "unseen"
        if problem is None:
            return AnswerCheck(said, kind)
        language = detect_language(self.team.task)
        named = (" or " if language == "en" else "、").join(map(escape_line, choices_of(self.team.task)))
        return AnswerCheck(said, kind, _TOLD[language][problem].format(choices=named))

    def _was_seen(self, said: str) -> bool:
        wanted, shared = set(index_tokens(said)), self.team.shared
        seen = [hop.observation for hop in shared.hops] + [fact.text for fact in shared.facts]
        return not wanted or any(wanted <= {*index_tokens(text)} or name_key(said) in name_key(text) for text in seen)


def _form_problem(question: str, kind: QuestionType, said: str) -> Problem | None:
    """What is wrong with the form of an answer; None when nothing is, as far as the question's own words say it."""
    if not name_key(said):
        return "empty"
    if _YES_NO.fullmatch(said):
        return None if kind in ("yes-no", "other") else "not yes-no"
    if kind == "yes-no":
        return "yes-no"
    if kind == "choice":
        return None if any(_names(said, choice) for choice in choices_of(question)) else "choice"
    if kind == "number" and not any(value.kind == "number" for value in values(said)):
        return "number"
    if kind == "person" and not any(map(str.isalpha, said)):
        return "name"
    return "long" if len(_HAN.findall(said)) > _MOST_HAN or len(said.split()) > _MOST_WORDS else None


def _names(said: str, choice: str) -> bool:
    """Whether an answer is one of two names: a part of it, or the whole of it with a few words more."""
    one, other = name_key(said), name_key(choice)
    return one in other or (other in one and len(said.split()) <= _MOST_WORDS)
