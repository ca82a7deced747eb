"""`amb postgres init` makes a database ready for AMB, with the key that keeps tenants apart; `amb worker` digests."""

from __future__ import annotations

import argparse
import signal
import threading

from amb_agents.judges import open_agents
from amb_cli.command_parser import Commands
from amb_cli.console import say, show_result
from amb_cli.user_language import translate
from amb_core.errors import MissingExtra

__all__ = ["add_to", "add_worker_to", "init", "worker"]


def add_to(commands: Commands) -> None:
    """Add `postgres`."""
    parser = commands.add_parser("postgres", help="make a PostgreSQL database ready for memories")
    steps = parser.add_subparsers(metavar="STEP", required=True)
    step = steps.add_parser("init", help="make or migrate the tables as their owner, and print the key of the tenants")
    step.add_argument("url", help="postgresql://OWNER@HOST/DATABASE; its password may be in PGPASSWORD or ~/.pgpass")
    step.add_argument("--json", action="store_true", help="JSON, for programs")
    step.set_defaults(command=init)


def init(options: argparse.Namespace) -> int:
    """Make the tables, say how an application logs in, and print its key."""
    try:
        from amb_postgres.postgres_pool import made_ready
    except ModuleNotFoundError as error:
        raise MissingExtra("psycopg", extra="postgres") from error
    role, key = made_ready(options.url)
    ready = translate(
        "The database is ready. Give the login of your application the role {role}, which owns nothing:\n"
        "  CREATE ROLE my_application LOGIN PASSWORD '…' IN ROLE {role};\n"
        "and the application this key, which opens the rows of its tenants; keep it like a password:",
        role=role,
    )
    show_result(options, {"role": role, "key": key.hex()}, (ready, f"AMB_POSTGRES_KEY={key.hex()}"))
    return 0


def add_worker_to(commands: Commands) -> None:
    """Add `worker`."""
    parser = commands.add_parser("worker", help="digest what other processes have taken into PostgreSQL")
    parser.add_argument("url", help="postgresql://USER@HOST/DATABASE, with ?tenant=T for one tenant alone")
    parser.add_argument("--once", action="store_true", help="end when nothing waits any more")
    parser.add_argument("--json", action="store_true", help="with --once: JSON, for programs")
    parser.add_argument("--agents", help="who reads: local, or prompted:MODEL (default: local)")
    parser.add_argument("--embedder", help="the embedder the banks were made with (default: none)")
    parser.set_defaults(command=worker, wrong_usage=parser.error)


def worker(options: argparse.Namespace) -> int:
    """Digest until the process is told to end (SIGTERM, or Ctrl-C), or with `--once` until nothing waits."""
    if options.json and not options.once:
        options.wrong_usage("--json needs --once: a worker that goes on has no result")
    try:
        from amb_postgres.digest_worker import DigestWorker
    except ModuleNotFoundError as error:
        raise MissingExtra("psycopg", extra="postgres") from error
    agents = None if options.agents is None else open_agents(options.agents)
    found = DigestWorker(options.url, agents=agents, embedder=options.embedder)
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        if options.once:
            visits = sum(iter(found.work, 0))
            show_result(options, {"visits": visits}, ())
        else:
            say(translate("The worker digests what waits; end it with Ctrl-C."))
            found.run(stop)
    except KeyboardInterrupt:
        stop.set()
    finally:
        found.close()
    return 0
