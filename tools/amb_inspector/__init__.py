"""The inspector: HTML pages of a whole bank with its history, of a team's memory, and of what is known of a user."""

from amb_inspector.one_file import shared_script, shared_style
from amb_inspector.page import render_page, render_team_page, write_page, write_team_page

__all__ = ["render_page", "render_team_page", "shared_script", "shared_style", "write_page", "write_team_page"]
