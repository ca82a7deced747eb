"""Scripts in the place of the models, so that the team runs without a key. They fit the question of `team.py` alone."""

import json
import logging

from autogen_core import FunctionCall
from autogen_core.models import CreateResult, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

logging.getLogger("autogen_core.events").setLevel(logging.ERROR)  # the replay client warns about its token counts
MODEL = ModelInfo(
    vision=False, function_calling=True, json_output=False, structured_output=False, family=ModelFamily.UNKNOWN
)


def search(query: str) -> CreateResult:
    """A call of the tool."""
    call = FunctionCall(id=query, name="search", arguments=json.dumps({"query": query}))
    usage = RequestUsage(prompt_tokens=0, completion_tokens=0)
    return CreateResult(finish_reason="function_calls", content=[call], usage=usage, cached=False)


SCRIPTS: dict[str, list[str | CreateResult]] = {
    "finder": [
        search("how much water the dry dock holds"),
        search("pumps in Port Ellis: cubic metres an hour"),
        "The dock holds 5,400 cubic metres, so the pump has to move 900 an hour. The Gannet moves 950.",
    ],
    "checker": [
        search("how much water does the dry dock hold"),
        search("who services the Gannet"),
        "It holds: 5,400 by 950 is less than six hours, and the Petrel is broken. Ines Duarte services the Gannet.",
    ],
    "writer": [
        "The Gannet empties the dock in 5.7 hours. The workshop of Ines Duarte on the north quay services it. DONE",
    ],
}


def scripted_member(name: str) -> ReplayChatCompletionClient:
    """The model of a member of the team."""
    return ReplayChatCompletionClient(SCRIPTS[name], model_info=MODEL)
