"""Files of attachments: where they live, what is read from them, and what is refused."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from amb_core.attachments import Attachment, AttachmentContent, AttachmentType
from amb_core.errors import ForbiddenPath, InvalidParameter, UnreadableSource
from amb_core.stores import AttachmentFiles

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(20))
PDF = (
    b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Count 1/Kids[3 0 R]>>\nendobj\n"
    b"3 0 obj\n<</Type/Page/Parent 2 0 R/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>\nendobj\n"
    b"4 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n"
    b"5 0 obj\n<</Length 47>>stream\nBT /F 12 Tf 72 700 Td (Cycle life: 4000.) Tj ET\nendstream\nendobj\n"
    b"trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF"
)


@pytest.fixture
def files(tmp_path: Path) -> AttachmentFiles:
    return AttachmentFiles(tmp_path / "kept", tmp_path / "temp", max_bytes=10_000)


def read(files: AttachmentFiles, path: Path | str, type: AttachmentType, media_type: str = "") -> AttachmentContent:
    return files.read(Attachment(id="a1", type=type, content=str(path), media_type=media_type))


def all_files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


# --- receiving and keeping --------------------------------------------------------------------------------------------


def test_a_received_file_waits_in_the_folder_of_its_insight_doc(files: AttachmentFiles, tmp_path: Path) -> None:
    source = tmp_path / "图 1.png"
    source.write_bytes(PNG)
    path = files.receive("doc1", source, AttachmentType.IMAGE)
    assert path == tmp_path / "temp" / "doc1" / "图_1.png"
    assert (path.read_bytes(), source.read_bytes()) == (PNG, PNG)


def test_equal_names_do_not_overwrite_each_other(files: AttachmentFiles, tmp_path: Path) -> None:
    first, second = (files.receive("doc1", data, AttachmentType.CODE, "a.py") for data in (b"one", b"two"))
    kept = [files.keep(first), files.keep(second)]
    assert files.keep(files.receive("doc1", b"three", AttachmentType.CODE, "a.py")) not in kept
    assert [path.read_bytes() for path in kept] == [b"one", b"two"]


def test_keeping_copies_the_file_and_keeping_again_changes_nothing(files: AttachmentFiles, tmp_path: Path) -> None:
    path = files.receive("doc1", PNG, AttachmentType.IMAGE)
    kept = files.keep(path)
    assert files.keep(kept) == kept == tmp_path / "kept" / "doc1" / "image"
    assert all_files(tmp_path) == ["kept/doc1/image", "temp/doc1/image"]


def test_discarding_deletes_what_one_insight_doc_still_waits_for(files: AttachmentFiles, tmp_path: Path) -> None:
    kept = files.receive("doc1", b"kept", AttachmentType.CODE, kept=True)
    files.receive("doc1", b"waiting", AttachmentType.CODE)
    files.receive("doc2", b"other", AttachmentType.CODE)
    files.discard("doc1")
    files.discard("doc1")
    assert all_files(tmp_path) == ["kept/doc1/code", "temp/doc2/code"]
    assert kept.read_bytes() == b"kept"


def test_removing_deletes_one_file_and_its_empty_folder(files: AttachmentFiles, tmp_path: Path) -> None:
    kept = files.keep(files.receive("doc1", b"x", AttachmentType.CODE))
    files.remove(kept)
    files.remove(kept)
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_source_that_cannot_be_read_leaves_nothing(files: AttachmentFiles, tmp_path: Path) -> None:
    large = tmp_path / "large.bin"
    large.write_bytes(b"x" * 10_001)
    os.mkfifo(tmp_path / "pipe")
    for source in (tmp_path / "missing", large, tmp_path / "pipe", tmp_path, "nul\0", b"x" * 10_001):
        with pytest.raises(UnreadableSource):
            files.receive("doc1", source, AttachmentType.DOCUMENT)
    assert not (tmp_path / "temp").exists()


def test_keeping_a_file_that_is_gone_says_so(files: AttachmentFiles, tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="receive it again"):
        files.keep(tmp_path / "temp" / "doc1" / "gone.png")


@pytest.mark.parametrize(
    "name", ["../../evil", "/etc/passwd", "..", ".bashrc", "a/b\\c", "x" * 500 + ".png", "\0\ud800"]
)
def test_a_name_never_leads_out_of_the_folder(files: AttachmentFiles, tmp_path: Path, name: str) -> None:
    path = files.receive("doc1", b"x", AttachmentType.CODE, name)
    assert path.parent == tmp_path / "temp" / "doc1"
    assert not path.name.startswith(".")
    assert path.read_bytes() == b"x"


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_code_and_text_documents_are_text(files: AttachmentFiles, encoding: str) -> None:
    text = "# 这是一个很重要的说明，我们在这里把所有的方法都写出来。\nprint('x')\n"
    path = files.receive("d", text.encode(encoding), AttachmentType.CODE, "a.py")
    for kind in (AttachmentType.CODE, AttachmentType.DOCUMENT):
        content = read(files, path, kind)
        assert (content.encoding, content.file_content) == ("text", text)
        assert content.media_type == "text/x-python"


def test_a_pdf_document_is_its_text(files: AttachmentFiles) -> None:
    content = read(files, files.receive("d", PDF, AttachmentType.DOCUMENT, "r.pdf"), AttachmentType.DOCUMENT)
    assert (content.file_content, content.encoding, content.media_type) == (
        "Cycle life: 4000.",
        "text",
        "application/pdf",
    )


@pytest.mark.parametrize("data", [b"%PDF-1.7 broken", b"PK\x03\x04\0\0", b"caf\xe9 \xff"])
def test_a_document_without_readable_text_is_base64(files: AttachmentFiles, data: bytes) -> None:
    content = read(files, files.receive("d", data, AttachmentType.DOCUMENT), AttachmentType.DOCUMENT)
    assert content.encoding == "base64"
    assert base64.b64decode(content.file_content) == data


def test_a_missing_or_too_large_file_gives_a_problem(files: AttachmentFiles, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "large").write_bytes(b"x" * 10_001)
    for name, reason in [("missing.png", "No such file"), ("large", "10,000 bytes")]:
        content = read(files, folder / name, AttachmentType.IMAGE)
        assert (content.file_content, reason in (content.problem or "")) == ("", True)


def test_a_relative_path_is_looked_up_in_storage(files: AttachmentFiles) -> None:
    files.keep(files.receive("doc1", b"print()", AttachmentType.CODE, "a.py"))
    assert read(files, "doc1/a.py", AttachmentType.CODE).file_content == "print()"


# --- paths outside ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/etc/passwd", "../outside.txt", "doc1/../../outside.txt", "", ".", "a\0b", "\ud800"])
def test_paths_outside_are_forbidden_for_everything(files: AttachmentFiles, tmp_path: Path, path: str) -> None:
    (tmp_path / "outside.txt").write_text("private")
    for use in (files.keep, files.remove, lambda path: read(files, path, AttachmentType.CODE)):
        with pytest.raises(ForbiddenPath):
            use(path)
    assert (tmp_path / "outside.txt").read_text() == "private"


def test_links_out_of_the_folders_are_forbidden(files: AttachmentFiles, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("private")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").symlink_to(tmp_path / "outside" / "secret.txt")
    (tmp_path / "kept" / "folder").symlink_to(tmp_path / "outside")
    (tmp_path / "kept" / "circle").symlink_to(tmp_path / "kept" / "circle")
    for path in ("file", "folder/secret.txt", "circle/x"):
        with pytest.raises(ForbiddenPath):
            read(files, path, AttachmentType.CODE)


def test_a_linked_temporary_folder_is_not_followed(files: AttachmentFiles, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "mine.txt").write_text("private")
    (tmp_path / "temp").mkdir()
    (tmp_path / "temp" / "doc1").symlink_to(tmp_path / "outside")
    with pytest.raises(ForbiddenPath):
        files.receive("doc1", b"x", AttachmentType.CODE)
    files.discard("doc1")
    assert all_files(tmp_path) == ["outside/mine.txt"]


@pytest.mark.parametrize("doc_id", ["", "..", "a/b", "a\\b", "a\0", "x" * 101])
def test_an_id_that_could_lead_elsewhere_is_forbidden(files: AttachmentFiles, doc_id: str) -> None:
    for use in (lambda: files.receive(doc_id, b"x", AttachmentType.CODE), lambda: files.discard(doc_id)):
        with pytest.raises(ForbiddenPath):
            use()


def test_folders_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="two folders"):
        AttachmentFiles(tmp_path, tmp_path)
    with pytest.raises(InvalidParameter, match="1 or more"):
        AttachmentFiles(tmp_path, tmp_path / "temp", max_bytes=0)
