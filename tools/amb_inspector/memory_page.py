"""The page of a user's long-term memory, where a record can be edited and deleted; plain HTML without a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any
from urllib.parse import urlencode

from amb_inspector.memory_api import Operation

__all__ = ["api_page", "user_page"]

_WORDS = {
    "en": {
        "title": "Long-term memory",
        "users": "Users",
        "none": "Nothing is known of this user.",
        "nobody": "This memory is empty.",
        "edit": "Save",
        "delete": "Delete",
        "first": "The newest {} are shown.",
        "before": "Before: ",
        "token": "Every request needs the header x-amb-token.",
    },
    "zh": {
        "title": "长期记忆",
        "users": "用户",
        "none": "没有这位用户的记忆。",
        "nobody": "这里还没有记忆。",
        "edit": "保存",
        "delete": "删除",
        "first": "只显示最新的 {} 条。",
        "before": "此前：",
        "token": "每个请求都要带请求头 x-amb-token。",
    },
}
_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
textarea{width:100%;font:inherit;box-sizing:border-box}
article{border-top:1px solid #ccc;padding:.8rem 0}small{color:#555}code{background:#f2f2f2;padding:0 .2rem}
button{font:inherit;padding:.2rem .8rem;margin:.3rem .4rem 0 0}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}textarea{color:#ddd;background:#222}
code{background:#333}small{color:#aaa}}
"""


def user_page(
    root: str,
    asked: Mapping[str, str],
    *,
    users: Sequence[str],
    records: Sequence[Any] | None,
    most: int,
    language: str,
) -> str:
    """The page of the user that is `asked` for with his `records`, newest first; without one the users."""
    words, code = _words(language)
    if records is None:
        links = "".join(f'<li><a href="{_link(root, asked, user)}">{escape(user)}</a></li>' for user in users)
        return _html(
            words["title"], code, f"<h2>{words['users']}</h2><ul>{links}</ul>" if users else f"<p>{words['nobody']}</p>"
        )
    shown = "".join(_record(root, asked, record, words) for record in records) or f"<p>{words['none']}</p>"
    more = f"<p>{words['first'].format(most)}</p>" if len(records) == most else ""
    back = f'<p><a href="{_link(root, asked, None)}">{words["users"]}</a></p>'
    return _html(f"{words['title']}: {asked.get('user', '')}", code, f"{back}{more}{shown}")


def api_page(root: str, api: Sequence[Operation], *, language: str) -> str:
    """What can be asked over HTTP, as a page."""
    words, code = _words(language)
    rows = []
    for each in api:
        fields = {**each.query, **each.body}
        listed = "".join(f"<li><code>{escape(name)}</code> {escape(told)}</li>" for name, told in fields.items())
        rows.append(
            f"<article><code>{each.method} {root}{escape(each.path)}</code>"
            f"<p>{escape(each.told)}</p><ul>{listed}</ul></article>"
        )
    return _html(words["title"], code, f'<p>{words["token"]} <a href="openapi.json">OpenAPI</a></p>{"".join(rows)}')


def _words(language: str) -> tuple[dict[str, str], str]:
    code = "zh" if language.strip().lower().startswith("zh") else "en"
    return _WORDS[code], code


def _link(root: str, asked: Mapping[str, str], user: str | None) -> str:
    kept = {name: value for name, value in asked.items() if name != "user"} | ({} if user is None else {"user": user})
    return escape(f"{root}/page?{urlencode(kept)}")


def _record(root: str, asked: Mapping[str, str], record: Any, words: Mapping[str, str]) -> str:
    """One record: its text in a field to edit, with its date and place, and what it said before."""
    action = escape(f"{root}/page?{urlencode(asked)}")
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">'
        for name, value in (("id", record.id), ("namespace", record.namespace))
    )
    day = datetime.fromtimestamp(record.updated_at, tz=UTC).date().isoformat()
    before = f"<br>{words['before']}{escape(record.earlier)}" if record.earlier else ""
    rows = min(12, 1 + len(record.content) // 90)
    return (
        f'<article><form method="post" action="{action}">{hidden}'
        f'<textarea name="content" rows="{rows}">\n{escape(record.content)}</textarea>'
        f"<small>{day} · {escape(record.namespace)} · {escape(record.type.value)}{before}</small><br>"
        f'<button name="do" value="edit">{words["edit"]}</button>'
        f'<button name="do" value="delete">{words["delete"]}</button></form></article>'
    )


def _html(title: str, code: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="{code}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1>{body}</body></html>"
    )
