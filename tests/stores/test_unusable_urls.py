"""A URL that names no usable place raises, wherever it is given: nobody gets a memory that vanishes instead."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from importlib.util import find_spec

import pytest

from amb_book import Story
from amb_core import AmbError, InvalidInput, MemoryBank, StoreError
from amb_core.errors import WritesWaiting
from amb_core.stores import open_store
from amb_longterm import LongTermMemory, LongTermSettings

OPENINGS = {
    "open_store": open_store,
    "MemoryBank": lambda url: MemoryBank("Find the price", store=url),
    "LongTermMemory": LongTermMemory,
    "its settings": lambda url: LongTermMemory(settings=LongTermSettings(backend=url)),
    "its fallback": lambda url: LongTermMemory("memory://", fallback=url),
    "Story": lambda url: Story(None, store=url),
}
SCHEMES = ("sqlite", "json", "qdrant", "chroma")
HERE = [scheme for scheme in SCHEMES if scheme != "chroma" or find_spec("chromadb")]
NOT_ADDRESSES = (
    "qdrant+http://",
    "qdrant+http://bad host",
    "qdrant+http://h:99999",
    "qdrant+https://[",
    "qdrant+ftp://h",
)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
@pytest.mark.parametrize(
    "url",
    [f"{scheme}:///{path}" for scheme in SCHEMES for path in ("", "  ", "a\0b", "\ud800")] + list(NOT_ADDRESSES),
)
def test_a_url_without_a_place_is_refused_by_name(opening, url):
    with pytest.raises(InvalidInput, match=r"names no store|is no address"):
        opening(url)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
@pytest.mark.parametrize("scheme", HERE)
@pytest.mark.parametrize("place", ["missing/x", "file/x", "x" * 300])
def test_a_place_that_cannot_be_made_raises_with_the_reason(opening, scheme, place, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreError, match=r"create it|cannot be opened|could not be written|File name too long"):
        opening(f"{scheme}:///{tmp_path}/{place}")


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
@pytest.mark.parametrize("scheme", HERE)
def test_something_else_in_the_place_of_a_store_raises_and_stays(opening, scheme, tmp_path):
    """A folder where a file is wanted, a file where a folder is wanted."""
    place = tmp_path / "taken"
    if scheme == "sqlite":
        place.mkdir()
    else:
        place.write_text("mine")
    with pytest.raises(StoreError, match=r"cannot be opened"):
        opening(f"{scheme}:///{place}")
    assert place.is_dir() if scheme == "sqlite" else place.read_text() == "mine"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="everything is allowed to root")
@pytest.mark.parametrize("scheme", HERE)
def test_a_folder_without_permission_raises(scheme, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(AmbError, match=r"cannot be opened|read-only"):
        LongTermMemory(f"{scheme}:///{tmp_path}/memory")


def test_a_server_that_is_not_up_is_waited_for():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    memory = LongTermMemory(f"qdrant+http://127.0.0.1:{port}")
    assert memory.write("Likes tea", namespace="user_profile/u1").status == "queued"
    with pytest.raises(WritesWaiting, match="still wait"):
        memory.close()


def test_an_unknown_scheme_is_refused_with_the_registered_ones():
    known = r"chroma, json, memory, postgresql, qdrant, qdrant\+http, qdrant\+https, sqlite"
    with pytest.raises(InvalidInput, match=known):
        open_store("postgres:///task")


@pytest.mark.slow
def test_importing_amb_and_opening_a_bank_in_memory_read_no_entry_points():
    """Asked of a fresh interpreter: this one has long read them."""
    code = "import amb_core as a, amb_core.registry as r; a.MemoryBank('g').close(); print(r.registered.cache_info())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "misses=0" in ran.stdout


@pytest.mark.slow
def test_another_distribution_brings_a_store_with_one_module_and_one_entry_point(tmp_path):
    """Asked of a fresh interpreter, with a distribution as an installer leaves it."""
    about = tmp_path / "notes-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: notes\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[amb.stores]\nnotes = notes:opener\n")
    module = "from amb_core.stores import FileOpener, SqliteStore\nopener = FileOpener(SqliteStore)\n"
    (tmp_path / "notes.py").write_text(module)
    code = "import amb_core as a; a.MemoryBank('g', store='notes:///task').close()"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "task").exists()


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
@pytest.mark.parametrize("text", [b"x", b"\n", b"SQLite format 4\0", b"a,b\n1,2\n" * 900])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path, opening, text):
    file = tmp_path / "notes.txt"
    file.write_bytes(text)
    with pytest.raises(StoreError, match="cannot be read as a memory file"):
        opening(f"sqlite:///{file}")
    assert file.read_bytes() == text
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]


def test_an_empty_file_becomes_a_database(tmp_path):
    file = tmp_path / "new.db"
    file.touch()
    with LongTermMemory(f"sqlite:///{file}") as memory:
        memory.write("I like tea.", namespace="user_profile/u1")
    assert file.read_bytes().startswith(b"SQLite format 3")
