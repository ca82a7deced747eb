"""Scripts in the place of the models, so that the team runs without a key. They fit the first question alone."""

import json
import logging
from pathlib import Path
from typing import Any

from autogen_core import FunctionCall
from autogen_core.models import CreateResult, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

from amb_cli.user_language import choose_language

logging.getLogger("autogen_core.events").setLevel(logging.ERROR)  # the replay client warns about its token counts
TEXTS: dict[str, Any] = json.loads(Path(__file__).with_name("texts.json").read_text("utf-8"))[choose_language()]
MODEL = ModelInfo(
    vision=False, function_calling=True, json_output=False, structured_output=False, family=ModelFamily.UNKNOWN
)


def search(query: str) -> CreateResult:
    """A call of the tool."""
    call = FunctionCall(id=query, name="search", arguments=json.dumps({"query": query}))
    usage = RequestUsage(prompt_tokens=0, completion_tokens=0)
    return CreateResult(finish_reason="function_calls", content=[call], usage=usage, cached=False)


SCRIPTS: dict[str, list[str | CreateResult]] = {
    name: [said if isinstance(said, str) else search(*said) for said in script]
    for name, script in TEXTS["scripts"].items()
}


def scripted_member(name: str) -> ReplayChatCompletionClient:
    """The model of a member of the team."""
    return ReplayChatCompletionClient(SCRIPTS[name], model_info=MODEL)
