"""How well contradictions are decided: a value was changed, and a further source says what the unchanged text said."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from amb_bench.datasets import load_cmrc, load_hotpotqa
from amb_bench.reworded import reworded_pairs
from amb_bench.value_changes import Pair, changed_value_pairs, reworded
from amb_core.agent_io import AnalysisRequest, IntegrationAnswer, IntegrationRequest, MergeInput, NodeView
from amb_core.models import Conflict
from amb_core.protocols import AnalysisAgent, IntegrationAgent
from amb_core.text import Language, find_unsupported

__all__ = ["VerdictScore", "decide", "measure_reworded_verdicts", "measure_verdicts"]

_FRAMES = {False: ("Archive note 7.", "\n\n"), True: ("档案第七卷。", "\n")}


@dataclass(frozen=True, slots=True)
class VerdictScore:
    """Contradictions found in one set and how a verification decided them."""

    name: str
    found: int
    right: int
    wrong: int

    @property
    def undecided(self) -> int:
        """Contradictions that stayed open."""
        return self.found - self.right - self.wrong


def measure_verdicts(
    analysis: AnalysisAgent, integration: IntegrationAgent, *, folder: str | os.PathLike[str] | None = None
) -> Iterator[VerdictScore]:
    """English and Chinese, verified word for word and in other words; raises UnreadableSource without the data."""
    for sample, chinese in ((load_hotpotqa(folder=folder), False), (load_cmrc(folder=folder), True)):
        pairs = [pair for pair in changed_value_pairs(sample, chinese=chinese, whole=False) if pair.conflict]
        for name in ("same words", "reworded"):
            label = f"{'Chinese' if chinese else 'English'}, verified in {name}"
            yield _score(label, pairs, analysis, integration, chinese=chinese, again=name == "reworded")
    yield from measure_reworded_verdicts(analysis, integration)


def measure_reworded_verdicts(analysis: AnalysisAgent, integration: IntegrationAgent) -> Iterator[VerdictScore]:
    """Contradictions in other words, each decided twice: a further source says what the one side says, and the other.

    What is wrong: the value of the verified side is not in the merged summary, or a name, date or number in it stands
    in no source.
    """
    languages: tuple[tuple[Language, bool], ...] = (("en", False), ("zh", True))
    for language, chinese in languages:
        opening, gap = _FRAMES[chinese]
        outcomes = []
        for pair in reworded_pairs(language):
            for side, said in enumerate((pair.a, pair.b) if pair.conflict else ()):
                outcomes.append(_decide_for(side, pair, f"{opening}{gap}{said}", analysis, integration))
        kept = [outcome for outcome in outcomes if outcome is not None]
        yield VerdictScore(f"reworded, {language}, either side", len(kept), kept.count("right"), kept.count("wrong"))


def _score(
    name: str,
    pairs: list[Pair],
    analysis: AnalysisAgent,
    integration: IntegrationAgent,
    *,
    chinese: bool,
    again: bool,
) -> VerdictScore:
    outcomes = []
    for pair in pairs:
        title, _, line = pair.a.rpartition("\n")
        said = next(reworded(line, chinese=chinese), None) if again else line
        opening, gap = _FRAMES[chinese]
        if said is not None and (
            outcome := decide(pair, f"{title}\n{opening}{gap}{said}".strip(), analysis, integration)
        ):
            outcomes.append(outcome)
    return VerdictScore(name, len(outcomes), outcomes.count("right"), outcomes.count("wrong"))


def decide(pair: Pair, verification: str, analysis: AnalysisAgent, integration: IntegrationAgent) -> str | None:
    """ "right", "wrong" or "undecided"; None when the analysis sees no contradiction."""
    settled = _settle(pair, verification, analysis, integration)
    if settled is None:
        return None
    _, answer = settled
    if not answer.decided:
        return "undecided"
    kept_true, kept_false = (text.rpartition("\n")[2] in answer.summary for text in (pair.a, pair.b))
    return "right" if kept_true and not kept_false else "wrong"


def _decide_for(
    side: int, pair: Pair, verification: str, analysis: AnalysisAgent, integration: IntegrationAgent
) -> str | None:
    settled = _settle(pair, verification, analysis, integration)
    if settled is None:
        return None
    values, answer = settled
    if not answer.decided:
        return "undecided"
    invented = find_unsupported(answer.summary, [pair.a, pair.b, verification])
    return "right" if values[side] in answer.summary and invented is None else "wrong"


def _settle(
    pair: Pair, verification: str, analysis: AnalysisAgent, integration: IntegrationAgent
) -> tuple[tuple[str, ...], IntegrationAnswer] | None:
    """(values, answer) of the two texts as nodes; None when the analysis sees no contradiction."""
    old = NodeView(id="n1", summary=pair.a, context="", text=pair.a, timestamp=1.0)
    new = NodeView(id="n2", summary=pair.b, context="", text=pair.b, timestamp=2.0)
    (relation,) = analysis.analyse(AnalysisRequest(new=new, candidates=(old,))).relationships
    if relation.relationship != "conflict":
        return None
    conflict = Conflict(
        id="c1",
        node_ids=("n1", "n2"),
        description=relation.conflict_description,
        subject=relation.conflict_subject,
        values=relation.conflict_values,
    )
    nodes = (MergeInput(node=old), MergeInput(node=new))
    answer = integration.integrate(IntegrationRequest(nodes=nodes, conflict=conflict, verification=verification))
    return relation.conflict_values, answer
