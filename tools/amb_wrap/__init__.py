"""A client of a provider whose calls have a memory.

wrapped_client.py  wrap and unwrap
request_forms.py   the requests of the APIs of providers
unnamed_talks.py   the conversations that come by one client and name nobody, kept apart
"""

from amb_wrap.wrapped_client import unwrap, wrap

__all__ = ["unwrap", "wrap"]
