"""Team memory on HotpotQA: the actors, and the experiment with and without memory.

The environment, its questions and its scores are `amb_core.team.hotpotqa`.

question_sets.py  two sets written for these benches
shown.py          what the text before an agent says; local_policy.py: the next action from it; answering.py: the answer
actors.py         scripted, local, and any chat model; autogen_client.py: the local one as a model client of AutoGen
arms.py           what each arm puts before an agent; episodes.py: one question; experiment.py: all; figures.py: tables
"""

from amb_bench.hotpotqa.actors import ChatActor, LocalActor, ScriptedActor
from amb_bench.hotpotqa.arms import ARMS, Arm
from amb_bench.hotpotqa.episodes import Budgets, Episode, run_episode
from amb_bench.hotpotqa.experiment import Experiment, run_arm, run_experiment

__all__ = [
    "ARMS",
    "Arm",
    "Budgets",
    "ChatActor",
    "Episode",
    "Experiment",
    "LocalActor",
    "ScriptedActor",
    "run_arm",
    "run_episode",
    "run_experiment",
]
