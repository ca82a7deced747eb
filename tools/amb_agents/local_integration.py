"""Merging conflicting nodes without a model: the verified value wins, everything else of both sides is kept."""

from collections.abc import Sequence

from amb_agents.contradiction import contradictions
from amb_agents.local_analysis import node_text
from amb_agents.verification import Question, Weighing, ask_about, weigh
from amb_core.agent_io import IntegrationAnswer, IntegrationRequest, NodeView
from amb_core.models import Conflict
from amb_core.settings import Settings
from amb_core.text import detect_language, index_tokens
from amb_core.text.wordings import ANYWHERE, FREE_AFTER, FREE_BEFORE, find_wording
from amb_values import sentences, value_signature

__all__ = ["LocalIntegration"]

_MAX_KEYWORDS = 12


class LocalIntegration:
    """Decides by what the verification states of the two values and merges sentence by sentence; an IntegrationAgent.

    No setting concerns it; `settings` is taken for the sake of one way to make an agent.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        pass

    def integrate(self, request: IntegrationRequest) -> IntegrationAnswer:
        """The merged node, or `decided=False` with a reason when the verification settles nothing."""
        nodes = [item.node for item in request.nodes]
        chinese = detect_language(" ".join(map(node_text, nodes))) == "zh"
        if len(nodes) < 2:
            return _undecided("没有两个可比较的节点", "there are no two nodes left to compare", chinese)
        if not request.verification.strip():
            return _undecided("没有得到核实材料", "the verification returned nothing", chinese)
        question = _question(nodes, request.conflict)
        verdict = weigh(question, request.verification) if question else Weighing(None)
        if question is None or verdict.winner is None:
            return _undecided(*_reasons_against(verdict), chinese)
        return _Merge(request, question, verdict, verdict.winner, chinese).answer()


def _undecided(zh: str, en: str, chinese: bool) -> IntegrationAnswer:
    return IntegrationAnswer(decided=False, reason=zh if chinese else en)


def _reasons_against(verdict: Weighing) -> tuple[str, str]:
    if not any(verdict.support):
        return "核实材料没有提到任何一种说法", "the verification supports none of the values"
    counts = "/".join(map(str, verdict.support))
    return (
        f"核实材料对两种说法的支持相当（{counts} 句），无法判定",
        f"the verification supports the values equally ({counts} sentences)",
    )


def _question(nodes: Sequence[NodeView], conflict: Conflict) -> Question | None:
    """What the conflict is about; where it names no values, the first contradiction of the two nodes."""
    first, second = node_text(nodes[0]), node_text(nodes[1])
    if conflict.values:
        return ask_about(conflict.subject, conflict.values, (first, second))
    pair = next(iter(contradictions(first, second, topics=(nodes[0].context, nodes[1].context))), None)
    return ask_about(pair.subject, pair.values, (first, second)) if pair else None


class _Merge:
    """One merge in the making."""

    def __init__(
        self, request: IntegrationRequest, question: Question, verdict: Weighing, winner: int, chinese: bool
    ) -> None:
        self._nodes = [item.node for item in request.nodes]
        self._question = question
        self._verdict, self._winner = verdict, winner
        self._chinese = chinese
        self._value, self._refuted = question.values[winner], question.values[1 - winner]

    def answer(self) -> IntegrationAnswer:
        """The decided answer."""
        kept, dropped = self._union()
        return IntegrationAnswer(
            decided=True,
            reason=self._reason(),
            summary=self._joined(kept),
            context=self._correct(self._nodes[self._winner].context),
            keywords=self._keywords(),
            merge_description=self._description(),
            dropped=tuple(dropped),
            evidence=(self._verdict.sentence,),
        )

    def _joined(self, kept: Sequence[str]) -> str:
        """The sentences as one text; a sentence that began a line in its summary does so again."""
        text = ""
        for sentence in kept:
            broken = any(f"\n{sentence}" in node.summary for node in self._nodes)
            between = "\n" if broken else "" if self._chinese else " "
            text += f"{between if text else ''}{sentence}"
        return text

    def _union(self) -> tuple[list[str], list[str]]:
        """(sentences kept, sentences dropped): no repeats, nothing refuted, the verified value stated once at least."""
        kept: list[str] = []
        dropped: list[str] = []
        place: int | None = None
        seen: list[frozenset[str]] = []
        for node in self._nodes:
            for sentence in sentences(node.summary):
                if self._is_refuted(sentence, node):
                    place = len(kept) if place is None else place
                    dropped.append(sentence)
                elif not _is_repeat(sentence, seen):
                    kept.append(sentence)
        dropped.extend(self._find_refuted(dropped))
        if not any(self._states_winner(sentence) for sentence in kept):
            kept.insert(
                len(kept) if place is None else place, self._question.said[self._winner] or self._verdict.sentence
            )
        return kept, dropped

    def _states_winner(self, sentence: str) -> bool:
        return self._question.side(sentence, self._nodes[self._winner].context) == self._winner

    def _is_refuted(self, sentence: str, node: NodeView) -> bool:
        """Whether a sentence of a node states a value that the verification refuted, and not the one it supports."""
        side = self._question.side(sentence, f"{node.context} {node.text}")
        return side == 1 - self._winner

    def _find_refuted(self, dropped: Sequence[str]) -> list[str]:
        """Refuted sentences of the raw texts that no summary repeats."""
        said = [s for node in self._nodes for s in sentences(node.text) if self._is_refuted(s, node)]
        return [sentence for sentence in dict.fromkeys(said) if sentence not in dropped]

    def _keywords(self) -> tuple[str, ...]:
        words = dict.fromkeys(self._correct(word) for node in self._nodes for word in node.keywords)
        return tuple(words)[:_MAX_KEYWORDS]

    def _correct(self, text: str) -> str:
        return _replace_value(text, self._refuted, self._value)

    def _reason(self) -> str:
        count = self._verdict.support[self._winner]
        if self._chinese:
            return f"“{self._value}”有 {count} 句核实材料支持，“{self._refuted}”不成立"
        told = "one sentence of the verification says so"
        if count > 1:
            told = f"{count} sentences of the verification say so"
        return f'"{self._value}" holds ({told}); "{self._refuted}" does not'

    def _description(self) -> str:
        ids = [node.id for node in self._nodes]
        if self._chinese:
            return f"{'、'.join(ids)} 合并：{self._reason()}。"
        return f"{' and '.join(ids)} merged: {self._reason()}."


def _is_repeat(sentence: str, seen: list[frozenset[str]]) -> bool:
    """Whether the same words with the same values were kept before; remembers the sentence."""
    signature = value_signature(sentence)
    key = frozenset([*index_tokens(sentence), *(f"{kind}={key}" for kind, key in signature)])
    if key in seen:
        return True
    seen.append(key)
    return False


def _replace_value(text: str, old: str, new: str) -> str:
    """`old` as a whole value in `text` replaced by `new`."""
    if not old or old not in text or old == new:
        return text
    before = FREE_BEFORE if old[0].isascii() and old[0].isalnum() else ANYWHERE
    after = FREE_AFTER if old[-1].isascii() and old[-1].isalnum() else ANYWHERE
    done, kept = 0, []
    for start, end in find_wording(text, (old,), before=before, after=after):
        kept.append(text[done:start])
        done = end
    return new.join([*kept, text[done:]])
