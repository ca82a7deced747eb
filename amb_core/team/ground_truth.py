"""The agent of a team that knows no answer, but knows a circle and the form of an answer when it sees one; no model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from amb_core.errors import InvalidInput
from amb_core.rendering import Language, escape_line, strip_block
from amb_core.team.answer_forms import Problem, form_problem
from amb_core.team.curating import QuestionType
from amb_core.team.dead_ends import suggestions
from amb_core.team.queries import argument_of, near, normalised
from amb_core.team.question_names import names_of_question
from amb_core.team.question_types import choices, question_type
from amb_core.team.team_memory import TeamMemory
from amb_core.text import clip_tokens, detect_language, entities, index_tokens, name_key, sentences

__all__ = ["AnswerCheck", "GroundTruthAgent"]

_TOLD: dict[Language, dict[Problem, str]] = {
    "en": {
        "empty": "there is no answer in it.",
        "wrapped": "give the answer alone, without words around it.",
        "yes-no": "the question asks for yes or no.",
        "not yes-no": "the question does not ask for yes or no.",
        "choice": "the answer is one of {choices}.",
        "date": "the question asks for a date, and there is none in it.",
        "year": "the question asks for a year, and there is none in it.",
        "number": "the question asks for a number, and there is none in it.",
        "name": "the question asks for a name, not for a number.",
        "sentence": "give the short answer, not a sentence.",
        "long": "that is too long for an answer.",
        "unseen": "nothing the team has seen says so; search for it first.",
    },
    "zh": {
        "empty": "其中没有答案。",
        "wrapped": "请只给出答案本身，不要附加其他文字。",
        "yes-no": "问题要求回答是或否。",
        "not yes-no": "问题问的不是“是或否”。",
        "choice": "答案应是 {choices} 之一。",
        "date": "问题问的是日期，其中没有日期。",
        "year": "问题问的是年份，其中没有年份。",
        "number": "问题问的是数量，其中没有数字。",
        "name": "问题问的是名称，不是数字。",
        "sentence": "请给出简短答案，不要整句话。",
        "long": "作为答案太长了。",
        "unseen": "团队所见的内容中没有这一点；请先检索。",
    },
}
_SEEN_KINDS = frozenset({"person", "place", "organisation", "work", "other"})
"""Questions that are answered by what stands in a text."""
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

    `agent` is its own name in the team. It does not know the answer: `evaluation_answer` is for the arm of an
    evaluation that says so, and serves `judge` alone. Thread-safe.
    """

    def __init__(self, team: TeamMemory, *, agent: str = "ground_truth", evaluation_answer: str | None = None) -> None:
        team.private(agent)
        self.team, self.agent = team, agent
        self._is_right: Callable[[str], bool] | None = None
        if evaluation_answer is not None:
            self._is_right = partial(_same, _key(evaluation_answer))
        self._given: dict[str, str] = {}
        self._open: set[str] = set()
        self._lock = threading.Lock()

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
            for query in self._untried():
                words = normalised(query)
                if words not in self._given:
                    self._given[words] = query
                    self._open.add(words)
                    return query
            return None

    def _untried(self) -> Iterator[str]:
        """What could be searched for, most promising first."""
        shared = self.team.shared
        task = normalised(self.team.task)
        for query in dict.fromkeys(self._suggested_by_the_way()):
            clean = clip_tokens(escape_line(query), _LINE_TOKENS).strip()
            if len(name_key(clean)) > 1 and normalised(clean) != task and not shared.has_searched(clean):
                yield clean

    def _suggested_by_the_way(self) -> Iterator[str]:
        """Names on the way, what hops left open, titles like missing ones, names of the question, names seen."""
        task, shared = self.team.task, self.team.shared
        known = [fact.text for fact in shared.facts]
        yield from (hop.bridge_entity for hop in reversed(shared.hops) if hop.bridge_entity)
        led_on = list(shared.open_queries(_MOST_QUERIES))
        for hop in reversed(shared.hops):
            led_on += suggestions(hop.observation, task=task, known=known)
        asked, there = set(index_tokens(task)), set(index_tokens(" ".join([task, *known])))
        yield from (query for query in led_on if there & set(index_tokens(query)))
        yield from (name for name, _ in names_of_question(task))
        seen = [text for hop in reversed(shared.hops) if hop.success for text in sentences(hop.observation)]
        for text in sorted(seen, key=lambda text: -len(asked & set(index_tokens(text))))[:_MOST_SENTENCES]:
            yield from (entity.name for entity in entities(text) if not entity.name[:1].isdigit())
        yield from led_on

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
        problem = form_problem(self.team.task, said)
        if problem is None and kind in _SEEN_KINDS and not self._was_seen(said):
            problem = "unseen"
        return AnswerCheck(said, kind, "" if problem is None else self._told(problem))

    def judge(self, answer: str) -> bool:
        """Whether an answer is the one given for the evaluation, apart from case, punctuation and articles.

        Raises InvalidInput when none was given.
        """
        if self._is_right is None:
            raise InvalidInput("this agent knows no answer; only an evaluation may pass evaluation_answer=.")
        return self._is_right(answer)

    def _was_seen(self, said: str) -> bool:
        wanted = set(index_tokens(said))
        if not wanted:
            return True
        shared = self.team.shared
        seen = [hop.observation for hop in shared.hops] + [fact.text for fact in shared.facts]
        return any(wanted <= set(index_tokens(text)) for text in seen) or any(
            name_key(said) in name_key(text) for text in seen
        )

    def _told(self, problem: Problem) -> str:
        language = detect_language(self.team.task)
        named = (" or " if language == "en" else "、").join(escape_line(each) for each in choices(self.team.task))
        return _TOLD[language][problem].format(choices=named)


def _key(answer: str) -> str:
    return name_key(answer) or answer.strip().casefold()


def _same(wanted: str, answer: str) -> bool:
    return _key(answer) == wanted
