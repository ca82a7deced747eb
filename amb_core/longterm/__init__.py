"""Long-term memory, owned by the supervisor."""
