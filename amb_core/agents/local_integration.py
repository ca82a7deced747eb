"""Merging conflicting nodes without a model: the verified value wins, everything else of both sides is kept."""

import re
from collections.abc import Sequence
from itertools import combinations

from amb_core.agent_io import IntegrationAnswer, IntegrationRequest, NeighbourUpdate, NodeView
from amb_core.agents.alignment import same_question
from amb_core.agents.contradiction import Contradiction, contradictions
from amb_core.agents.local_analysis import node_text
from amb_core.agents.quantities import compare
from amb_core.agents.statements import Statement, statements
from amb_core.agents.verification import Verdict, weigh, weigh_words
from amb_core.models import Conflict
from amb_core.settings import Settings
from amb_core.text import detect_language, index_tokens, sentences, value_signature

__all__ = ["LocalIntegration"]

_MAX_KEYWORDS = 12


class LocalIntegration:
    """Decides by aligned statements of the verification and merges by statement union; an IntegrationAgent.

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
        pair = _disagreement(nodes, request.conflict)
        if pair is not None:
            verdict, said = weigh(pair, request.verification), pair.values
            if not any(verdict.support):
                verdict = weigh_words(pair.subject, said, request.verification)
        else:
            verdict, said = _by_words(request)
        if verdict.winner is None:
            return _undecided(*_reasons_against(verdict), chinese)
        return _Merge(request, pair, said, verdict, chinese).answer()


def _undecided(zh: str, en: str, chinese: bool) -> IntegrationAnswer:
    return IntegrationAnswer(decided=False, reason=zh if chinese else en)


def _by_words(request: IntegrationRequest) -> tuple[Verdict, tuple[str, str]]:
    """The verdict on values that only whoever found the conflict could name."""
    values = request.conflict.values
    if len(values) != 2:
        return Verdict(None), ("", "")
    return weigh_words(request.conflict.subject, values, request.verification), (values[0], values[1])


def _reasons_against(verdict: Verdict) -> tuple[str, str]:
    if not any(verdict.support):
        return "核实材料没有提到任何一种说法", "the verification supports none of the values"
    counts = "/".join(map(str, verdict.support[:2]))
    return (
        f"核实材料对两种说法的支持相当（{counts} 句），无法判定",
        f"the verification supports the values equally ({counts} sentences)",
    )


def _disagreement(nodes: Sequence[NodeView], conflict: Conflict) -> Contradiction | None:
    """The contradiction the conflict is about: the one with its values, else the first between any two nodes."""
    found = [
        pair
        for a, b in combinations(nodes, 2)
        for pair in contradictions(node_text(a), node_text(b), topics=(a.context, b.context))
    ]
    wanted = set(conflict.values)
    return next((pair for pair in found if wanted and set(pair.values) == wanted), found[0] if found else None)


class _Merge:
    """One merge in the making."""

    def __init__(
        self,
        request: IntegrationRequest,
        pair: Contradiction | None,
        said: tuple[str, str],
        verdict: Verdict,
        chinese: bool,
    ) -> None:
        self._request = request
        self._nodes = [item.node for item in request.nodes]
        self._pair = pair
        self._said = said
        self._verdict = verdict
        self._chinese = chinese
        self._refuted = [value for side, value in enumerate(self._said) if side != verdict.winner and value]

    def answer(self) -> IntegrationAnswer:
        """The decided answer."""
        kept, dropped = self._union()
        return IntegrationAnswer(
            decided=True,
            reason=self._reason(),
            summary=self._joined(kept),
            context=self._corrected(self._leading().context),
            keywords=self._keywords(),
            neighbour_updates=self._neighbour_updates(),
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

    def _leading(self) -> NodeView:
        """The node whose value won, else the newest."""
        newest = max(self._nodes, key=lambda node: node.timestamp)
        if self._verdict.winner not in (0, 1):
            return newest
        wanted = self._said[self._verdict.winner]
        return next((node for node in self._nodes if wanted in node_text(node)), newest)

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
        dropped.extend(self._refuted_in_texts(dropped))
        if not any(self._states_winner(sentence) for sentence in kept):
            kept.insert(len(kept) if place is None else place, self._winning_sentence())
        return self._newer_first_where_both_remain(kept, dropped)

    def _winning_sentence(self) -> str:
        if self._pair is not None and self._verdict.winner in (0, 1):
            return (self._pair.a if self._verdict.winner == 0 else self._pair.b).sentence
        return self._verdict.sentence

    def _states_winner(self, sentence: str) -> bool:
        if self._verdict.slot is None or self._pair is None:
            return self._verdict.value in sentence
        return any(
            statement.slot is not None and compare(statement.slot, self._verdict.slot) == "same"
            for statement in statements(sentence, topic=self._pair.a.subject)
            if statement.kind == self._pair.kind
        )

    def _is_refuted(self, sentence: str, node: NodeView) -> bool:
        """Whether a sentence of a node states a value that the verification refuted."""
        if self._pair is None:
            return any(value in sentence for value in self._refuted) and self._verdict.value not in sentence
        losing = [s for side, s in enumerate((self._pair.a, self._pair.b)) if side != self._verdict.winner]
        if any(statement.sentence in sentence for statement in losing):
            return True
        return any(
            self._same_claim(statement, known)
            for statement in statements(sentence, topic=node.context or known_subject(self._pair))
            for known in losing
        )

    def _same_claim(self, statement: Statement, known: Statement) -> bool:
        if statement.kind != known.kind or statement.slot is None or known.slot is None:
            return False
        if compare(statement.slot, known.slot) != "same":
            return False
        if self._verdict.slot is not None and compare(statement.slot, self._verdict.slot) == "same":
            return False
        return same_question(statement, known)

    def _refuted_in_texts(self, dropped: Sequence[str]) -> list[str]:
        """Refuted sentences of the raw texts that no summary repeats."""
        if self._pair is None:
            return []
        losing = [s for side, s in enumerate((self._pair.a, self._pair.b)) if side != self._verdict.winner]
        said = dict.fromkeys(statement.sentence for statement in losing)
        for node in self._nodes:
            said.update(dict.fromkeys(s for s in sentences(node.text) if s not in said and self._is_refuted(s, node)))
        return [sentence for sentence in said if sentence not in dropped]

    def _newer_first_where_both_remain(self, kept: list[str], dropped: list[str]) -> tuple[list[str], list[str]]:
        """Where both sides still contradict each other in something else, the newer node's sentence stays."""
        age = {s: node.timestamp for node in self._nodes for s in sentences(node.summary)}
        for a, b in combinations(list(kept), 2):
            if a in kept and b in kept and contradictions(a, b):
                older = a if age.get(a, 0.0) <= age.get(b, 0.0) else b
                if not self._states_winner(older):
                    kept.remove(older)
                    dropped.append(older)
        return kept, dropped

    def _keywords(self) -> tuple[str, ...]:
        words = dict.fromkeys(self._corrected(word) for node in self._nodes for word in node.keywords)
        return tuple(words)[:_MAX_KEYWORDS]

    def _corrected(self, text: str) -> str:
        for value in self._refuted:
            text = _replaced(text, value, self._verdict.value)
        return text

    def _neighbour_updates(self) -> tuple[NeighbourUpdate, ...]:
        merged = {node.id for node in self._nodes}
        updates: dict[str, NeighbourUpdate] = {}
        for neighbour in (n for item in self._request.nodes for n in item.neighbours if n.id not in merged):
            context = self._corrected(neighbour.context)
            keywords = tuple(dict.fromkeys(map(self._corrected, neighbour.keywords)))
            if context != neighbour.context or keywords != neighbour.keywords:
                updates[neighbour.id] = NeighbourUpdate(node_id=neighbour.id, context=context, keywords=keywords)
        return tuple(updates.values())

    def _reason(self) -> str:
        count = self._verdict.support[self._verdict.winner or 0]
        refuted = (
            "、".join(f"“{value}”" for value in self._refuted)
            if self._chinese
            else " and ".join(f'"{value}"' for value in self._refuted)
        )
        value = self._verdict.value
        if self._chinese:
            how = "经明确更正" if self._verdict.explicit else f"有 {count} 句核实材料支持"
            return f"“{value}”{how}，{refuted}不成立"
        told = "one sentence of the verification says so"
        if count > 1:
            told = f"{count} sentences of the verification say so"
        how = "a correction names it" if self._verdict.explicit else told
        return f'"{value}" holds ({how}); {refuted} does not'

    def _description(self) -> str:
        ids = [node.id for node in self._nodes]
        if self._chinese:
            return f"{'、'.join(ids)} 合并：{self._reason()}。"
        return f"{' and '.join(ids)} merged: {self._reason()}."


def known_subject(pair: Contradiction) -> str:
    """The name of what a contradiction is about."""
    return pair.a.subject or pair.b.subject


def _is_repeat(sentence: str, seen: list[frozenset[str]]) -> bool:
    """Whether the same words with the same values were kept before; remembers the sentence."""
    signature = value_signature(sentence)
    key = frozenset([*index_tokens(sentence), *(f"{kind}={key}" for kind, key in signature)])
    if key in seen:
        return True
    seen.append(key)
    return False


def _replaced(text: str, old: str, new: str) -> str:
    """`old` as a whole value in `text` replaced by `new`."""
    if not old or old not in text or old == new:
        return text
    edge = r"(?<![\w.,])" if old[0].isascii() and old[0].isalnum() else ""
    end = r"(?![\w]|[.,]\d)" if old[-1].isascii() and old[-1].isalnum() else ""
    return re.sub(edge + re.escape(old) + end, lambda _: new, text)
