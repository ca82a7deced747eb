"""Test stories with planted errors, and how a consistency checker fares on them."""

__all__: list[str] = []
