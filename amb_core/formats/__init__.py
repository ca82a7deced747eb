"""PDF and text in any encoding, read as plain text.

pdf_text.py      what a PDF says
text_decoder.py  bytes to text, and whether bytes are text at all
"""

__all__: list[str] = []
