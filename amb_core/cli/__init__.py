"""The `amb` command. Each command is a function `add_to(commands)` that an entry point of `amb.commands` names.

command_line.py    runs a command; what an error and an interruption end with
command_parser.py  the parser, with its help and errors; argument_types.py: what an argument may be
config_file.py     defaults from a file; user_language.py: the language that people are spoken to in
console.py         what is printed: nothing in it is a secret or steers the terminal
environment.py     keys and endpoints, from the environment or `.env`
discreet.py        chat models and tools that cannot say a secret
memory_files.py    inspect, export, import
longterm_memory.py memory list, search, show, history, delete, audit, stats
installation.py    settings, doctor (what it checks: amb_core/doctor.py); model_trial.py: doctor --model;
                   unread_variables.py: what is set and nothing reads
model_wait.py      what is said while a chat model works
"""

from amb_core.cli.argument_types import Commands
from amb_core.cli.command_line import main

__all__ = ["Commands", "main"]
