"""`amb settings`, `amb doctor`, `amb completion`: about AMB itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from amb_cli.command_parser import Commands
from amb_cli.console import Console, show_result
from amb_cli.environment import Secrets, environment
from amb_cli.user_language import translate, translate_message
from amb_core.errors import MissingExtra

if TYPE_CHECKING:
    from amb_cli.doctor import Check
    from amb_cli.model_trial import Trial

__all__ = ["add_to", "completion", "doctor", "settings"]


def add_to(commands: Commands) -> None:
    """Add `settings`, `doctor` and `completion`."""
    parser = commands.add_parser("settings", help="list the settings and what they are here")
    parser.add_argument("--markdown", action="store_true", help="the table of the documentation instead")
    parser.add_argument("--json", action="store_true", help="JSON, for programs")
    parser.set_defaults(command=settings)

    parser = commands.add_parser("doctor", help="check the installation")
    parser.add_argument("store", nargs="?", help="the URL of a server to look at instead, such as postgresql://HOST/DB")
    parser.add_argument("--call", action="store_true", help="ask the model that LLM_MODEL names for a word")
    parser.add_argument("--model", help="try this chat model on ten cases, and say which roles it fits")
    parser.add_argument("--base-url", help="its OpenAI-compatible endpoint")
    parser.add_argument("--verbose", action="store_true", help="every check, also when all is well")
    parser.add_argument("--json", action="store_true", help="JSON, for programs")
    parser.set_defaults(command=doctor)

    parser = commands.add_parser("completion", help="print what has a shell complete the words of amb")
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    parser.set_defaults(command=completion)


def settings(options: argparse.Namespace) -> int:
    """List the settings."""
    from amb_core.settings import Settings

    if options.markdown:
        print(Settings.table())
        return 0
    here = Settings()
    lines = []
    for name, field in Settings.model_fields.items():
        value = getattr(here, name)
        usual = "" if value == field.default else f"  ({translate('default: {value}', value=field.default)})"
        lines.append(f"{name} = {value}{usual}")
    show_result(options, here, lines)
    return 0


def completion(options: argparse.Namespace) -> int:
    """Print the script of a shell; it asks `amb` itself, so that it knows the commands of all distributions."""
    try:
        from argcomplete.shell_integration import shellcode
    except ModuleNotFoundError:
        raise MissingExtra("argcomplete", extra="completion") from None
    print(shellcode(["amb"], shell=options.shell))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """Check the installation, in three lines when all is well; exit code 1 when something is wrong."""
    from amb_cli.discreet import DiscreetChat
    from amb_cli.doctor import checks, store_checks

    if options.model is not None:
        return _try_model(options)
    with environment() as secrets:
        console = Console(secrets)
        found = list(
            store_checks(options.store)
            if options.store is not None
            else checks(call=options.call, through=lambda chat: DiscreetChat(chat, secrets))
        )
        wrong = [check for check in found if not check.ok]
        if options.json:
            show_result(options, [_hidden(check, secrets) for check in found], ())
        elif wrong or options.verbose or options.store is not None:
            console.lines(map(_line, found))
        else:
            console.lines(_summary(found))
    return int(bool(wrong))


def _try_model(options: argparse.Namespace) -> int:
    """Try a model in every role; exit code 1 when it fits none."""
    from amb_chat import RetryPolicy, open_chat
    from amb_cli.discreet import DiscreetChat
    from amb_cli.model_trial import tried_roles

    with environment() as secrets:
        console = Console(secrets)
        chat = open_chat(options.model, base_url=options.base_url, retries=RetryPolicy(attempts=2))
        trials = tried_roles(DiscreetChat(chat, secrets))
        fit = [trial.role for trial in trials if trial.fits]
        if options.json:
            show_result(options, [{**asdict(trial), "fits": trial.fits} for trial in trials], ())
        else:
            console.lines(_tried_lines(trials, fit))
    return int(not fit)


def _tried_lines(trials: Sequence[Trial], fit: Sequence[str]) -> Iterator[str]:
    for trial in trials:
        yield translate(
            "{role}: the model did {model} of {cases} cases, the local agents {local}; {refused} had no usable answer.",
            **asdict(trial),
        )
    agents = ", ".join(f'"{role}": chat' for role in fit if role not in ("judge", "curator"))
    if agents:
        yield translate("Give the bank these roles of the model: {code}", code=f"agents=llm_agents({{{agents}}})")
    if "judge" in fit:
        yield translate("Long-term memory may ask it: {code}", code="LongTermMemory(judge=PromptedJudge(chat))")
    if "curator" in fit:
        yield translate("A team may ask it: {code}", code="TeamMemory(task, curator=PromptedCurator(chat))")
    if left := ", ".join(trial.role for trial in trials if trial.role not in fit):
        yield translate("Leave to the local agents, by not naming them: {roles}.", roles=left)
        yield translate("A model is recommended where it did every case, or more than the local agents.")
    yield translate("Ten cases tell little: `amb bench roles` in a checkout has hundreds.")


def _line(check: Check) -> str:
    name, detail = translate_message(check.name), translate_message(check.detail)
    there = translate("-   ") if check.detail.startswith("not installed") else translate("ok  ")
    return f"{there if check.ok else translate('FAIL')}  " + translate("{name}: {detail}", name=name, detail=detail)


def _hidden(check: Check, secrets: Secrets) -> Mapping[str, object]:
    return {"name": check.name, "ok": check.ok, "detail": secrets.hide(check.detail)}


def _summary(found: Sequence[Check]) -> Iterator[str]:
    said = {check.name: check.detail for check in found}
    extras = [name.removeprefix("extra ") for name, detail in said.items() if detail == "installed"]
    yield translate("All {count} checks are well: Python {python}.", count=len(found), python=said["python"])
    yield translate("Chat model: {detail}", detail=translate_message(said["chat model"]))
    yield translate(
        "Extras that are installed: {extras}. `amb doctor --verbose` shows every check.",
        extras=", ".join(extras) or translate("none"),
    )
    unread = (check.detail for check in found if check.name == "environment" and "nothing reads" in check.detail)
    yield from map(translate_message, unread)
