"""AMB, the Agentic Memory Bank: bounded prompts and checkable, traceable memory for any LLM agent.

bank = MemoryBank("Which battery chemistry should we choose?")
bank.absorb(ToolResult(tool="search", arguments={"query": "LFP"}, output=text))
print(bank.recall("cycle life of LFP", budget_tokens=800).text)
"""

import sys
from typing import TYPE_CHECKING

from amb_core.deferred import LeftPackages, deferred

if TYPE_CHECKING:
    from amb_agents.prompted import llm_agents
    from amb_chat import Budget, OpenAIChatModel, UsageMeter, open_chat
    from amb_core.adapter import ContextAdapter, Tool, ToolOutput
    from amb_core.attachments import Attachment, AttachmentType
    from amb_core.bank import MemoryBank
    from amb_core.clock import ManualClock, SystemClock
    from amb_core.errors import (
        AgentFailed,
        AmbError,
        BankClosed,
        BookMismatch,
        BudgetSpent,
        ConflictStateError,
        EmbedderMismatch,
        ForbiddenPath,
        InvalidExport,
        InvalidInput,
        InvalidParameter,
        InvalidToolResult,
        MessageTooLong,
        MissingExtra,
        ModelError,
        ModelRefused,
        ModelUnavailable,
        OpenedBeforeFork,
        ScopeMixed,
        StoreCorrupt,
        StoreError,
        StoreGone,
        StoreLocked,
        StoreUnreachable,
        StoreVersionError,
        UnknownId,
        UnreadableSource,
    )
    from amb_core.memory.entry_views import EntryView
    from amb_core.memory.events import AbsorbReport, BankEvent, EventKind
    from amb_core.models import (
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
    from amb_core.rendering import MemoryBlock
    from amb_core.scope import Scope
    from amb_core.settings import Settings
    from amb_core.usage import Bill, TokenUsage, Usage
    from amb_experience import Experience
    from amb_longterm import LongTermMemory
    from amb_loops.decorator import remember
    from amb_loops.task_loop import EnhancedPrompt, TaskRun, run_task
    from amb_users.user_banks import Banks, BanksDeleted
    from amb_wrap import unwrap, wrap

__all__ = [
    "AbsorbReport",
    "AgentFailed",
    "AmbError",
    "Attachment",
    "AttachmentType",
    "BankClosed",
    "BankEvent",
    "BankSnapshot",
    "Banks",
    "BanksDeleted",
    "Bill",
    "BookMismatch",
    "Budget",
    "BudgetSpent",
    "CompletedTask",
    "Conflict",
    "ConflictStateError",
    "ConflictStatus",
    "ContextAdapter",
    "EmbedderMismatch",
    "EnhancedPrompt",
    "EntryView",
    "EventKind",
    "Experience",
    "ForbiddenPath",
    "InsightDoc",
    "InvalidExport",
    "InvalidInput",
    "InvalidParameter",
    "InvalidToolResult",
    "LongTermMemory",
    "ManualClock",
    "MemoryBank",
    "MemoryBlock",
    "MergeEvent",
    "MessageTooLong",
    "MissingExtra",
    "ModelError",
    "ModelRefused",
    "ModelUnavailable",
    "OpenAIChatModel",
    "OpenedBeforeFork",
    "PendingTask",
    "PromptedJudge",
    "QueryNode",
    "Receipt",
    "Scope",
    "ScopeMixed",
    "Settings",
    "Span",
    "StepResult",
    "StoreCorrupt",
    "StoreError",
    "StoreGone",
    "StoreLocked",
    "StoreUnreachable",
    "StoreVersionError",
    "SystemClock",
    "TaskRun",
    "TaskStatus",
    "TaskType",
    "TokenUsage",
    "Tool",
    "ToolOutput",
    "ToolResult",
    "UnknownId",
    "UnreadableSource",
    "Usage",
    "UsageMeter",
    "llm_agents",
    "open_chat",
    "remember",
    "run_task",
    "unwrap",
    "wrap",
]

_HOMES = {
    "/amb_experience": "Experience",
    "/amb_longterm": "LongTermMemory",
    "/amb_loops": "EnhancedPrompt TaskRun remember run_task",
    "adapter": "ContextAdapter Tool ToolOutput",
    "/amb_wrap": "unwrap wrap",
    "/amb_readers": "PromptedJudge",
    "/amb_agents.prompted": "llm_agents",
    "attachments": "Attachment AttachmentType",
    "bank": "MemoryBank",
    "/amb_chat": "Budget OpenAIChatModel UsageMeter open_chat",
    "clock": "ManualClock SystemClock",
    "errors": (
        "AgentFailed AmbError BankClosed BookMismatch BudgetSpent ConflictStateError EmbedderMismatch "
        "ForbiddenPath InvalidExport InvalidInput InvalidParameter InvalidToolResult MessageTooLong MissingExtra "
        "ModelError ModelRefused ModelUnavailable OpenedBeforeFork ScopeMixed StoreCorrupt StoreError StoreGone "
        "StoreLocked StoreUnreachable StoreVersionError UnknownId UnreadableSource"
    ),
    "memory.events": "AbsorbReport BankEvent EventKind",
    "memory.entry_views": "EntryView",
    "models": (
        "BankSnapshot CompletedTask Conflict ConflictStatus InsightDoc MergeEvent "
        "PendingTask QueryNode Receipt Span StepResult TaskStatus TaskType ToolResult"
    ),
    "rendering": "MemoryBlock",
    "scope": "Scope",
    "settings": "Settings",
    "/amb_users": "Banks BanksDeleted",
    "usage": "Bill TokenUsage Usage",
}
"""What this package exports, by the module it is in: a module is loaded when a name of it is first used."""

__getattr__ = deferred(
    __name__,
    {name: home for home, names in _HOMES.items() for name in names.split()},
    renamed={"MemoryTool": "Tool"},
    own_modules=True,
)

sys.meta_path.append(
    LeftPackages(
        {
            **{f"{__name__}.{left}": f"amb_{left}" for left in ("cli", "experience", "inspector", "longterm")},
            **{f"{__name__}.{left}": f"amb_{left}" for left in ("redaction", "team")},
            f"{__name__}.decorator": "amb_loops.decorator",
            f"{__name__}.doctor": "amb_cli.doctor",
            f"{__name__}.formats": "amb_files",
            f"{__name__}.testing": "amb_contracts",
            f"{__name__}.agents.local_reader": "amb_readers.local_reader",
            f"{__name__}.agents.prompted.prompted_judge": "amb_readers.prompted_judge",
            f"{__name__}.agents.prompted.prompted_reader": "amb_readers.prompted_reader",
            f"{__name__}.agents": "amb_agents",
            f"{__name__}.chat": "amb_chat",
            f"{__name__}.embedders": "amb_embedders",
            f"{__name__}.prompts": "amb_agents.prompts",
            f"{__name__}.reading.quotes": "amb_readers.quotes",
            **{
                f"{__name__}.memory.{left}": f"amb_notes.{left}"
                for left in ("agent_calls", "conflict_states", "digester")
            },
            **{
                f"{__name__}.memory.{left}": f"amb_notes.{left}" for left in ("drafts", "merger", "node_views", "proof")
            },
            **{f"{__name__}.memory.{left}": f"amb_notes.{left}" for left in ("settler", "witnesses")},
            f"{__name__}.memory.shown_disputes": "amb_agents.shown_disputes",
            **{
                f"{__name__}.adapter.{left}": f"amb_wrap.{left}"
                for left in ("request_forms", "unnamed_talks", "wrapped_client")
            },
            f"{__name__}.adapter.scoped_adapters": "amb_users.scoped_adapters",
            f"{__name__}.memory.passage_chunks": "amb_retrieval.passage_chunks",
            f"{__name__}.text.names": "amb_values.names",
            **{
                f"{__name__}.retrieval.{left}": f"amb_retrieval.{left}"
                for left in ("indexed_text", "mention_index", "surroundings")
            },
            f"{__name__}.reading.sources": "amb_agents.sources",
            f"{__name__}.reading.urls": "amb_agents.urls",
            f"{__name__}.reading.verification": "amb_agents.verification",
            **{
                f"{__name__}.retrieval.{left}": f"amb_retrieval.{left}"
                for left in ("dense", "hybrid", "kept_index", "ranking")
            },
            f"{__name__}.stores.attachment_files": "amb_files.attachment_files",
            f"{__name__}.task_loop": "amb_loops.task_loop",
            f"{__name__}.deadline": "amb_chat.deadline",
            f"{__name__}.text.key_terms": "amb_agents.key_terms",
            **{
                f"{__name__}.text.{left}": f"amb_values.{left}"
                for left in ("chinese_names", "common_words", "dates", "name_finder", "numerals", "proper_names")
            },
            **{f"{__name__}.text.{left}": f"amb_values.{left}" for left in ("stated_values", "titles", "units")},
            f"{__name__}.text.everyday_topics": "amb_longterm.everyday_words",
            f"{__name__}.lent_bank": "amb_users.lent_bank",
            f"{__name__}.stores.bank_folders": "amb_users.bank_folders",
            f"{__name__}.user_banks": "amb_users.user_banks",
            f"{__name__}.user_data": "amb_longterm.user_data",
        }
    )
)
