"""`amb postgres init`: a database made ready for AMB, with the key that keeps its tenants apart."""

from __future__ import annotations

import argparse

from amb_core.cli.argument_types import Commands
from amb_core.cli.console import say
from amb_core.errors import MissingExtra

__all__ = ["add_to", "init"]


def add_to(commands: Commands) -> None:
    """Add `postgres`."""
    parser = commands.add_parser("postgres", help="make a PostgreSQL database ready for memories")
    steps = parser.add_subparsers(metavar="STEP", required=True)
    step = steps.add_parser("init", help="make or migrate the tables as their owner, and print the key of the tenants")
    step.add_argument("url", help="postgresql://OWNER@HOST/DATABASE; its password may be in PGPASSWORD or ~/.pgpass")
    step.set_defaults(command=init)


def init(options: argparse.Namespace) -> int:
    """Make the tables, say how an application logs in, and print its key."""
    try:
        from amb_postgres.postgres_pool import made_ready
    except ModuleNotFoundError as error:
        raise MissingExtra("psycopg", extra="postgres") from error
    role, key = made_ready(options.url)
    say(
        f"The database is ready. Give the login of your application the role {role}, which owns nothing:\n"
        f"  CREATE ROLE my_application LOGIN PASSWORD '…' IN ROLE {role};\n"
        "and the application this key, which opens the rows of its tenants; keep it like a password:"
    )
    print(f"AMB_POSTGRES_KEY={key.hex()}")
    return 0
