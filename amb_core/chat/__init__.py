"""Chat models: endpoints that speak OpenAI's protocol, LiteLLM, scripted and recorded ones; structured answers.

opening.py         a model by its name, with keys and addresses from the environment
scripted.py        answers given beforehand, or by a function: for tests, demos and dry runs
openai_client.py   any endpoint that speaks OpenAI's chat protocol
litellm_client.py  whatever LiteLLM reaches
recorded.py        records requests and replies to a file and replays them
calling.py         one call as both clients make it, in the words the endpoint takes
replies.py         the protocol they share: fields of a call, answers, what a status means
characters.py      half a character of a model, as an escape
dialect.py         what an endpoint has refused of the fields, learnt once
retrying.py        which failures are tried again, and when
resting.py         an endpoint that is down is left alone for a while
prices.py          what models cost, from prices.json or a file of the user's
metering.py        what calls cost, by purpose, against a budget
metered.py         the one place where calls are allowed, counted, billed and traced
structured.py      an answer of a given shape: json_schema → json_object → text, one repair
schemas.py         pydantic models as the bounded JSON schemas that small models can follow
configured.py      what is set in the environment or in `.env`
"""

from amb_core.chat.metered import MeteredChatModel, metered
from amb_core.chat.metering import Budget, UsageMeter
from amb_core.chat.openai_client import OpenAIChatModel
from amb_core.chat.opening import open_chat
from amb_core.chat.prices import Price, price_of
from amb_core.chat.recorded import RecordingChatModel
from amb_core.chat.resting import Rest
from amb_core.chat.retrying import RetryPolicy
from amb_core.chat.scripted import ScriptedChatModel
from amb_core.chat.structured import StructuredChat

__all__ = [
    "Budget",
    "MeteredChatModel",
    "OpenAIChatModel",
    "Price",
    "RecordingChatModel",
    "Rest",
    "RetryPolicy",
    "ScriptedChatModel",
    "StructuredChat",
    "UsageMeter",
    "metered",
    "open_chat",
    "price_of",
]
