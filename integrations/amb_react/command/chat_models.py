"""The chat models of a run: opened, counted, recorded, and asked once before anything is written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from amb_agents.prompts import ROLES
from amb_chat import Budget, RecordingChatModel, RetryPolicy, UsageMeter, metered, open_chat
from amb_chat.user_environment import configured
from amb_cli.discreet import DiscreetChat
from amb_cli.environment import Secrets, model_told, number_told
from amb_core.chat_io import ChatRequest
from amb_core.errors import InvalidInput, InvalidParameter, ModelError
from amb_core.protocols import Agents, ChatModel
from amb_core.settings import Settings
from amb_core.usage import Ledger, TokenUsage, accounting
from amb_react.command.run_options import RunOptions

__all__ = ["Models", "open_models"]

_WITHOUT = "none"
_TIMEOUT, _TIMEOUT_HERE, _IN_ALL = 120.0, 600.0, 300.0
"""Seconds one answer may take, also from a server on this machine, which may have no fast one; and all attempts."""
_HERE = ("localhost", "127.0.0.1", "::1")
_CHECK_TOKENS = 64
"""Room for the answer to the check; some models think a little first."""


@dataclass(frozen=True, slots=True)
class Models:
    """The model of the loop, those of memory's roles (a role that is left out is local), and who counts them."""

    main: ChatModel
    roles: Mapping[str, ChatModel]
    meter: UsageMeter
    budget: Budget
    cancel: threading.Event

    def agents(self, *, fused: bool) -> Agents:
        """The agents of the memory."""
        from amb_agents.prompted import llm_agents

        return llm_agents(dict(self.roles), settings=Settings(), meter=self.meter, fused=fused)

    def check(self) -> Mapping[str, TokenUsage]:
        """Ask each model for a word, so that a wrong key, name or URL costs no more than that; what it did cost."""
        ledger = Ledger()
        with accounting(ledger):
            for chat in dict.fromkeys([self.main, *self.roles.values()]):
                try:
                    chat.complete(
                        ChatRequest(
                            messages=({"role": "user", "content": "Answer with the word: ready"},),
                            max_output_tokens=_CHECK_TOKENS,
                            purpose="check",
                        )
                    )
                except ModelError as error:
                    raise InvalidInput(f"the model {chat.model} at {chat.endpoint} cannot be used: {error}") from None
        return ledger.by_purpose


def open_models(
    options: RunOptions,
    *,
    secrets: Secrets,
    spent: Mapping[str, TokenUsage],
    resumed: bool,
    on_warning: Callable[[str], object],
) -> Models:
    """Open the models the options name; `spent` is what the task has spent in earlier sessions.

    Raises InvalidInput or InvalidParameter for what is missing: a model, a key, a price, a role.
    """
    budget = Budget(
        tokens=options.budget_tokens or number_told("AMB_BUDGET_TOKENS"),
        calls=options.budget_calls,
        money=options.budget_money,
    )
    unknown = options.roles.keys() - set(ROLES)
    if unknown:
        raise InvalidParameter(f"there is no role {min(unknown)!r}; there are: {', '.join(ROLES)}")
    cancel = threading.Event()
    opener = _Opener(options, secrets, cancel, resumed=resumed)
    name = options.model or model_told() or ("recorded" if options.replay else None)
    if name is None:
        raise InvalidInput(
            "name a model: --model or LLM_MODEL (with --base-url or LLM_BASE_URL for a server of yours), "
            "or a corpus to read without one: --corpus PATH"
        )
    chats = {
        wanted: opener.open(wanted) for wanted in dict.fromkeys([name, *options.roles.values()]) if wanted != _WITHOUT
    }
    meter = UsageMeter(budget=budget, spent=spent, on_warning=on_warning)
    counted = {wanted: metered(chat, meter=meter) for wanted, chat in chats.items()}
    wanted_by = {role: options.roles.get(role, name) for role in ROLES}
    roles = {role: counted[wanted] for role, wanted in wanted_by.items() if wanted != _WITHOUT}
    return Models(counted[name], roles, meter, budget, cancel)


class _Opener:
    """Opens models one by one, with a record around them where one is wanted."""

    def __init__(self, options: RunOptions, secrets: Secrets, cancel: threading.Event, *, resumed: bool) -> None:
        self._options = options
        self._secrets = secrets
        self._cancel = cancel
        self._resumed = resumed
        self._replayed: RecordingChatModel | None = None

    def open(self, name: str) -> ChatModel:
        """One model by its name; a record answers for all of them."""
        if self._options.replay is not None:
            self._replayed = self._replayed or RecordingChatModel(self._options.replay)
            return DiscreetChat(self._replayed, self._secrets)
        chat = DiscreetChat(self._remote(name), self._secrets)
        if self._options.record is None:
            return chat
        return DiscreetChat(RecordingChatModel(self._record_file(), chat=chat), self._secrets)  # no key is written

    def _remote(self, name: str) -> ChatModel:
        url = self._options.base_url
        here = urlsplit(url or configured("LLM_BASE_URL") or "").hostname in _HERE
        seconds = self._options.timeout or (_TIMEOUT_HERE if here else _TIMEOUT)
        patient = RetryPolicy(total=max(_IN_ALL, 2.5 * seconds))
        return open_chat(name, base_url=url, timeout=seconds, retries=patient, cancel=self._cancel)

    def _record_file(self) -> Path:
        """The file to record to; a session that goes on has one of its own, `run-2.jsonl`."""
        wanted = Path(self._options.record or "")
        if not self._resumed:
            return wanted
        later = (wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}") for number in range(2, 10_000))
        return next(file for file in (wanted, *later) if not file.exists())
