"""The `amb` command.

command_line.py    the commands; what an error and an interruption end with
argument_types.py  what an argument may be
printing.py        what is printed: nothing in it is a secret or steers the terminal
local_runs.py      demo, and run without a model
memory_files.py    inspect, export, import
longterm_memory.py memory list, search, show, history, delete, audit, stats
team.py            team show
memory_server.py   mcp
installation.py    settings, doctor

run
    runs.py         with a model or offline; whatever happens, how to go on is said
    run_options.py  its options, kept for `--resume`
    run_folder.py   its files: options, memory, page, export
    environment.py  keys and endpoints, from the environment or `.env`
    discreet.py     chat models and tools that cannot say a secret
    chat_models.py  the models: opened, counted, recorded, checked
    model_runs.py   a run with a model from beginning to end
    progress.py     a line for each turn; answers.py and receipts.py: what is printed in the end
"""

from amb_core.cli.argument_types import Commands
from amb_core.cli.command_line import main

__all__ = ["Commands", "main"]
