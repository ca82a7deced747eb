"""How well contradictions are decided: a value was changed, and a further source says what the unchanged text said."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from amb_core.agent_io import AnalysisRequest, IntegrationRequest, MergeInput, NodeView
from amb_core.evaluation.changed_values import Pair, changed_value_pairs, reworded
from amb_core.evaluation.datasets import load_cmrc, load_hotpotqa
from amb_core.models import Conflict
from amb_core.protocols import AnalysisAgent, IntegrationAgent

__all__ = ["VerdictScore", "decide", "measure_verdicts"]

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
    if not answer.decided:
        return "undecided"
    kept_true, kept_false = (text.rpartition("\n")[2] in answer.summary for text in (pair.a, pair.b))
    return "right" if kept_true and not kept_false else "wrong"
