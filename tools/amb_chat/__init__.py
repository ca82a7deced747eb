"""Chat models: endpoints that speak OpenAI's protocol, scripted and recorded ones; structured answers.

chat_opener.py       a model by its name, with keys and addresses from the environment; LiteLLM's is in `amb_extras`
scripted_model.py    answers given beforehand, or by a function: for tests, demos and dry runs
openai_client.py     any endpoint that speaks OpenAI's chat protocol
chat_record.py       records requests and replies to a file and replays them
client_call.py       one call as both clients make it, in the fields the endpoint takes
replies.py           the protocol they share: fields of a call, answers, what a status means
retries.py           which failures are tried again, and when an endpoint is left alone
prices.py            what models cost, from prices.json or a file of the user's
token_figures.py     the tokens of a call, as reported or else estimated
usage_meter.py       what calls cost, by purpose, against a budget; where they are allowed, counted and traced
structured_chat.py   an answer of a given shape: json_schema → json_object → text, one repair
deadline.py          an answer in time, or none
user_environment.py  what is set in the environment or in `.env`
"""

from amb_chat.chat_opener import open_chat
from amb_chat.chat_record import RecordingChatModel
from amb_chat.openai_client import OpenAIChatModel
from amb_chat.prices import Price, price_date, price_of
from amb_chat.retries import Rest, RetryPolicy
from amb_chat.scripted_model import ScriptedChatModel
from amb_chat.structured_chat import StructuredChat
from amb_chat.usage_meter import Budget, MeteredChatModel, UsageMeter, metered

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
    "price_date",
    "price_of",
]
