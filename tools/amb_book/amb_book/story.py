"""Story: the memory of one book, and what works on it: the desk, the import of a manuscript, the check of a draft."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

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
from amb_book.episodes import EpisodeArchive
from amb_book.fact_answers import Settlement
from amb_book.facts import FactGraph
from amb_book.forms import FormRow, form_rows
from amb_book.graph import RecordGraph
from amb_book.graph.ownership import claim_for_book
from amb_book.graph.sqlite_views import show_graphs
from amb_book.graphs import GraphStore
from amb_book.lore import LoreBase
from amb_book.plan import PlanGraph
from amb_book.position import Position
from amb_book.readings import Readings
from amb_book.settlement_log import Logged, SettlementLog
from amb_book.statements import LoreStatement, PlanStatement, Statement, parsed
from amb_core.clock import CheckedClock, SystemClock
from amb_core.errors import BankClosed, InvalidInput, InvalidParameter, StoreError, UnknownId
from amb_core.protocols import ChatModel, Clock, Embedder, RecordStore
from amb_core.stores import open_store
from amb_embedders import open_embedder

if TYPE_CHECKING:
    from amb_book.entities import Entity
    from amb_book.manuscript_import import Imported, Progress, Settle

__all__ = ["Story"]

_log = logging.getLogger("amb.narrative")
_FILE = "book.db"


class Story:
    """What has happened in a book, what is planned, its lore and its text; one SQLite file in the book's folder.

    `place` is the folder, made when it is not there; None keeps everything in memory. `graph` is the URL of a graph
    server for facts and plan (`neo4j://user@host:7687/database`); without one they are in the book's file, too, and a
    settlement is one transaction. `store` replaces the file by any record store. Thread-safe.
    Raises BookMismatch when the graph of the folder's name on the server is another book's.
    """

    def __init__(
        self,
        place: str | Path | None,
        *,
        graph: str | None = None,
        store: RecordStore | str | None = None,
        embedder: Embedder | str | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.place = None if place is None else Path(place).absolute()
        self._clock = CheckedClock(clock or SystemClock())
        self._store = _opened(self.place, store)
        self._lock = threading.RLock()
        self._closed = False
        self._queues: list[TaskQueueStore] = []
        book = self.place.name if self.place is not None else "book"
        try:
            self._graphs = _graphs(graph, self._store, book)
        except BaseException:
            if store is None or isinstance(store, str):
                self._store.close()
            raise
        self._one_file = graph is None
        searcher = open_embedder(embedder) if isinstance(embedder, str | None) else embedder
        self.facts = FactGraph(self._graphs[0])
        self.plan = PlanGraph(self._graphs[1])
        self.lore = LoreBase(self._store, embedder=searcher, clock=self._clock)
        self.episodes = EpisodeArchive(self._store, embedder=searcher, clock=self._clock, known=self._known)
        self.readings = Readings(self._store, clock=self._clock)
        self.log = SettlementLog(self._store, clock=self._clock)
        for entry in self.log.entries(state="confirmed"):
            self._carry_over(entry)
        for entry in self.log.entries(state="undoing"):
            self._take_back(entry.id)
            self.log.mark(entry.id, "undone")

    # --- settling ----------------------------------------------------------------------------------------------------

    def settle(
        self,
        *,
        chapter: int,
        statements: Iterable[Statement | Mapping[str, Any]],
        title: str | None = None,
        replace: bool = False,
        task: str = "",
        id: str = "",
    ) -> Settlement:
        """Carry what an author confirmed to facts, plan and lore: all of it or nothing, also across a crash.

        The same `id` again changes nothing. Raises InvalidInput and SettlementConflict as FactGraph.settle does.
        """
        self._check_open()
        read = parsed(statements)
        with self._lock:
            entry = self.log.confirm(chapter, read, title=title, task=task, replace=replace, id=id)
            try:
                return self._apply(entry)
            except Exception as error:
                self._give_up(entry, error)
                raise

    def put_chapter(
        self,
        number: int,
        text: str,
        *,
        title: str = "",
        entities: Iterable[str] | Callable[[str], Iterable[str]] = (),
        statements: Iterable[Statement | Mapping[str, Any]] | None = None,
        id: str = "",
    ) -> None:
        """Keep the text of a chapter and settle its statements under an id, both or neither; None settles nothing."""
        self._check_open()
        with self._lock, self._store.transaction():
            if statements is not None:
                self.settle(chapter=number, statements=statements, title=title, id=id)
            self.episodes.put_chapter(number, text, title=title, entities=entities)

    def keep_text(self, number: int, text: str) -> None:
        """Keep the text of a settled chapter under its title, with whom each passage names by what is settled."""
        self._check_open()

        def named(passage: str) -> Iterable[str]:
            return [each.sole.name for each in self.facts.mentions(passage, at=number) if each.sole is not None]

        title = next((each.title for each in self.facts.chapters() if each.number == number), "")
        self.episodes.put_chapter(number, text, title=title, entities=named)

    def undo(self, settlement: str) -> int:
        """Take back the facts of a settlement; plan and lore stay as they are. Returns how many facts went.

        What a server could not take back now (StoreError) is taken back when the book is opened again.
        """
        self._check_open()
        with self._lock:
            waits = not self._one_file and self._is_to_be_undone(settlement)
            with self._store.transaction():
                gone = self._take_back(settlement) if waits else self.facts.undo(settlement)
                with suppress(UnknownId):  # one that was settled as story.facts.settle(…) is in no log
                    self.log.mark(settlement, "undone")
                return gone

    # --- looking -----------------------------------------------------------------------------------------------------

    def position(self) -> Position:
        """Where the story stands: the last settled chapter, and each storyline of the plan."""
        self._check_open()
        last = self.facts.chapters()[-1:]
        number, title = (last[0].number, last[0].title) if last else (0, "")
        return Position(number, title, self.plan.positions())

    def close(self) -> None:
        """Release files and servers; calling twice is no error."""
        if not self._closed:
            self._closed = True
            for queues in self._queues:
                queues.close()
            for graph in self._graphs:
                graph.close()
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- working -----------------------------------------------------------------------------------------------------

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

    # --- inside ------------------------------------------------------------------------------------------------------

    def _known(self, name: str, at: int) -> Entity | None:
        """The one entity of a name, with all names the book knows up to a chapter."""
        found = self.facts.resolve(name, at=at)
        return found[0] if len(found) == 1 else None

    def _apply(self, entry: Logged) -> Settlement:
        """Carry a logged settlement to every part; saying it twice changes nothing."""
        with self._store.transaction():
            for each in entry.statements:
                if isinstance(each, LoreStatement):
                    self.lore.put(each.lore, each.text, kind=each.kind)
            done = self.facts.settle(
                chapter=entry.chapter,
                statements=entry.statements,
                title=entry.title,
                settlement=entry.id,
                replace=entry.replace,
            )
            self.plan.settle_all(each for each in entry.statements if isinstance(each, PlanStatement))
            self.log.mark(entry.id, "applied")
        return done

    def _is_to_be_undone(self, settlement: str) -> bool:
        """Write down that a settlement shall be taken back from the server; False for one that is not to be."""
        try:
            state = self.log.get(settlement).state
        except UnknownId:
            return False
        if state == "applied":
            self.log.mark(settlement, "undoing")
        return state in ("applied", "undoing")

    def _take_back(self, settlement: str) -> int:
        """Take the facts of a settlement back, if that was not done before a crash."""
        try:
            return self.facts.undo(settlement)
        except UnknownId:
            return 0

    def _carry_over(self, entry: Logged) -> None:
        """Apply what was confirmed before a crash; one that cannot be stays in the log as refused."""
        try:
            self._apply(entry)
        except InvalidInput as error:
            _log.warning("a settlement of chapter %d was refused: %s", entry.chapter, type(error).__name__)
            with suppress(UnknownId):  # a server may have its facts, and refuse its plan
                self.facts.undo(entry.id)
            self.log.mark(entry.id, "refused")

    def _give_up(self, entry: Logged, error: Exception) -> None:
        """Leave nothing of a settlement that cannot be applied; one that a server could not take waits in the log."""
        if not self._one_file and isinstance(error, StoreError):
            return
        with suppress(StoreError):  # what cannot be written now is carried over when the book is opened
            if self.log.get(entry.id).state == "confirmed":
                with suppress(UnknownId):
                    self.facts.undo(entry.id)
                self.log.drop(entry.id)

    def _check_open(self) -> None:
        if self._closed:
            raise BankClosed("this story was closed; open it again with Story(place).")


def _opened(place: Path | None, store: RecordStore | str | None) -> RecordStore:
    if store is not None:
        return open_store(store) if isinstance(store, str) else store
    if place is None:
        return open_store("memory://")
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidParameter(
            f"{place} cannot be the folder of a book ({error.strerror}); name a folder that is one or can be made."
        ) from None
    opened = open_store(f"sqlite:///{place / _FILE}")
    show_graphs(place / _FILE)
    return opened


def _graphs(url: str | None, store: RecordStore, book: str) -> list[GraphStore]:
    """The graphs of facts and plan."""
    if url is None:
        return [RecordGraph(store, f"book:{part}") for part in ("facts", "plan")]
    from amb_book.graph import open_graph

    opened: list[GraphStore] = []
    try:
        opened += (open_graph(url, name=f"{book}:{part}") for part in ("facts", "plan"))
        claim_for_book(opened, store, book=book)
    except BaseException:
        for each in opened:
            each.close()
        raise
    return opened
