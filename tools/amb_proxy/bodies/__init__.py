"""The bodies of requests and replies, one module for each API.

body_form.py        what the gateway needs to know of an API: ToolUse, Reply, BodyForm
chat_body.py        OpenAI chat completions; responses_body.py: OpenAI Responses; anthropic_body.py: Anthropic Messages
"""

from amb_proxy.bodies.anthropic_body import AnthropicBody
from amb_proxy.bodies.body_form import Body, BodyForm, InsideCall, Reply, ReplyGatherer, StreamEditor, ToolUse
from amb_proxy.bodies.chat_body import ChatBody
from amb_proxy.bodies.responses_body import ResponsesBody

__all__ = [
    "BODY_FORMS",
    "Body",
    "BodyForm",
    "InsideCall",
    "Reply",
    "ReplyGatherer",
    "StreamEditor",
    "ToolUse",
    "body_form",
]

BODY_FORMS: tuple[BodyForm, ...] = (ChatBody(), ResponsesBody(), AnthropicBody())


def body_form(path: str) -> BodyForm | None:
    """The form of the requests that are posted to this path; None for a path that is no request of a model."""
    return next((form for form in BODY_FORMS if path.rstrip("/").endswith(form.path)), None)
