"""What needs a package that only an extra brings, found by name when somebody asks for it.

approximate_index.py   hnsw: vectors searched through a graph of near ones
chinese_model.py       zh: Chinese names by LAC
litellm_client.py      litellm: chat models that LiteLLM reaches
presidio_redactor.py   presidio: personal data by Presidio's recognisers
"""

from amb_extras.approximate_index import ApproximateIndex
from amb_extras.chinese_model import ChineseModel
from amb_extras.litellm_client import LiteLLMChatModel
from amb_extras.presidio_redactor import PresidioRedactor

__all__ = ["ApproximateIndex", "ChineseModel", "LiteLLMChatModel", "PresidioRedactor"]
