"""Readers of recorded runs, the format told by what is in a file and never by its name.

trace_files.py      `read_traces`, and the list of all formats
trace_format.py     what a format is; openai_chat.py and its neighbours: one each
json_values.py      JSON in bounded memory
chat_transcript.py  messages and items of any API as OpenAI's chat messages, each result behind its call
recorded_calls.py   requests and answers in logs; recorded_spans.py: spans in files
growing_requests.py requests that repeat the transcript, joined to one trace
"""

from amb_replay.formats.trace_files import EXPERIMENTAL, FORMATS, read_traces
from amb_replay.formats.trace_format import TraceFormat

__all__ = ["EXPERIMENTAL", "FORMATS", "TraceFormat", "read_traces"]
