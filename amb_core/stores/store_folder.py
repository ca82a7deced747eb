"""The folder of a store: made for it alone, and what goes wrong with its files said in words for the user."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from amb_core.errors import StoreCorrupt, StoreError

__all__ = ["folder_errors", "make_folder"]


def make_folder(folder: Path, *, is_ours: Callable[[str], bool], mark: str) -> None:
    """Make the folder; one that holds files of others, by name, and not the file `mark` is a StoreCorrupt."""
    if not folder.parent.is_dir():
        raise StoreError(f"the folder {folder.parent} does not exist; create it, or store the memory elsewhere.")
    folder.mkdir(exist_ok=True)
    strangers = sorted(found.name for found in folder.iterdir() if not is_ours(found.name))
    if strangers and not (folder / mark).exists():
        raise StoreCorrupt(f"{folder} holds other files ({strangers[0]}); name a new folder for the memory.")


@contextmanager
def folder_errors(place: Path | str) -> Iterator[None]:
    """Any OSError inside as a StoreError that says what it means for the user."""
    try:
        yield
    except StoreError:
        raise
    except (NotADirectoryError, FileExistsError, FileNotFoundError, PermissionError) as error:
        raise StoreError(f"{place} cannot be opened or written ({error.strerror}); check the folder.") from error
    except OSError as error:
        said = error.strerror or error
        raise StoreError(f"{place} could not be written ({said}); free disk space, then repeat.") from error
