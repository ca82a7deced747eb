"""Team memory on HotpotQA: the environment, the actors, and the experiment with and without memory.

questions.py      questions with their passages: the data set, or bundled ones (the other files)
environment.py    Search, Lookup and Finish; passages_search.py: what Search asks; scoring.py: EM, F1, supporting facts
shown.py          what the text before an agent says; local_policy.py: the next action from it; answering.py: the answer
actors.py         scripted, local, and any chat model
arms.py           what each arm puts before an agent; episodes.py: one question; experiment.py: all; figures.py: tables
"""

from amb_core.evaluation.hotpotqa.actors import ChatActor, LocalActor, ScriptedActor
from amb_core.evaluation.hotpotqa.arms import ARMS, Arm
from amb_core.evaluation.hotpotqa.environment import Environment, Stepped
from amb_core.evaluation.hotpotqa.episodes import Budgets, Episode, run_episode
from amb_core.evaluation.hotpotqa.experiment import Experiment, run_arm, run_experiment
from amb_core.evaluation.hotpotqa.passages_search import PassageSearch
from amb_core.evaluation.hotpotqa.questions import HotpotQuestion, bundled, fresh, load_questions, sampled, written
from amb_core.evaluation.hotpotqa.scoring import exact_match, f1_score, normalised_answer

__all__ = [
    "ARMS",
    "Arm",
    "Budgets",
    "ChatActor",
    "Environment",
    "Episode",
    "Experiment",
    "HotpotQuestion",
    "LocalActor",
    "PassageSearch",
    "ScriptedActor",
    "Stepped",
    "bundled",
    "exact_match",
    "f1_score",
    "fresh",
    "load_questions",
    "normalised_answer",
    "run_arm",
    "run_episode",
    "run_experiment",
    "sampled",
    "written",
]
