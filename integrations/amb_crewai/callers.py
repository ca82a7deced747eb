"""Who a request is made for: the inputs of a kickoff name the user and thread, and a kickoff is a run."""

from __future__ import annotations

from typing import Any

from amb_core import ContextAdapter
from amb_core.adapter import Caller, scope_in

__all__ = ["Kickoffs"]


class Kickoffs:
    """The crews at work, each with the context CrewAI made for its kickoff; `whole` is a run that all are part of."""

    def __init__(self) -> None:
        self._begun: dict[int, Any] = {}
        self.whole: object = None

    def begin(self, run: Any) -> None:
        """A crew starts."""
        self._begun[id(run.crew)] = run

    def end(self, run: Any, adapter: ContextAdapter | None) -> None:
        """A crew has finished, or failed."""
        begun = self._begun.pop(id(run.crew), None)
        if adapter is None or begun is None:
            return
        if getattr(run, "status", "completed") == "completed":
            adapter.gate.answered(getattr(run.output, "raw", ""), begun)
        else:
            adapter.gate.failed(begun)

    def caller(self, call: Any) -> Caller:
        """Who a model call is made for: its crew's kickoff, or the executor of an agent that works alone."""
        run = self._begun.get(id(call.crew)) if call.crew is not None else None
        alone = call.executor if run is None else run
        return Caller(scope_in(getattr(run, "inputs", None)), alone if self.whole is None else self.whole)
