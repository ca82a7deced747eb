"""AMB, the Agentic Memory Bank: bounded prompts and checkable, traceable memory for any LLM agent.

bank = MemoryBank("Which battery chemistry should we choose?")
bank.absorb(ToolResult(tool="search", arguments={"query": "LFP"}, output=text))
print(bank.recall("cycle life of LFP", budget_tokens=800).text)
"""

from amb_core.adapter import ContextAdapter, MemoryTool
from amb_core.bank import MemoryBank
from amb_core.clock import ManualClock, SystemClock
from amb_core.errors import (
    AgentFailed,
    AmbError,
    BankClosed,
    ConflictStateError,
    EmbedderMismatch,
    ForbiddenPath,
    InvalidExport,
    InvalidInput,
    InvalidParameter,
    InvalidToolResult,
    MissingExtra,
    StoreCorrupt,
    StoreError,
    StoreLocked,
    StoreVersionError,
    UnknownId,
    UnreadableSource,
)
from amb_core.memory.events import BankEvent, EventKind
from amb_core.memory.evidence import EntryView
from amb_core.memory.reports import AbsorbReport
from amb_core.models import (
    Attachment,
    AttachmentType,
    BankSnapshot,
    CompletedTask,
    Conflict,
    ConflictStatus,
    InsightDoc,
    MergeEvent,
    PendingTask,
    QueryNode,
    Receipt,
    Span,
    StepResult,
    TaskStatus,
    TaskType,
    ToolResult,
)
from amb_core.remember import remember
from amb_core.rendering import MemoryBlock
from amb_core.settings import Settings
from amb_core.task_loop import EnhancedPrompt, TaskRun, run_task
from amb_core.usage import Bill, TokenUsage, Usage

__all__ = [
    "AbsorbReport",
    "AgentFailed",
    "AmbError",
    "Attachment",
    "AttachmentType",
    "BankClosed",
    "BankEvent",
    "BankSnapshot",
    "Bill",
    "CompletedTask",
    "Conflict",
    "ConflictStateError",
    "ConflictStatus",
    "ContextAdapter",
    "EmbedderMismatch",
    "EnhancedPrompt",
    "EntryView",
    "EventKind",
    "ForbiddenPath",
    "InsightDoc",
    "InvalidExport",
    "InvalidInput",
    "InvalidParameter",
    "InvalidToolResult",
    "ManualClock",
    "MemoryBank",
    "MemoryBlock",
    "MemoryTool",
    "MergeEvent",
    "MissingExtra",
    "PendingTask",
    "QueryNode",
    "Receipt",
    "Settings",
    "Span",
    "StepResult",
    "StoreCorrupt",
    "StoreError",
    "StoreLocked",
    "StoreVersionError",
    "SystemClock",
    "TaskRun",
    "TaskStatus",
    "TaskType",
    "TokenUsage",
    "ToolResult",
    "UnknownId",
    "UnreadableSource",
    "Usage",
    "remember",
    "run_task",
]
