"""Readers of recorded runs, the format told by what is in a file and never by its name.

trace_files.py      `read_traces`, and the list of all formats
provider_messages.py  messages and items of the APIs of OpenAI and Anthropic
agent_sessions.py   what coding agents write: Claude Code, Codex, SWE-agent, OpenHands
agent_logs.py       what frameworks and evaluations write: AutoGen, AG2, LangGraph, pi, opencode, tau-bench, ATIF
span_formats.py     what is written by tools that watch agents: gen_ai, OpenInference, Langfuse, LangSmith
json_values.py      JSON in bounded memory
chat_transcript.py  messages and items of any API as OpenAI's chat messages, each result behind its call
recorded_calls.py   requests and answers in logs, which repeat the transcript, joined to one trace
recorded_spans.py   spans in files
"""

from amb_replay.formats.trace_files import EXPERIMENTAL, FORMATS, read_traces
from amb_replay.trace import TraceFormat

__all__ = ["EXPERIMENTAL", "FORMATS", "TraceFormat", "read_traces"]
