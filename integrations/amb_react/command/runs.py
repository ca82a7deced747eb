"""`amb run`: with a model, or offline; interrupted, failed or ended, it says where things are and how to go on."""

from __future__ import annotations

import argparse
import traceback

from amb_cli.command_parser import Commands
from amb_cli.console import Console
from amb_cli.environment import Secrets, environment
from amb_cli.user_language import translate, translate_message
from amb_core.errors import AmbError, InvalidInput
from amb_react.command.run_folder import RunFolder
from amb_react.command.run_options import add_run_options, told

__all__ = ["add_to", "run"]


def add_to(commands: Commands) -> None:
    """Add `run`."""
    parser = add_run_options(commands)
    parser.set_defaults(command=run, wrong_usage=parser.error)


def run(options: argparse.Namespace) -> int:
    """One question, with a model or from a corpus; returns the exit code."""
    if options.question is None and not options.resume:
        options.wrong_usage("name the question, or --resume to go on with an unfinished task")
    with environment() as secrets:
        console = Console(secrets)
        try:
            if options.question and secrets.hide(options.question) != options.question:
                raise InvalidInput("the question holds a key, and it is kept and shown: ask without it")
            folder = RunFolder(told(options), resume=options.resume)
            console = Console(secrets, for_data=bool(folder.options.as_json))
            try:
                with console.warnings():
                    return _run(folder, secrets, console)
            finally:
                folder.release()
        except AmbError as error:
            console.note(str(error))
            return 1


def _run(folder: RunFolder, secrets: Secrets, console: Console) -> int:
    from amb_react.command.model_runs import run_with_model
    from amb_react.command.offline import run_locally

    try:
        if folder.options.wants_a_model:
            return run_with_model(folder, secrets=secrets, console=console)
        return run_locally(folder, console=console)
    except KeyboardInterrupt:
        console.note(f"{translate('interrupted')}{folder.how_to_go_on()}")
        return 130
    except AmbError as error:
        console.note(f"{translate_message(str(error))}{folder.how_to_go_on()}")
        return 1
    except Exception:  # noqa: BLE001 - a trace as it comes may show a key
        said = translate("this should not happen; please report it")
        console.note(f"{said}{folder.how_to_go_on()}\n{traceback.format_exc()}")
        return 1
