"""A gateway between any client and its provider: memory by changing the base URL. Needs the extra `proxy`.

asgi_app.py        AMBProxy, the app; proxy_command.py: `amb proxy`; access.py: who may ask
relay.py           requests on their way out and replies on their way back; upstream.py: the provider
turns.py           one request through memory; bodies: what each API needs for that
conversations.py   which conversation a request belongs to; ledger.py: what it cost with and without
event_stream.py    server-sent events
"""

from amb_proxy.asgi_app import AMBProxy

__all__ = ["AMBProxy"]
