"""Chat models: endpoints that speak OpenAI's protocol, LiteLLM, scripted and recorded ones; structured answers.

scripted.py        answers given beforehand, or by a function: for tests, demos and dry runs
openai_client.py   any endpoint that speaks OpenAI's chat protocol
litellm_client.py  whatever LiteLLM reaches
recorded.py        records requests and replies to a file and replays them
replies.py         the protocol they share: fields of a call, answers, what a status means
retrying.py        which failures are tried again, and when
metering.py        what calls cost, by purpose, against a budget
structured.py      an answer of a given shape: json_schema → json_object → text, one repair
schemas.py         pydantic models as the bounded JSON schemas that small models can follow
"""

from amb_core.chat.metered import MeteredChatModel, metered
from amb_core.chat.metering import Budget, Price, UsageMeter
from amb_core.chat.openai_client import OpenAIChatModel
from amb_core.chat.recorded import RecordingChatModel
from amb_core.chat.scripted import ScriptedChatModel
from amb_core.chat.structured import StructuredChat

__all__ = [
    "Budget",
    "MeteredChatModel",
    "OpenAIChatModel",
    "Price",
    "RecordingChatModel",
    "ScriptedChatModel",
    "StructuredChat",
    "UsageMeter",
    "metered",
]
