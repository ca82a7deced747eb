"""`amb book` and `amb studio`.

book.py          ask a book's memory, check drafts, settle, talk; book_lines.py, book_words.py: what is printed;
                 book_place.py: the book that a command is about
book_talk.py     the desk in a terminal
studio.py        the local page
author_model.py  the model an author writes with
"""

__all__: list[str] = []
