"""The deletion of everything that a store holds of one user, in one call."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from contextlib import closing, nullcontext

from amb_core.errors import InvalidInput, InvalidParameter, StoreError
from amb_core.frozen import Frozen
from amb_core.memory.bank_files import drop_old_index
from amb_core.memory.forgetting import Forgotten, tell_forgotten
from amb_core.memory.journal import PREFIX
from amb_core.protocols import Record, RecordQuery, RecordStore
from amb_core.stores import attachment_folder, holds_something, open_store
from amb_core.stores.eraser import Eraser
from amb_core.stores.openers import PlacesOpener, opener_of
from amb_core.stores.store_log import Act, ChangeLog
from amb_longterm.collection import ERASING
from amb_longterm.loaded_namespaces import index_file
from amb_longterm.memory_records import namespace_in_store, records_in
from amb_longterm.namespaces import EXPERIENCE, TEAM_META, TEAM_USERS, belongs_to, mentions, namespace_of
from amb_longterm.promoted import PROMOTED, leftovers, take_out
from amb_users.user_banks import Banks

__all__ = ["UserDeletion", "delete_user"]

_STATE = "memory-state"
_RUNS = f"{EXPERIENCE}/"
"""What the namespaces of earlier runs begin with."""


class UserDeletion(Frozen):
    """How many records of a user were deleted, by memory, those of a team with its log.

    `banks` are whole ones, where the URL stood for all spaces of a tenant, and `unreachable` are files that could not
    be changed. `unclear` are namespaces that have the id in them and were left, for they may be another's: of
    `user_profile/acme/ann` the user is acme/ann, not ann. Read them, and name them as they are meant: that id as
    `user`, or `scopes=["user_profile/acme"]`.
    """

    user: str
    banks: int = 0
    task: int = 0
    longterm: int = 0
    team: int = 0
    experience: int = 0
    unreachable: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether anything of the user was there; if not, see that the id and the store are the right ones."""
        return any((self.banks, self.task, self.longterm, self.team, self.experience))


def delete_user(
    store: str | RecordStore, *, user: str, actor: str = "supervisor", scopes: Collection[str] = ()
) -> UserDeletion:
    """Delete what a store (or its URL) holds of a user: the task, long-term memory, teams, and what these have learnt.

    Records go with their history, lines of the log, indexes and attachments, and the files are rewritten. A
    task is the user's when its bank was told so by its scope; a namespace, when the id follows its first part (`scopes`
    are those that have several parts before the id). Facts promoted from the user's tasks go too, or stay with their
    other sources. Close a bank on this store first; long-term memories and
    teams may be open. In PostgreSQL `…?tenant=T&space=*` is all that the tenant holds of the user. Calling it again
    goes on where a process died. Raises StoreError when the store does not take it, InvalidInput where there is none.
    """
    if not isinstance(user, str) or not user.strip():
        raise InvalidParameter("a user needs an id; pass the one that the memories were written for.")
    if isinstance(store, str) and not holds_something(store):
        raise InvalidInput(f"there is no store at {store}, and nothing was made there; check where it is.")
    everywhere = _all_spaces(store) if isinstance(store, str) else None
    if everywhere is not None and isinstance(store, str):
        return _deleted_everywhere(store, everywhere, user=user, actor=actor, scopes=scopes)
    with closing(open_store(store)) if isinstance(store, str) else nullcontext(store) as opened:
        eraser, log = Eraser(opened, _STATE), ChangeLog(opened, "memory")
        deletion = _Deletion(opened, log, user, scopes)
        with opened.transaction():
            eraser.begin(ERASING)
            counts = {"task": deletion.task(), "team": deletion.teams(), **deletion.longterm()}
            log.append([Act("delete user", "", outcome="deleted")], at=log.latest_time(), actor=actor)
            folder = attachment_folder(store) if isinstance(store, str) and counts["task"] else None
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)
        unreachable = deletion.unreachable
        try:
            eraser.finish(ERASING)
        except StoreError as error:
            unreachable.append(f"{error} What was deleted is erased from the files when this is called again.")
    tell_forgotten(Forgotten(user=user))
    return UserDeletion(user=user, **counts, unreachable=tuple(unreachable), unclear=tuple(sorted(deletion.unclear)))


def _all_spaces(url: str) -> list[str] | None:
    """The URLs of the stores that a URL stands for; None when it is that of one store."""
    opener = opener_of(url)
    return opener.spaces(url) if isinstance(opener, PlacesOpener) else None


def _deleted_everywhere(
    url: str, spaces: Sequence[str], *, user: str, actor: str, scopes: Collection[str]
) -> UserDeletion:
    """Delete the user's banks, and what each other space holds of the user."""
    banks = Banks(url).delete(user=user).banks
    parts = [delete_user(space, user=user, actor=actor, scopes=scopes) for space in spaces]
    sums = {name: sum(getattr(part, name) for part in parts) for name in ("task", "longterm", "team", "experience")}
    unreachable = tuple(place for part in parts for place in part.unreachable)
    unclear = tuple(sorted({name for part in parts for name in part.unclear}))
    return UserDeletion(user=user, banks=banks, **sums, unreachable=unreachable, unclear=unclear)


class _Deletion:
    """The deletion of one user's records, memory by memory, and of what stands beside them in files."""

    def __init__(self, store: RecordStore, log: ChangeLog, user: str, scopes: Collection[str]) -> None:
        self._store, self._log, self._user, self._scopes = store, log, user, scopes
        self._runs: set[str] = set()
        self.unreachable: list[str] = []
        self.unclear: set[str] = set()

    def task(self) -> int:
        """Delete the task, when it is the user's."""
        scope = self._store.get(f"{PREFIX}scope", "-")
        if scope is None or scope.data.get("user") != self._user:
            return 0
        drop_old_index(self._store)
        return sum(self._clear(name) for name in self._store.namespaces(PREFIX))

    def longterm(self) -> dict[str, int]:
        """Delete the user's namespaces with all that tells of them; what teams have learnt is counted for itself."""
        prefix, experience = namespace_in_store(""), namespace_of(TEAM_META, self._user)
        counts = {"longterm": 0, "experience": self._forget(namespace_of(TEAM_META, "all"), runs=self._runs)}
        for namespace in (stored.removeprefix(prefix) for stored in self._store.namespaces(prefix)):
            if self._owns(namespace):
                learnt = namespace == experience or namespace.startswith(_RUNS)
                counts["experience" if learnt else "longterm"] += self._forget(namespace)
            elif mentions(namespace, self._user):
                self.unclear.add(namespace)
        counts["longterm"] += self._promoted()
        for place in (*self._log.namespaces, "memory-outbox", "memory-exports", PROMOTED):
            found = self._store.search(RecordQuery(place))
            self._store.delete(place, [each.id for each in found if self._is_own(each)])
        return counts

    def _promoted(self) -> int:
        """Take the user's tasks out of the facts promoted from them."""
        affected = leftovers(self._store, Forgotten(user=self._user))
        for namespace, found in affected.items():
            take_out(self._store, namespace, found)
            if (file := index_file(self._store, namespace)) is not None:
                file.drop()
        return sum(map(len, affected.values()))

    def _owns(self, namespace: str) -> bool:
        return belongs_to(namespace, self._user, scopes=self._scopes)

    def teams(self) -> int:
        """Delete the teams that work for the user."""
        teams = self._store.search(RecordQuery(TEAM_USERS, where={"user": self._user}))
        self._runs = {team.id.removeprefix("team:") for team in teams}
        self._store.delete(TEAM_USERS, [team.id for team in teams])
        names = [name for team in teams if isinstance(listed := team.data.get("namespaces"), list) for name in listed]
        return sum(self._clear(str(name)) for name in names)

    def _forget(self, namespace: str, *, runs: Collection[str] | None = None) -> int:
        """Delete a namespace of long-term memory, or what some runs have put there, with its index."""
        stored = namespace_in_store(namespace)
        ids = [each.id for each in records_in(self._store, RecordQuery(stored)) if runs is None or _is_of(each, runs)]
        if runs is None:
            ids += self._store.damaged(stored)
        if ids and (file := index_file(self._store, namespace)) is not None:
            file.drop()
        return self._store.delete(stored, ids)

    def _clear(self, name: str) -> int:
        ids = [record.id for record in self._store.search(RecordQuery(name))]
        return self._store.delete(name, [*ids, *self._store.damaged(name)])

    def _is_own(self, record: Record) -> bool:
        """Whether a line of the log, a waiting call or a successor is of one of the user's namespaces."""
        named = record.id if record.namespace == PROMOTED else record.id.removeprefix("successor:").rpartition(":")[0]
        return self._owns(str(record.data.get("namespace", named)))


def _is_of(record: Record, runs: Collection[str]) -> bool:
    """Whether a record of long-term memory was made in one of some runs."""
    origins = record.data.get("provenance")
    return isinstance(origins, list) and any(isinstance(each, dict) and each.get("run") in runs for each in origins)
