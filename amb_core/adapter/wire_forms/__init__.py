"""The forms in which providers write transcripts, each read into OpenAI-style messages and written back.

wire_form.py         what a form promises
chat_form.py         OpenAI chat messages; responses_form.py: OpenAI Responses items
anthropic_form.py    Anthropic Messages; gemini_form.py: Gemini contents
turn_pieces.py       messages that hold several things, with the roles in turn
wire_transcript.py   which form a list is of, and the way into the adapter and back
"""

from amb_core.adapter.wire_forms.wire_form import WireForm
from amb_core.adapter.wire_forms.wire_transcript import (
    WIRE_FORMS,
    WireFormName,
    WireTranscript,
    detect_form,
    read_transcript,
)

__all__ = [
    "WIRE_FORMS",
    "WireForm",
    "WireFormName",
    "WireTranscript",
    "detect_form",
    "read_transcript",
]
