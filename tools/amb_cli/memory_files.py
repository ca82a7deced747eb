"""`amb inspect`, `amb export`, `amb import`: a memory as a page, a file, a store."""

from __future__ import annotations

import argparse
from pathlib import Path

from amb_cli.command_parser import Commands
from amb_cli.console import show_result

__all__ = ["add_to", "export", "import_", "inspect"]


def add_to(commands: Commands) -> None:
    """Add `inspect`, `export`, `import`."""
    parser = commands.add_parser("inspect", help="draw an exported memory as an HTML page")
    parser.add_argument("file", type=Path, help="what `amb export` or `amb run` wrote")
    parser.add_argument("-o", "--output", type=Path, help="the page to write (default: FILE.html)")
    parser.add_argument("--model", default="", help="the agent's model, whose price says what was saved")
    _add_json(parser)
    parser.set_defaults(command=inspect)

    parser = commands.add_parser("export", help="write the memory in a store to a JSON file")
    parser.add_argument("store", help="sqlite:///FILE or json:///FOLDER")
    parser.add_argument("file", type=Path, help="the JSON file to write")
    _add_json(parser)
    parser.set_defaults(command=export)

    parser = commands.add_parser("import", help="put an exported memory into an empty store")
    parser.add_argument("file", type=Path, help="what `amb export` or `amb run` wrote")
    parser.add_argument("store", help="sqlite:///FILE or json:///FOLDER")
    _add_json(parser)
    parser.set_defaults(command=import_)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="JSON, for programs")


def inspect(options: argparse.Namespace) -> int:
    """A file as a page."""
    from amb_core.memory.snapshots import read_snapshot
    from amb_inspector import write_page

    output = options.output or options.file.with_suffix(".html")
    write_page(read_snapshot(options.file), output, model=options.model)
    page = str(output.resolve())
    show_result(options, {"page": page}, [page])
    return 0


def export(options: argparse.Namespace) -> int:
    """A store as a file."""
    from amb_core.memory.bank_opener import stored_snapshot
    from amb_core.memory.snapshots import write_snapshot

    file = str(write_snapshot(stored_snapshot(options.store), options.file).resolve())
    show_result(options, {"file": file}, [file])
    return 0


def import_(options: argparse.Namespace) -> int:
    """A file as a store."""
    from amb_core.memory.bank_opener import store_snapshot
    from amb_core.memory.snapshots import read_snapshot

    store_snapshot(read_snapshot(options.file), options.store)
    show_result(options, {"store": options.store}, [options.store])
    return 0
