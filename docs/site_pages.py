"""What the site asks of its pages: the two first ones are the READMEs, decisions are listed, Chinese pages say it."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File
from mkdocs.structure.nav import Navigation

__all__ = ["on_config", "on_files", "on_page_context", "on_post_build", "on_post_page", "on_post_template"]

FIRST_PAGES = {"README.md": ("index.md", ""), "README.zh.md": ("zh/index.md", "../")}
"""Each README, the page it is on the site, and the way from that page up to the docs."""
CHINESE = "中文"
"""The part of the way through the site that holds the Chinese pages, section by section."""
MOVED = {
    "concepts": "disputes",
    "contributing": "add-a-framework own-memory",
    "design-documents": "design-words",
    "durability": "delete-a-user",
    "gateway": "gateway-clients",
    "langgraph": "deepagents",
    "longterm": "longterm-records supervisor",
    "models": "react",
    "more-frameworks": "agent-framework google-adk strands",
    "narrative": "desk studio",
    "observing": "faults",
    "plain": "wire-forms",
    "running": "command-line tools",
    "scale": "performance",
    "security": "redaction users-apart",
    "settings": "releases",
    "start": "bound-a-prompt missing-fact",
    "team": "experience",
}
"""Pages of earlier versions, by the page that has them now: their addresses lead there."""
FETCHED = "https://unpkg.com/iframe-worker/shim"
"""What the theme would fetch to search in a page that was opened as a file; ours is in the site."""


def on_config(config: Any) -> Any:
    """Put every decision into the way through the site, so that none has to be listed twice."""
    pages = sorted(path.name for path in Path(config.docs_dir, "decisions").glob("[0-9]*.md"))
    for section in config.nav:
        if "Decisions" in section:
            section["Decisions"] = [f"decisions/{page}" for page in pages]
    return config


def on_files(files: Any, *, config: Any) -> Any:
    """Add the READMEs as first pages, their links turned to the site; what is not on it stays a name."""
    for readme, (page, up) in FIRST_PAGES.items():
        text = Path(config.docs_dir).with_name(readme).read_text(encoding="utf-8")
        for other, (target, _) in FIRST_PAGES.items():
            text = text.replace(f"]({other})", f"]({up}{target})")
        text = re.sub(r"\[([^]]+)\]\((?:examples|tools)/[^)]+\)", r"`\1`", text).replace("](docs/", f"]({up}")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_context(context: Any, *, page: Any, config: Any, nav: Any) -> Any:
    """Show a page the sections of its language and the words of the theme in it; lead to the same page in the other."""
    name = page.url.removeprefix("zh/")
    [chinese_pages] = [item for item in nav.items if item.title == CHINESE]
    english_pages = [item for item in nav.items if item is not chinese_pages]
    context["nav"] = Navigation(english_pages if name == page.url else chinese_pages.children, nav.pages)
    config.theme["language"] = "zh" if name != page.url else "en"
    chinese = Path(config.docs_dir, "zh", name).with_suffix(".md").is_file()
    config.extra["alternate"] = [
        {"name": "English", "link": name, "lang": "en"},
        {"name": "中文", "link": f"zh/{name}" if chinese else "zh/index.html", "lang": "zh"},
    ]
    return context


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Leave nothing on a page that has to be fetched."""
    ours = posixpath.relpath("assets/file_worker.js", posixpath.dirname(page.url) or ".")
    return output.replace(FETCHED, ours)


def on_post_template(output: str, *, template_name: str, config: Any) -> str:
    """The same for the page that is shown where there is none."""
    return output.replace(FETCHED, "assets/file_worker.js")


def on_post_build(*, config: Any) -> None:
    """Leave at the address of each page that is gone one that leads to where it is now."""
    for page, gone in MOVED.items():
        there = f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={page}.html">'
        there += f'<a href="{page}.html">{page}</a>\n'
        for name in gone.split():
            for folder in ("", "zh"):
                Path(config.site_dir, folder, f"{name}.html").write_text(there, encoding="utf-8")
