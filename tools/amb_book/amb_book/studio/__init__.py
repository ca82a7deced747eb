"""AMB studio: a local page on which a book is written, over the book's memory and its desk.

app.py           create_app: pages and JSON routes; page_requests.py: how they are read
studio_guard.py  who may ask: this machine's own page and nobody else; refusals.py how it is said
desk_requests.py tasks, messages and settlements; book_requests.py: position, facts, plan, hooks, lore, checks
import_job.py    a manuscript taken in beside everything else
studio_server.py  serve: one address on 127.0.0.1
page/             the page: HTML, styles, scripts and words, nothing built and nothing from elsewhere
"""

from amb_book.checking import DraftChecker
from amb_book.studio.app import create_app
from amb_book.studio.studio_server import serve

__all__ = ["DraftChecker", "create_app", "serve"]
