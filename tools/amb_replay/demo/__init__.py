"""The demo: thirty large results, twenty-five later questions, and what each way to keep a request small still has.

material.py      the results, which this machine has, and the facts in them
demo_run.py      the talk, and every way with it
demo_command.py  `amb demo`
"""
