"""Experience across runs: what an agent did for a user in earlier runs, offered to it in later ones.

experience.py        Experience: keeps what a run did, in long-term memory, by user and agent; forgets it
run_steps.py         the calls of a run, with what later calls took from their results
this_run.py          ThisRun: which earlier runs are like this one, and what of them is told and no longer so
told_lines.py        which earlier calls are told within a budget, each as a line with the time it is as of
insights.py          what a model says of a run, checked against the run's own calls
"""

from amb_experience.experience import Experience

__all__ = ["Experience"]
