"""The `amb` command.

command_line.py    the commands and their options; what an error and an interruption end with
argument_types.py  what an argument may be
printing.py        what is printed
local_runs.py      demo, and run without a model
memory_files.py    inspect, export, import
installation.py    bench, settings, doctor
"""

from amb_core.cli.command_line import main

__all__ = ["main"]
