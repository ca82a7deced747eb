"""Story: the memory of one book, and what works on it: the desk, the import of a manuscript, the check of a draft."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from amb_book.book_memory import BookMemory
from amb_book.checking import ConsistencyChecker, Finding
from amb_book.desk import (
    ContextLimits,
    Desk,
    RecordTaskQueues,
    StatementExtractor,
    TaskQueueStore,
    Workshop,
    open_task_queues,
)
from amb_book.forms import FormRow, form_rows
from amb_core.errors import InvalidParameter
from amb_core.protocols import ChatModel

if TYPE_CHECKING:
    from amb_book.manuscript_import import Imported, Progress, Settle

__all__ = ["Story"]


class Story(BookMemory):
    """What has happened in a book, what is planned, its lore and its text; one SQLite file in the book's folder.

    `place` is the folder, made when it is not there; None keeps everything in memory. `graph` is the URL of a graph
    server for facts and plan (`neo4j://user@host:7687/database`); without one they are in the book's file, too, and a
    settlement is one transaction. `store` replaces the file by any record store. Thread-safe.
    Raises BookMismatch when the graph of the folder's name on the server is another book's.
    """

    def import_manuscript(
        self,
        text_or_path: str | bytes | Path,
        *,
        settle: Settle = "names",
        first: int | None = None,
        progress: Progress | None = None,
        chat: ChatModel | None = None,
    ) -> Imported:
        """Bring a whole manuscript of up to 5 MB into the book, chapter by chapter; see `importing`.

        `settle="facts"` has `chat` read off what becomes true in each chapter.
        """
        from amb_book.manuscript_import import import_manuscript

        self._check_open()
        return import_manuscript(self, text_or_path, settle=settle, first=first, progress=progress, chat=chat)

    def form(self, chapter: int) -> tuple[FormRow, ...]:
        """What can be filled in for a chapter whose text is there: whom it names, what holds of them, its sentence.

        A row with a value written into it is a statement for `settle`; nothing of it is settled by itself.
        """
        self._check_open()
        return form_rows(self, [self.episodes.text(chapter)], chapter=chapter, plan=True)

    def check(self, draft: str, *, at: int | None = None) -> list[Finding]:
        """Where a draft contradicts what is settled at the position, or in a chapter, each with its evidence.

        Without a model, by five rules; see ConsistencyChecker.
        """
        self._check_open()
        if not isinstance(draft, str):
            raise InvalidParameter(f"a draft is text, not {type(draft).__name__}.")
        checker = ConsistencyChecker()
        return checker.check(draft, facts=self.facts, plan=self.plan, episodes=self.episodes, lore=self.lore, at=at)

    def desk(
        self,
        *,
        user: str = "author",
        chat: ChatModel | None = None,
        workshop: Workshop | None = None,
        extractor: StatementExtractor | None = None,
        queues: TaskQueueStore | str | None = None,
        limits: ContextLimits | None = None,
    ) -> Desk:
        """The desk of an author, with several tasks at once; see Desk.

        With `chat` a CreativityEngine brings options, and what is settled is read off with the model, too; `workshop`
        and `extractor` take the place of either. Where the model fails the desk goes on without it, and says so.
        `queues` is where tasks are kept, by default in the book's file: `memory://`, `redis://host:port/database` for
        several processes, or a store of your own, which is not closed with the story.
        """
        self._check_open()
        if chat is not None:
            from amb_book.with_a_model import extractor_with, workshop_with

            workshop = workshop or workshop_with(chat, self)
            extractor = extractor or extractor_with(chat)
        if queues is None:
            queues = RecordTaskQueues(self._store, user=user)
        elif isinstance(queues, str):
            queues = open_task_queues(queues, book=str(self.place or "book"), user=user)
            self._queues.append(queues)
        return Desk(
            self,
            store=self._store,
            queues=queues,
            clock=self._clock,
            user=user,
            chat=chat,
            workshop=workshop,
            extractor=extractor,
            limits=limits,
        )
