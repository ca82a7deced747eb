"""The forms in which providers write transcripts, each read into OpenAI-style messages and written back.

wire_form.py         what a form promises
chat_form.py         OpenAI chat messages; those of other providers are in a package of their own, `amb_wire_forms`
wire_transcript.py   which form a list is of, and the way into the adapter and back
"""

from typing import Any

from amb_core.adapter.wire_forms.wire_form import WireForm
from amb_core.adapter.wire_forms.wire_transcript import (
    WireFormName,
    WireTranscript,
    detect_form,
    read_transcript,
    wire_forms,
)

__all__ = [
    "WireForm",
    "WireFormName",
    "WireTranscript",
    "detect_form",
    "read_transcript",
    "wire_forms",
]


def __getattr__(name: str) -> Any:
    if name == "WIRE_FORMS":  # as the forms were called when all of them were here
        return wire_forms()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
