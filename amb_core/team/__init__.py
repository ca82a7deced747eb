"""Team memory: what one agent notes, what a team shares for a task, and what every later task learns from it."""

__all__: list[str] = []
