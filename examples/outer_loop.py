"""`run_task`: AMB plans, your step works, until nothing is left to do. Two of these sources contradict each other."""

import sys
from pathlib import Path

from amb_core import MemoryBank, StepResult, TaskType, ToolResult, run_task
from amb_loops.task_loop import EnhancedPrompt, StepStarted, TaskEvent
from amb_tools.corpus import read_corpus

QUESTION = "What is the usable capacity of the Harbour Point battery?"
FOLDER = Path(__file__).parent / "corpora" / "island_microgrid"

documents = {document.name: document.text for document in read_corpus(FOLDER)}
unread = ["operator-annual-report.md", "newspaper-feature.md", "regulator-register.md"]
bank = MemoryBank(QUESTION)


def read_next() -> ToolResult:
    """The tool: the next document that nobody has read."""
    name = unread.pop(0)
    return ToolResult(tool="read", arguments={"name": name}, output=documents[name], call_id=name, source=name)


def step(prompt: EnhancedPrompt) -> StepResult | ToolResult:
    """A step without a model: read two documents, and another one to verify; then answer from memory."""
    verifying = prompt.pending is not None and prompt.pending.type is TaskType.CROSS_VALIDATE
    if verifying or len(unread) > 1:
        return read_next()
    return StepResult(answer=bank.recall(QUESTION, budget_tokens=150).text)


def on_event(event: TaskEvent) -> None:
    """Show each step as it begins."""
    if isinstance(event, StepStarted) and event.prompt.pending is not None:
        print(f"{event.round}. [{event.prompt.pending.type}] {event.prompt.pending.description}")


run = run_task(bank, step, max_rounds=12, on_event=on_event)
for conflict in bank.conflicts:
    print(f"\n{conflict.status}: {conflict.description}\n-> {conflict.resolution}")
print(f"\n{run.ended} after {run.rounds} steps, {bank.usage.llm_calls} model calls. The answer:\n{run.answer}")
bank.close()
sys.exit(run.ended != "finished")
# Prints: finished after 4 steps, 0 model calls
