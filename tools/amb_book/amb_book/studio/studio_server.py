"""Serves the studio at one address of this machine, until it is interrupted."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn

from amb_core.errors import InvalidInput

__all__ = ["serve"]

_HERE = "127.0.0.1"
_log = logging.getLogger("amb.studio")


def serve(
    app: Any,
    *,
    port: int = 8775,
    ready: Callable[[str], None] = _log.info,
    ending: Callable[[], None] = lambda: None,
) -> None:
    """Serve at http://127.0.0.1:PORT/ and nowhere else; port 0 is any free one, and `ready` is told the address.

    `ending` is called when it is interrupted, before it waits for answers that are under way. InvalidInput when the
    port is taken.
    """
    with _listening(port) as listening:
        url = f"http://{_HERE}:{listening.getsockname()[1]}/"
        config = uvicorn.Config(
            app, log_level="warning", timeout_graceful_shutdown=2, server_header=False, proxy_headers=False, ws="none"
        )
        _Server(config, lambda: ready(url), ending).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says that it is ready when it has started, so that whoever is told may ask at once, and that it ends."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready, self._ending = ready, ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._ending()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((_HERE, port))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"cannot serve on {_HERE} port {port} ({reason}); name another --port") from None
