"""Whole loops around a bank: a task planned and done step by step, and a function that remembers.

task_loop.py  `run_task`: plan, ask for a step, take in what it brought, until the plan is done
decorator.py  `@remember`: an agent that is a function of messages
"""

from amb_loops.decorator import remember
from amb_loops.task_loop import EnhancedPrompt, TaskRun, run_task

__all__ = ["EnhancedPrompt", "TaskRun", "remember", "run_task"]
