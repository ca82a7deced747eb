"""Units of prose: sentences with the heading above them, turns of a dialogue, messages of a mail thread."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from amb_core.reading.passage_units import Break, Unit, name_at, shorten
from amb_core.text.text_spans import likely_speaker, plain_sentences

__all__ = ["find_fences", "find_mails", "read_prose"]

_HEADING = re.compile(r"(?P<marks>#{1,6})[ \t]+(?P<title>\S[^\n]*)|(?P<wiki>={2,5}) (?P<topic>[^\n]{1,100}?) ={2,5}$")
_UNDERLINED = re.compile(r"(?P<title>[^\n]{1,100})\n[ \t]*(?P<mark>=|-)(?P=mark){2,}[ \t]*$")
_FENCED = re.compile(r"^[ \t]*```[^\n]*\n(?:(?![ \t]*```)[^\n]*\n)*[ \t]*```", re.MULTILINE)
_SPEAKS = re.compile(r"[^\n:：]{1,80}[:：]")
_MARGIN = 4
"""A line that is further in is no turn of a talk."""
_QUOTED = re.compile(
    r"(?:On .{5,200} wrote|.{2,80}(?:写道|寫道)|-{3,} ?(?:Original Message|原始邮件|Forwarded message).{0,40})[:：]?"
)
_MAIL_FIELD = (
    r"(?:From|To|Cc|Bcc|Date|Sent|Subject|Reply-To|Message-ID|发件人|收件人|抄送|日期|发送时间|主题|寄件者|收件者|主旨)"
)
_MAIL = re.compile(rf"^(?:>\s?)*(?:\*?{_MAIL_FIELD}\*?[:：][^\n]*(?:\n(?:>\s?)*|\Z)){{2,12}}", re.MULTILINE)
_SENDER = re.compile(r"(?:From|发件人|寄件者)\*?[:：]\s*([^\n]*)")
_SUBJECT = re.compile(r"(?:Subject|主题|主旨)\*?[:：]\s*([^\n]*)")


def find_mails(text: str) -> list[tuple[int, str]]:
    """Where the messages of a mail thread begin, and who wrote each about what."""
    found = []
    for head in _MAIL.finditer(text):
        sender, subject = _SENDER.search(head.group()), _SUBJECT.search(head.group())
        if sender is not None:
            named = [shorten(one[1].strip(), most=60) for one in (sender, subject) if one is not None]
            found.append((head.start(), " · ".join(named)))
    return found


def find_fences(text: str) -> list[tuple[int, str]]:
    """Where what stands between fences begins, with a mark, and where it ends, with none."""
    edges = (
        (edge, mark) for found in _FENCED.finditer(text) for edge, mark in zip(found.span(), ("```", ""), strict=True)
    )
    return list(edges) if "```" in text else []


def read_prose(
    text: str, start: int, end: int, *, heading: list[tuple[int, str]], fences: Sequence[tuple[int, str]] = ()
) -> Iterator[Unit]:
    """The sentences of `text[start:end]`; `heading` holds the headings that stand above, and is kept up to date.

    Between `fences` nothing is a heading: a comment of a script only looks like one.
    """
    body = text[start:end]
    speaker, done = "", 0
    for left, right in plain_sentences(body):
        breaks = body.count("\n", done, left)
        said = body[left : min(right, left + 300)]
        before = Break.PARAGRAPH if breaks > 1 else Break.DEDENT if breaks else Break.LINE
        opens = breaks > 0 or not done
        done = right
        if opens and not name_at(fences, start + left) and (level := _enter_heading(said, heading)):
            before, speaker = (Break.HEAD if level < 3 else Break.BLANK), ""
        elif opens and _QUOTED.match(said):
            before, speaker = Break.HEAD, ""
        elif opens and left - body.rfind("\n", 0, left) <= _MARGIN and _SPEAKS.match(said):
            speaker, before = likely_speaker(said) or "", max(before, Break.BLANK)
        place = " > ".join(title for _, title in heading[-2:])
        if speaker and not (opens and said.startswith(speaker)):
            place = f"{place} {speaker}:".strip()
        yield Unit(start + left, start + right, place, before)


def _enter_heading(line: str, heading: list[tuple[int, str]]) -> int:
    """Take up a heading; its level, 0 when the line is none."""
    found = _HEADING.match(line)
    if found is not None:
        level = len(found["marks"] or found["wiki"])
        title = f"{found['marks'] or '#'} {found['title'] or found['topic']}"
    else:
        found = _UNDERLINED.match(line)
        if found is None:
            return 0
        level, title = 1 if found["mark"] == "=" else 2, f"# {found['title']}"
    while heading and heading[-1][0] >= level:
        heading.pop()
    heading.append((level, shorten(title)))
    return level
