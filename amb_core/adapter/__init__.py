"""The adapter every integration speaks to, and the pieces it is made of.

context_adapter.py  ContextAdapter: takes results in, makes bounded requests with what memory says in them
                    adapter_options.py: its options; contributors.py: what speaks in its requests beside the bank
absorber.py         takes tool results in, each once
request_builder.py  a transcript within its bound, memory in its place; transcript_trimmer.py: what leaves it, and when;
                    transcript_turns.py: what stays or leaves together; request_budget.py: how much a request may
                    hold, and what the host and the log are told of it
block_source.py     what memory says to a request, by what the agent is doing, also of earlier runs and of its user
goal_change.py      whether the user asks something new, which makes it the goal
short_messages.py   one message made shorter, valid in every form
spoken_texts.py     what the agent and the user say in a transcript, for memory to keep each once;
                    uploads.py: files that a user sends in a message;
                    transcript_history.py: what a host did to its transcript since the last request
read_messages.py    a transcript in which each message is read once; message_facts.py: what is known of one
chat_messages.py    OpenAI-style messages: the tool results in them, what they cost, new lists made of old ones
origins.py          a framework's own messages as OpenAI-style ones, and back
wire_forms.py       the same for the forms of providers; all but OpenAI chat are in `amb_wire_forms`
two_banks.py        the agent's own bank and the one its team shares; teammate.py: its part in a team's memory
scope_guard.py      one user and thread to a bank; nested_runs.py: whose a run inside of a run is
tool.py             the one form of a tool; memory_tools.py: `deep_retrieval`

A client whose calls have a memory is in `amb_wrap`, adapters for each user and thread in `amb_users`.
"""

from typing import TYPE_CHECKING

from amb_core.adapter.absorber import Interception
from amb_core.adapter.chat_messages import (
    Placement,
    TokenCounter,
    attachment_part,
    fingerprint_of,
    is_signed,
    parts_of,
    strip_blocks,
    text_of,
)
from amb_core.adapter.context_adapter import AdapterOptions, ContextAdapter, RequestOptions
from amb_core.adapter.goal_change import begin_goal
from amb_core.adapter.nested_runs import enter_run, inside_run, outer_run
from amb_core.adapter.origins import arguments_in, made_from, origin_of, parts_written_back, written_back
from amb_core.adapter.request_builder import Inject
from amb_core.adapter.scope_guard import Caller, scope_in
from amb_core.adapter.tool import Tool, ToolOutput
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.adapter.wire_forms import WireFormName, read_transcript
from amb_core.bank_source import BankSource
from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_core.adapter.teammate import Teammate, ToolMember
    from amb_users.scoped_adapters import AttachedMemory, ScopedAdapters, ScopedMemory, adapters_of
    from amb_wrap.wrapped_client import unwrap, wrap

_SCOPED = ("AttachedMemory", "ScopedAdapters", "ScopedMemory", "adapters_of")
__getattr__ = deferred(
    __name__,
    {
        **dict.fromkeys(_SCOPED, "/amb_users.scoped_adapters"),
        **dict.fromkeys(("Teammate", "ToolMember"), "teammate"),
        **dict.fromkeys(("unwrap", "wrap"), "/amb_wrap"),
    },
    renamed={
        "Intercepted": "Interception",
        "without_blocks": "strip_blocks",
        "MemoryTool": "Tool",
        "digest_of": "fingerprint_of",
    },
)

__all__ = [
    "AdapterOptions",
    "AttachedMemory",
    "BankSource",
    "Caller",
    "ContextAdapter",
    "Inject",
    "Interception",
    "Placement",
    "RequestOptions",
    "ScopedAdapters",
    "ScopedMemory",
    "Teammate",
    "TokenCounter",
    "Tool",
    "ToolMember",
    "ToolOutput",
    "TranscriptItem",
    "WireFormName",
    "adapters_of",
    "arguments_in",
    "attachment_part",
    "begin_goal",
    "enter_run",
    "fingerprint_of",
    "inside_run",
    "is_signed",
    "made_from",
    "origin_of",
    "outer_run",
    "parts_of",
    "parts_written_back",
    "read_transcript",
    "scope_in",
    "strip_blocks",
    "text_of",
    "unwrap",
    "wrap",
    "written_back",
]
