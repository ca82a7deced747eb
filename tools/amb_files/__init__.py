"""The files of attachments, and PDF and text in any encoding, read as plain text.

attachment_files.py  the files of attachments, on the disk or in a database
pdf_text.py          what a PDF says
text_decoder.py      bytes to text, and whether bytes are text at all
"""

from amb_files.attachment_files import AttachmentFiles

__all__ = ["AttachmentFiles"]
