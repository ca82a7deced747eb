"""AMB, the Agentic Memory Bank."""

__all__: list[str] = []
