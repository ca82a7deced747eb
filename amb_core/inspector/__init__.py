"""The inspector: one self-contained HTML page that shows a whole bank, its history and what was injected when."""

from amb_core.inspector.page import render_page, write_page

__all__ = ["render_page", "write_page"]
