"""A gateway between any client and its provider: memory by changing the base URL. Needs the extra `proxy`.

asgi_app.py        AMBProxy, the app, and who may ask; proxy_command.py: `amb proxy`; status.py: what it did
relay.py           requests on their way out and replies on their way back; upstream.py: the provider
listening.py       what is read of a reply; content_coding.py: unpacks it; open_files.py: how many requests fit
turns.py           one request through memory; inside_tool.py: `deep_retrieval`; bodies: what each API needs for both
conversations.py   which conversation a request belongs to; prefixes.py: how far it has come; clients.py: who asks
ledger.py          what each conversation cost with and without
gateway_store.py   where all this is kept: a file in the folder, or a tenant in PostgreSQL
event_stream.py    server-sent events
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_proxy.asgi_app import AMBProxy
    from amb_proxy.status import show_status

__all__ = ["AMBProxy", "show_status"]

__getattr__ = deferred(
    __name__,
    {"AMBProxy": "asgi_app", "show_status": "status"},
    needs="amb proxy",
    extra="proxy",
    modules=("httpx2", "starlette", "uvicorn"),
)
