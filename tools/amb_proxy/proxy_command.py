"""`amb proxy`: serve the gateway, and show what it did."""

from __future__ import annotations

import argparse
import logging
import os
import socket
import sys
from pathlib import Path
from typing import Any

from amb_cli.command_parser import Commands, path, port, positive, share
from amb_cli.console import say
from amb_cli.user_language import translate
from amb_core import InvalidInput, InvalidParameter, Settings

__all__ = ["QUIET", "add_memory_options", "add_to", "app_options", "listening", "proxy"]

QUIET: dict[str, Any] = {
    "log_level": "critical",
    "server_header": False,
    "date_header": False,
    "timeout_graceful_shutdown": 5,
}
"""How uvicorn serves a gateway."""
_SWITCH_SECONDS = 0.001
"""A request waits no longer than this for work in another thread to make room."""
_FEW_FILES = (
    "amb proxy: this process may open {limit} file descriptors, enough for {requests} requests at once; "
    "more are refused with 503. Raise the limit before you start it: ulimit -n 4096, or lower --open-banks"
)
_HERE = ("127.0.0.1", "localhost", "::1")


def add_to(commands: Commands) -> None:
    """Add `proxy`."""
    parser = commands.add_parser("proxy", help="a gateway: memory for any client, by its base URL")
    parser.add_argument(
        "action", nargs="?", choices=["serve", "status"], default="serve", help="serve, or show what it did"
    )
    parser.add_argument("--upstream", metavar="URL", help="the provider's base URL, such as https://api.openai.com/v1")
    parser.add_argument("--folder", type=path, default=Path("banks"), help="where conversations are kept (banks)")
    parser.add_argument(
        "--store", metavar="URL", help="keep them in PostgreSQL instead, postgresql://…?tenant=T, for several gateways"
    )
    parser.add_argument("--host", default="127.0.0.1", help="where to listen; others need AMB_PROXY_TOKEN")
    parser.add_argument("--port", type=port, default=8787, help="0: any free one")
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME:PORT", help="a name it is asked under"
    )
    add_memory_options(parser)
    parser.add_argument(
        "--memories",
        metavar="URL",
        help="long-term memory that programs of any language reach below /amb/memories",
    )
    parser.add_argument("--json", action="store_true", help="status as JSON")
    parser.set_defaults(command=proxy)


def add_memory_options(parser: argparse.ArgumentParser, *, budget: int | None = None) -> None:
    """What every gateway may be told of its memory; `budget` is its bound where none is named."""
    parser.add_argument("--budget", type=positive, default=budget, metavar="TOKENS", help="the bound of a request")
    parser.add_argument("--count", metavar="NAME", help="the tokenizer that counts it, such as cl100k or llama3")
    parser.add_argument(
        "--keep-tool", action="append", default=[], metavar="NAME", help="a tool whose newest calls and results stay"
    )
    parser.add_argument(
        "--cut-to", type=share, metavar="SHARE", help="what is left of the bound when a request is cut, such as 0.6"
    )
    parser.add_argument(
        "--keep-days", type=float, default=30.0, help="conversations that nobody used go after so many days"
    )
    parser.add_argument("--deep-retrieval", action="store_true", help="let models look into memory by a tool")
    parser.add_argument(
        "--redact", action="store_true", help="keep no personal data and secrets: addresses, numbers, keys, passwords"
    )
    parser.add_argument("--verbose", action="store_true", help="print a line for each request that memory prepared")
    parser.add_argument(
        "--open-banks", type=positive, default=48, metavar="N", help="banks that are open at once, each with four files"
    )


def app_options(options: argparse.Namespace, port: int) -> dict[str, Any]:
    """What AMBProxy is given for these options; raises InvalidParameter for a tokenizer that nobody knows."""
    from amb_core.adapter import TokenCounter
    from amb_redaction import PatternRedactor

    told = {"prompt_budget_tokens": options.budget, "count_tokens": options.count, "low_water": options.cut_to}
    told |= {"keep_tools": tuple(options.keep_tool) or None}
    settings = Settings(**{name: value for name, value in told.items() if value is not None})
    TokenCounter(settings.count_tokens)  # a name that nobody knows is told of now, not at the first request
    return {
        "settings": settings,
        "keep_days": options.keep_days,
        "hosts": [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")],
        "deep_retrieval": options.deep_retrieval,
        "redactor": PatternRedactor() if options.redact else None,
        "most_open_banks": options.open_banks,
    }


def proxy(options: argparse.Namespace) -> int:
    """Serve until somebody interrupts, or show the status of the gateway of a folder."""
    if options.action == "status":
        from amb_proxy import show_status

        return show_status(options.folder, store=options.store, as_json=options.json)
    if not options.upstream:
        raise InvalidInput("say where the model is: amb proxy --upstream https://api.openai.com/v1")
    return _serve(options)


def _serve(options: argparse.Namespace) -> int:
    from amb_proxy import AMBProxy
    from amb_proxy.open_files import MOST_CONNECTIONS, limit, raise_limit, room

    token = os.environ.get("AMB_PROXY_TOKEN") or None
    if options.host not in _HERE and (token is None or not options.allow_host):
        raise InvalidParameter(
            f"on {options.host} others can reach the memory: give a token (AMB_PROXY_TOKEN) and the names it is asked "
            "under (--allow-host NAME:PORT), or serve on 127.0.0.1"
        )
    raise_limit()
    if (there_is := room(open_banks=options.open_banks)).connections < MOST_CONNECTIONS:
        numbers = {"limit": limit(), "requests": there_is.connections}
        say(translate(_FEW_FILES, **numbers), file=sys.stderr)
    with listening(options.host, options.port) as server_socket:
        port = server_socket.getsockname()[1]
        wanted = app_options(options, port)
        wanted["hosts"] += options.allow_host
        if options.memories:
            from amb_core import LongTermMemory

            wanted["memories"] = LongTermMemory(options.memories, actor="gateway")
        app = AMBProxy(options.upstream, folder=options.folder, store=options.store, token=token, **wanted)
        url = f"http://{f'[{options.host}]' if ':' in options.host else options.host}:{port}"
        address = app.folder / "address"
        address.write_text(url)
        if options.verbose:
            _log_requests()
        say(f"amb proxy: {url} (OpenAI clients: {url}/v1) -> {options.upstream}", file=sys.stderr)
        import uvicorn

        sys.setswitchinterval(_SWITCH_SECONDS)
        config: Any = uvicorn.Config(app, log_config=None, **QUIET)
        try:
            uvicorn.Server(config).run(sockets=[server_socket])
        finally:
            address.unlink(missing_ok=True)
    return 0


def _log_requests() -> None:
    """Write what AMB logs at level INFO to standard error: a line for each request, without what it says."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logger = logging.getLogger("amb")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; InvalidInput where it cannot."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"cannot serve on {host} port {port} ({reason}); name another --port") from None
