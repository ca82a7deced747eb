"""AMB's own agent: `ReActAgent(bank, chat, tools).run()` plans, thinks, calls tools and answers with sources.

It is the shortest integration, to be read first by whoever writes another:

agent.py       ReActAgent, with what a run is made of
loop.py        one run: the steps of `run_task`, and in each a loop of model and tools with `ContextAdapter` around it
talker.py      asks the model, natively or by tags in its text, and learns what the endpoint takes
protocol.py    the tags: what a reply says, and a transcript written with them
toolbox.py     tools of any shape, called side by side, with time limits
run_events.py  what a run returns, and its events
words.py       prompts and phrases, in English and Chinese
"""

from amb_react.agent import ReActAgent
from amb_react.run_events import (
    Ended,
    ModelAnswered,
    ReActEvent,
    ReActRun,
    Source,
    Termination,
    ToolAnswered,
    ToolCalled,
    TurnStarted,
)

__all__ = [
    "Ended",
    "ModelAnswered",
    "ReActAgent",
    "ReActEvent",
    "ReActRun",
    "Source",
    "Termination",
    "ToolAnswered",
    "ToolCalled",
    "TurnStarted",
]
