"""The folder of a run: page, export, memory, and what is needed to go on after an interruption.

run.json     the options of the run, and whether it came to an end
run.lock     held while a process works on the run; it is let go when that ends, however it ends
memory.db    the memory while the task is unfinished (unless --store names another place)
memory.json  the export, and memory.html the page, when it has ended
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from contextlib import suppress
from pathlib import Path

from amb_cli.user_language import translate
from amb_core.errors import AmbError, InvalidInput, StoreLocked
from amb_core.models import BankSnapshot
from amb_core.stores.store_folder import FolderLock
from amb_react.command.run_options import RunOptions

__all__ = ["RunFolder"]

_STATE, _LOCK = "run.json", "run.lock"
_MEMORY = "memory.db"


class RunFolder:
    """One run and its files; `options` are those given, with `resumed` over those that were kept.

    Raises StoreLocked while another process works on the run.
    """

    def __init__(self, options: RunOptions, *, resume: bool) -> None:
        self.path = Path(options.out)
        self._held: FolderLock | None = None
        if (self.path / _STATE).exists():
            self._hold()
        try:
            self._take_up(options, resume=resume)
        except BaseException:
            self.release()
            raise

    def _take_up(self, options: RunOptions, *, resume: bool) -> None:
        kept, ended = self._kept()
        self.options = options.over(kept) if resume and kept is not None else options
        self.resumed = resume
        self.begun = False
        over = ended and (kept is None or self.options.store == kept.store)
        self.stored = None if over and self.options.store is None else self._task()
        self._claim(options, kept, over=over)

    # --- places ------------------------------------------------------------------------------------------------------

    @property
    def store(self) -> str:
        """The URL of the memory."""
        return self.options.store or f"sqlite:///{self.path / _MEMORY}"

    @property
    def is_durable(self) -> bool:
        """Whether the memory outlives this process."""
        return self.store != "memory://"

    @property
    def export(self) -> Path:
        """Where the export goes."""
        return self.path / "memory.json"

    @property
    def page(self) -> Path:
        """Where the page goes."""
        return self.path / "memory.html"

    @property
    def command(self) -> str:
        """The command that goes on with this run."""
        return f"amb run --resume --out {shlex.quote(str(self.path))}"

    def how_to_go_on(self) -> str:
        """Half a sentence on what is safe and how to go on with it; empty before there was anything to keep."""
        if not self.begun:
            return ""
        if not self.is_durable:
            return translate("; the memory was kept in this process only and is gone")
        try:
            if self._task() is None:  # interrupted before there was one
                return ""
        except AmbError:
            pass  # what is there is not of this process's reading
        return translate(
            "; what was found is safe in {store}. Go on with: {command}", store=self.store, command=self.command
        )

    # --- life --------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Write down that the run is under way; from here on there is something to resume."""
        _make(self.path)
        self._hold()
        if not self.resumed and self.options.store is None:
            _remove(self.path / _MEMORY, files=True)  # what a run that ended has left
        self._write(ended=False)
        self.begun = True

    def end(self, *, keep: bool) -> str:
        """Write down that the run has ended, its bank closed and kept; says what became of the memory.

        Memory in a place of our own choosing goes with the task, as the export holds all of it but the files; `keep`
        and a place the user named keep it.
        """
        if not self.is_durable:
            return translate("the memory was kept in this process only")
        self._write(ended=not keep)
        self.begun = keep
        if keep or self.options.store:
            return translate("{store} keeps the memory", store=self.store)
        database, export = self.path / _MEMORY, self.export
        _remove(database, files=False)
        pages = database.with_name(f"{_MEMORY}.files")
        removed = translate(
            "all of it is in {export}; {database}, which only the run needed, is deleted",
            export=export,
            database=database,
        )
        if pages.is_dir() and any(pages.iterdir()):
            return removed + translate("; the files it read are in {folder}", folder=pages)
        return removed

    def release(self) -> None:
        """Let another process work on the run; calling twice is no error."""
        if self._held is not None:
            self._held.release()
            self._held = None

    # --- inside ------------------------------------------------------------------------------------------------------

    def _claim(self, given: RunOptions, kept: RunOptions | None, *, over: bool) -> None:
        """Refuse what would overwrite or mix up tasks."""
        if self.resumed and over:
            raise InvalidInput(f"the task in {self.path} has ended: {self.page} shows it; begin another one")
        if self.resumed and self.stored is None:
            raise InvalidInput(
                f"there is no unfinished task in {self._place}; begin one: amb run QUESTION --out {self.path}"
            )
        if self.stored is not None and self.resumed:
            asked = kept.question if kept is not None and kept.question else self.stored.insight.task_goal
            if given.question and given.question != asked:
                raise InvalidInput(
                    f"the task in {self._place} asks something else; leave the question out, or name another --out"
                )
            return
        if not self.options.question.strip():
            raise InvalidInput("the question is empty; say the goal of the task in a sentence")
        if self.stored is not None:
            other = "--store" if self.options.store else "--out"
            if over:
                raise InvalidInput(f"{self._place} holds a task; name another {other}")
            raise InvalidInput(
                f"{self._place} holds an unfinished task; go on with it ({self.command}), or name another {other}"
            )

    def _hold(self) -> None:
        """Keep other processes away from the run."""
        if self._held is not None:
            return
        try:
            self._held = FolderLock(self.path, name=_LOCK)
        except StoreLocked:
            raise StoreLocked(
                f"another process works on the run in {self.path}; wait until it ends, stop it, or name another --out"
            ) from None
        except OSError as error:
            raise InvalidInput(f"{self.path} cannot be written ({error.strerror}); name another with --out") from None

    @property
    def _place(self) -> str:
        return self.options.store or str(self.path)

    def _task(self) -> BankSnapshot | None:
        """The task the store holds, if there is one."""
        from amb_core.memory.bank_opener import stored_snapshot
        from amb_core.stores import holds_something

        if not self.is_durable or not holds_something(self.store):
            return None
        try:
            return stored_snapshot(self.store)
        except InvalidInput:
            return None

    def _kept(self) -> tuple[RunOptions | None, bool]:
        """The options of the run before, and whether it came to an end."""
        try:
            state = json.loads((self.path / _STATE).read_text("utf-8"))
            return RunOptions.model_validate(state["options"]), bool(state["ended"])
        except (OSError, ValueError, KeyError, TypeError):
            return None, False

    def _write(self, *, ended: bool) -> None:
        state = {"options": self.options.model_dump(mode="json", exclude_unset=True), "ended": ended}
        file, partial = self.path / _STATE, self.path / f".{_STATE}.part"
        partial.write_text(json.dumps(state, ensure_ascii=True, indent=1) + "\n", "utf-8")
        os.replace(partial, file)


def _remove(database: Path, *, files: bool) -> None:
    """Remove a SQLite file and what belongs to it; `files` are those of attachments."""
    for ending in ("", "-wal", "-shm", ".index"):
        with suppress(OSError):
            database.with_name(database.name + ending).unlink(missing_ok=True)
    if files:
        shutil.rmtree(database.with_name(f"{database.name}.files"), ignore_errors=True)


def _make(folder: Path) -> None:
    """Make the folder before the work, so that a wrong one costs nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be a folder ({error.strerror}); name another with --out") from None
