"""deep_retrieval with files: images as base64, code and documents as text, paged, from the bank's folder only."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from amb_core import Attachment, AttachmentType, MemoryBank, ToolResult
from amb_core.adapter import attachment_part
from amb_tools import deep_retrieval_tool

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[MemoryBank]:
    files = (
        (AttachmentType.IMAGE, "photo.png", PNG),
        (AttachmentType.CODE, "run.py", b"print('cycles')\n"),
        (AttachmentType.DOCUMENT, "notes.md", ("电池的循环寿命为6000次。\n" * 400).encode()),
    )
    for _, name, data in files:
        (tmp_path / name).write_bytes(data)
    attached = tuple(Attachment(id=name, type=kind, content=str(tmp_path / name)) for kind, name, _ in files)
    with MemoryBank("How long do the cells last?") as bank:
        bank.absorb(ToolResult(tool="open", output="The N-280 cell reaches 6,000 full cycles.", attachments=attached))
        for _, name, _ in files:  # the bank has its own copies
            (tmp_path / name).unlink()
        yield bank


def test_an_image_comes_as_base64_with_its_type_and_texts_as_text(bank: MemoryBank) -> None:
    image, code, document = deep_retrieval_tool(bank).run(node_id=f"[{bank.nodes[0].id}]").contents
    assert (image.media_type, base64.b64decode(image.file_content)) == ("image/png", PNG)
    part = attachment_part(image)
    assert part is not None
    assert part["image_url"]["url"].startswith("data:image/png;base64,")
    assert code.file_content == "print('cycles')\n"
    assert document.file_content.startswith("电池的循环寿命")


def test_long_documents_are_paged_and_files_come_with_the_first_page(bank: MemoryBank) -> None:
    tool, node_id = deep_retrieval_tool(bank), bank.nodes[0].id
    first, second = tool.run(node_id=node_id), tool.run(node_id=node_id, page=1)
    assert "6,000 full cycles" in first.text
    assert "(more: page=1)" in first.text
    assert second.text != first.text
    assert second.contents == ()


def test_an_id_that_is_not_there_names_those_that_look_alike(bank: MemoryBank) -> None:
    output = deep_retrieval_tool(bank).run(node_id="n11")
    assert output.is_error
    assert bank.nodes[0].id in output.text
