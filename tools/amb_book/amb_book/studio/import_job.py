"""Taking in a manuscript beside everything else: one at a time, with how far it is."""

from __future__ import annotations

import threading

from pydantic import BaseModel, ConfigDict

from amb_book import Story
from amb_book.manuscript_import import Settle
from amb_book.studio.page_requests import Json
from amb_book.studio.refusals import Refusal, refusal_of
from amb_core.protocols import ChatModel

__all__ = ["Import", "ImportJob"]

_BUSY = "a manuscript is being taken in already; wait until it is done, then send the next"


class Import(BaseModel):
    """What is to become fact of the manuscript that is the body."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    settle: Settle = "names"


class ImportJob:
    """The import that is under way or was the last; broken off, it goes on where it stopped when it is sent again."""

    def __init__(self, story: Story, *, chat: ChatModel | None = None) -> None:
        self._story, self._chat = story, chat
        self._lock = threading.Lock()
        self._told: Json = {"state": "idle"}

    def state(self) -> Json:
        """`idle`, `running` with how many chapters of how many are `done`, `done` with what came of it, or `failed`.

        `facts` says whether there is a model to read them off.
        """
        with self._lock:
            return {**self._told, "facts": self._chat is not None}

    def start(self, manuscript: bytes, settle: Settle) -> Json:
        """Begin; Refusal while another one is under way."""
        with self._lock:
            if self._told["state"] == "running":
                raise Refusal(409, "busy", _BUSY)
            self._told = {"state": "running", "done": 0, "of": 0}
        threading.Thread(target=self._run, args=(manuscript, settle), name="amb-studio-import", daemon=True).start()
        return self.state()

    def _run(self, manuscript: bytes, settle: Settle) -> None:
        try:
            # As bytes, for a text might be taken for the name of a file on this machine.
            came = self._story.import_manuscript(manuscript, settle=settle, progress=self._progress, chat=self._chat)
        except Exception as error:  # noqa: BLE001 - whatever it is, the page is told in one form
            no = refusal_of(error)
            self._tell({"state": "failed", "error": {"kind": no.kind, "text": no.text}})
            return
        cast = [{"name": each.name, "kind": each.kind, "aliases": list(each.aliases)} for each in came.cast]
        chapters = {"first": came.first, "chapters": came.chapters, "already": came.already}
        left_out = {"unread": list(came.unread), "left_out": came.dropped + came.refused}
        self._tell({"state": "done", **chapters, **left_out, "cast": cast})

    def _progress(self, done: int, of: int) -> None:
        self._tell({"state": "running", "done": done, "of": of})

    def _tell(self, told: Json) -> None:
        with self._lock:
            self._told = told
