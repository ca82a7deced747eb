"""Which files become documents, and what is said about the others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from amb_core.errors import UnreadableSource
from amb_tools.corpus import read_corpus

CHINESE = "北京是中华人民共和国的首都，也是全国的政治中心和文化中心。"
PDF = (
    b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Count 1/Kids[3 0 R]>>\nendobj\n"
    b"3 0 obj\n<</Type/Page/Parent 2 0 R/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>\nendobj\n"
    b"4 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n"
    b"5 0 obj\n<</Length 46>>stream\nBT /F 12 Tf 72 700 Td (From page one.) Tj ET   \nendstream\nendobj\n"
    b"trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF"
)


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read_with_reasons(folder: Path) -> tuple[list[str], dict[str, str]]:
    skipped: dict[str, str] = {}
    documents = read_corpus(
        folder, on_skip=lambda path, reason: skipped.update({path.relative_to(folder).as_posix(): reason})
    )
    return [document.name for document in documents], skipped


# --- one file ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "text", "encoding"),
    [
        ("a.txt", "Plain text.\n", "Plain text.\n", "utf-8"),
        ("笔记.md", f"# 题\n\n{CHINESE}", f"# 题\n\n{CHINESE}", "utf-8"),
        ("bom.txt", CHINESE.encode("utf-8-sig"), CHINESE, "utf-8 with BOM"),
        ("wide.txt", CHINESE.encode("utf-16"), CHINESE, "utf-16 with BOM"),
        ("gb.TXT", CHINESE.encode("gb18030"), CHINESE, "gb18030"),
        ("a.html", "<h1>T</h1><p>Text", "# T\n\nText", "utf-8"),
        ("b.htm", '<meta charset="big5"><p>臺北'.encode("big5"), "臺北", "big5"),
        ("a.pdf", PDF, "From page one.", "pdf"),
        ("notes.rst", "Any text file may be named itself.", "Any text file may be named itself.", "utf-8"),
        ("control.txt", "\u202eRTL </memory>\x0c", "\u202eRTL </memory>\x0c", "utf-8"),
    ],
)
def test_a_file_becomes_one_document(tmp_path: Path, name: str, content: str | bytes, text: str, encoding: str) -> None:
    path = write(tmp_path, name, content)
    (document,) = read_corpus(str(path))
    assert (document.name, document.path) == (name, path)
    assert (document.text, document.encoding) == (text, encoding)


def test_pipes_odd_names_and_large_files_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    large = write(tmp_path, "large.txt", "x" * 101)
    for path, reason in [(tmp_path / "pipe.txt", "no regular file"), ("a\0b", "no path"), ("\ud800", "no path")]:
        with pytest.raises(UnreadableSource, match=reason):
            read_corpus(path)
    with pytest.raises(UnreadableSource, match="over the limit of 100"):
        read_corpus(large, max_bytes=100)


# --- folders ----------------------------------------------------------------------------------------------------------


def test_unreadable_files_of_a_folder_are_skipped_with_the_reason(tmp_path: Path) -> None:
    bad = {"binary.txt": b"\0", "code.py": b"x = 1", "empty.txt": b"", "latin.txt": b"caf\xe9", "torn.pdf": b"%PDF-"}
    for name, content in (bad | {"good.txt": b"text"}).items():
        write(tmp_path, name, content)
    names, skipped = read_with_reasons(tmp_path)
    assert names == ["good.txt"]
    assert list(skipped) == sorted(bad)
    assert "none of .txt" in skipped["code.py"]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path, "outside/secret.txt", "private")
    inside = write(tmp_path, "corpus/a.txt", "text")
    (inside.parent / "file.txt").symlink_to(outside)
    (inside.parent / "folder").symlink_to(outside.parent)
    (inside.parent / "gone.txt").symlink_to(inside.parent / "missing.txt")
    (inside.parent / "same.txt").symlink_to(inside)
    names, skipped = read_with_reasons(inside.parent)
    assert names == ["a.txt", "same.txt"]
    assert sorted(skipped) == ["file.txt", "folder", "gone.txt"]


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "text")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self.txt").symlink_to(tmp_path / "self.txt")
    names, skipped = read_with_reasons(tmp_path)
    assert (names, sorted(skipped)) == (["a.txt"], ["loop", "self.txt"])


@pytest.mark.parametrize("files", [{}, {"a.py": b"x"}, {"a.txt": b""}, {".hidden.txt": b"x"}])
def test_a_folder_with_nothing_readable_is_refused(tmp_path: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        write(tmp_path, name, content)
    with pytest.raises(UnreadableSource, match="name another folder or a file"):
        read_corpus(tmp_path)
