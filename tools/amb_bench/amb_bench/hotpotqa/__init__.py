"""Team memory on HotpotQA: the actors, and the experiment with and without memory.

The environment, its questions and its scores are `amb_tools.hotpotqa`.

question_sets.py  two sets written for these benches
shown.py          what the text before an agent says; local_policy.py: the next action from it; question_answers.py:
                  the answer
actors.py         scripted, local, and any chat model; autogen_client.py: the local one as a model client of AutoGen;
                  team_game.py: the game played by a team of AutoGen agents
arms.py           what each arm puts before an agent; hotpot_episodes.py: one question; experiment.py: all;
                  hotpot_figures.py: tables
"""

from amb_bench.hotpotqa.actors import ChatActor, LocalActor, ScriptedActor
from amb_bench.hotpotqa.arms import ARMS, Arm
from amb_bench.hotpotqa.experiment import Experiment, run_arm, run_experiment
from amb_bench.hotpotqa.hotpot_episodes import Budgets, Episode, run_episode

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
