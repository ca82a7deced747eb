"""The `amb` command. Each command is a function `add_to(commands)` that an entry point of `amb.commands` names.

command_line.py    runs a command; what an error and an interruption end with
command_parser.py  the parser, with its help and errors, and what an argument may be
user_language.py   the language that people are spoken to in
console.py         what is printed: nothing in it is a secret or steers the terminal
environment.py     keys and endpoints from the environment or `.env`, and defaults from a file
discreet.py        chat models and tools that cannot say a secret; what is said while one works
memory_files.py    inspect, export, import
longterm_memory.py memory list, search, show, history, delete, audit, stats
installation.py    settings, doctor (what it checks: amb_core/doctor.py); model_trial.py: doctor --model
"""

from amb_cli.command_line import main
from amb_cli.command_parser import Commands

__all__ = ["Commands", "main"]
