"""A judge of statements that asks a model, with quotes that are checked."""

from __future__ import annotations

from amb_core.agent_io import JudgeAnswer, JudgeRequest, Statement, Verdict
from amb_core.agents.prompted.asker import Asker
from amb_core.agents.prompted.shapes import JudgeShape, VerdictShape
from amb_core.agents.verdicts import admit_verdict
from amb_core.chat.structured_chat import StructuredChat
from amb_core.chat.usage_meter import UsageMeter
from amb_core.protocols import ChatModel
from amb_core.settings import Settings
from amb_core.text import clip_tokens

__all__ = ["PromptedJudge"]

_EACH = 300
"""Tokens of an earlier statement that are shown."""
_OUTPUT, _OUTPUT_EACH = 150, 120


class PromptedJudge:
    """A Judge that asks a chat model once for each later statement, however many earlier ones there are.

    `meter` counts what is spent and may hold a budget.
    """

    def __init__(self, chat: ChatModel, *, settings: Settings | None = None, meter: UsageMeter | None = None) -> None:
        self._asker = Asker(StructuredChat(chat, meter=meter), settings=settings or Settings())

    def judge(self, request: JudgeRequest) -> JudgeAnswer:
        """A verdict for each earlier statement; raises a ModelError when there is no usable answer."""
        if not request.earlier:
            return JudgeAnswer(verdicts=())
        later = clip_tokens(request.later.text, self._asker.window // 2)
        answer = self._asker.ask(
            "judge",
            JudgeShape,
            {
                "earlier": [_shown(n, statement) for n, statement in enumerate(request.earlier, 1)],
                "later": {"text": later, "source": request.later.source},
            },
            language=self._asker.language(later),
            max_output_tokens=_OUTPUT + _OUTPUT_EACH * len(request.earlier),
        )
        given = {one.n: one for one in reversed(answer.verdicts)}
        found = (_verdict(given.get(n)) for n in range(1, len(request.earlier) + 1))
        return JudgeAnswer(
            verdicts=tuple(
                admit_verdict(verdict, earlier=earlier, later=request.later)
                for verdict, earlier in zip(found, request.earlier, strict=True)
            )
        )


def _shown(n: int, statement: Statement) -> dict[str, object]:
    return {"n": n, "text": clip_tokens(statement.text, _EACH), "source": statement.source}


def _verdict(said: VerdictShape | None) -> Verdict:
    """What the answers come to: only of one attribute can there be a change, and only where it holds one value."""
    if said is None or not said.same_attribute or (said.relation in ("changed", "conflict") and not said.only_one):
        return Verdict(reason=said.reason if said is not None else "")
    return Verdict(
        relation=said.relation,
        attribute=" ".join(said.attribute.split()),
        quote_earlier=said.quote_earlier,
        quote_later=said.quote_later,
        reason=said.reason,
        decided_by=said.decided_by,
    )
