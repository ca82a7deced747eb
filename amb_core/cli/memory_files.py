"""`amb inspect`, `amb export`, `amb import`: a memory as a page, a file, a store."""

from __future__ import annotations

import argparse
from pathlib import Path

from amb_core.cli.argument_types import Commands
from amb_core.cli.console import say

__all__ = ["add_to", "export", "import_", "inspect"]


def add_to(commands: Commands) -> None:
    """Add `inspect`, `export`, `import`."""
    parser = commands.add_parser("inspect", help="draw an exported memory as an HTML page")
    parser.add_argument("file", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="the page to write")
    parser.set_defaults(command=inspect)

    parser = commands.add_parser("export", help="write the memory in a store to a JSON file")
    parser.add_argument("store", help="sqlite:///FILE or json:///FOLDER")
    parser.add_argument("file", type=Path)
    parser.set_defaults(command=export)

    parser = commands.add_parser("import", help="put an exported memory into an empty store")
    parser.add_argument("file", type=Path)
    parser.add_argument("store", help="sqlite:///FILE or json:///FOLDER")
    parser.set_defaults(command=import_)


def inspect(options: argparse.Namespace) -> int:
    """A file as a page."""
    from amb_core.inspector import write_page
    from amb_core.memory.snapshots import read_snapshot

    write_page(read_snapshot(options.file), options.output)
    say(str(options.output.resolve()))
    return 0


def export(options: argparse.Namespace) -> int:
    """A store as a file."""
    from amb_core.memory.snapshots import write_snapshot
    from amb_core.memory.startup import stored_snapshot

    say(str(write_snapshot(stored_snapshot(options.store), options.file).resolve()))
    return 0


def import_(options: argparse.Namespace) -> int:
    """A file as a store."""
    from amb_core.memory.snapshots import read_snapshot
    from amb_core.memory.startup import store_snapshot

    store_snapshot(read_snapshot(options.file), options.store)
    say(options.store)
    return 0
