"""Whether a result of a call brought something, and whether a text only stands for one that was there before."""

from __future__ import annotations

import re

from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import remembered

__all__ = [
    "acknowledges",
    "brought_value",
    "elides",
    "has_failed",
    "is_masked",
    "says_nothing_new",
    "stands_for",
    "without_masks",
]

_ERRORS = ("error:", "error ", "traceback", "错误：", "错误:")
_HEAD = 400
_FAILURE = lazy_pattern(
    r"\s*(?:[\w.]*(?:Error|Exception)\b|HTTP(?:/[\d.]+)?[ :]+(?:error )?[45]\d\d\b"
    r"|\{\s*[\"'](?:error|errors|错误)[\"']\s*:\s*(?!null\b|false\b|None\b|False\b|\[\s*\]|\{\s*\}|\"\"|'')\S)",
    re.IGNORECASE,
)
_NOTHING = lazy_pattern(r"\s*(?:null|none|undefined|nil|[\[\]{}()\"'\s—-]*)\s*", re.IGNORECASE)
_PLACEHOLDER = lazy_pattern(r"\s*(?:\[[^\]\n\[{}\"',:;=|\\/]*\s[^\]\n\[{}\"',:;=|\\/]*\]|<[^<>\n=/]*\s[^<>\n=/]*>)\s*")
"""Words in brackets and nothing else, as a host puts in place of a result."""

_WORD = 24
"""Characters that word of a call which was made has at most."""
_NOTICE = 240
"""Characters up to which a text may be word of what became of a call, and no result of it."""
_BEFORE = r"(?:last|previous|prior|earlier|before|first)"
_CALL = r"(?:tool|call|command|action|execution|operation|edit|permission|approval)"
_PERSON = r"(?:user|human|operator|reviewer|approver|admin)"
_REJECT = r"(?:reject|refus|declin|den(?:y|ied)|disallow|forbid|forbade|interrupt|(?:did|do|does)(?: not|n[’']t) want)"
_NOTICES = lazy_pattern(
    r"\b(?:"  # one for all: most places of a text are no beginning of a word
    # nothing new
    rf"(?:unchanged|unmodified|not (?:been )?(?:changed|modified)|n[’']t (?:been )?changed|no (?:new )?changes?"
    rf"|identical|same)\b.{{0,60}}\b(?:since|{_BEFORE})\b|(?:304 )?not modified\b"
    rf"|{_BEFORE} .{{0,40}}\bis still (?:current|valid)\b"
    # rejected
    rf"|{_PERSON}\b.{{0,40}}\b{_REJECT}|{_REJECT}\w*.{{0,30}}\bby (?:the |an? )?{_PERSON}\b"
    rf"|{_CALL}s?\b.{{0,40}}\b(?:{_REJECT}|cancel|abort)|(?:{_REJECT}|cancel|abort)\w* (?:the |this |that )?{_CALL}"
    rf"|(?:{_PERSON}|permission|approval)\b.{{0,24}}\bnot (?:granted|given|approved)\b|not permitted\b"
    # out of time
    r"|timed[ -]?out\b"
    r"|time[ -]?out\b(?=\W*(?:after|exceeded|expired|reached|error|while|waiting|occurred)|[.!]?\s*$)"
    r"|deadline exceeded\b|time limit (?:exceeded|reached)\b"
    # taken out of the transcript
    r"|(?:tool|old|previous|earlier)\b.{0,30}\b(?:result|output|content|response)s?\b.{0,30}"
    r"\b(?:omitted|cleared|removed|pruned|elided|compacted|evicted|dropped|trimmed)\b)"
)
_NOTICES_ZH = lazy_pattern(
    r"(?:上次|上一次|之前|先前|此前).{0,14}(?:未|没有|无|一致|相同|不变)|内容(?:未变|没有变化|无变化)"
    r"|(?:用户|人工|审批人?|操作员).{0,12}(?:拒绝|取消|中断|未批准|不允许|否决)"
    r"|(?:调用|操作|命令|执行|工具).{0,8}(?:被拒绝|被取消|被中断|已中止)|超时"
    r"|(?:旧|先前|之前|工具).{0,10}(?:结果|输出|内容).{0,10}(?:已清除|已省略|已删除|已清理|已移除)"
)
"""Word that a call was refused, took too long, or would bring what was read before."""
_DATA = lazy_pattern(r"^\s*[\[{<|]|\"\s*:|\|.*\||\t|^\s*[\w.-]+\s*[=:]\s*\S+(?: \S+)?\s*$", re.MULTILINE)
"""What tells data, of which a field may have such words for its value, from word about a call."""


def has_failed(output: str) -> bool:
    """Whether a result says by its first word that it is an error."""
    return output[:_HEAD].lstrip().lower().startswith(_ERRORS)


def brought_value(output: str) -> bool:
    """Whether a result is a state of what was asked for, and no error, nothing, notice, or placeholder for a result."""
    head = output[:_HEAD]
    return not (has_failed(head) or _FAILURE.match(head) or says_nothing_new(output))


def acknowledges(output: str) -> bool:
    """Whether a result says no more than that its call was made, as nothing, `null`, `ok` and `Saved.` do."""
    text = output.strip()
    is_short = len(text) <= _WORD and len(text.split()) <= 2 and not any(map(str.isdigit, text))
    return bool(_NOTHING.fullmatch(output)) or (is_short and not says_nothing_new(output))


@remembered(most=1_024, longest=_HEAD)
def says_nothing_new(output: str) -> bool:
    """Whether a result is empty, a placeholder, or word that its call was refused, timed out or has nothing new."""
    if len(output) > _HEAD:
        return False
    text = output.strip()
    if _NOTHING.fullmatch(output) or _PLACEHOLDER.fullmatch(output) or _is_notice(text):
        return True
    return bool(_BRACKETS.fullmatch(text) and (_ELIDES.search(text) or _REDACTS.search(text)))


def _is_notice(text: str) -> bool:
    if len(text) > _NOTICE or _DATA.search(text):
        return False
    return bool(_NOTICES.search(text.lower()) or (not text.isascii() and _NOTICES_ZH.search(text)))


# --- what a host puts in place of a text ------------------------------------------------------------------------------

_BRACKETS = lazy_pattern(r"[\[<(【（［〈][^\[\]<>()【】（）［］〈〉\n]{0,200}[\])>】）］〉]")
_DOTS = lazy_pattern(r"…+|\.{3,}|⋯+|-{3,}|_{3,}")
_ELIDES = lazy_pattern(
    r"truncat|omit|elid|elision|clipped|shorten|trimm|abridg|abbreviat|skipp|snip|left out|cut off|collapsed|clear"
    r"|prun|compact|evict|offload|persisted|(?:saved|stored|moved|kept) (?:to|in|at)|save (?:context|space|tokens)"
    r"|\d[\d,.]*\s*(?:more )?(?:lines?|chars?|characters?|tokens?|bytes|[kmg]b|items?|rows?|results?|words?)\b"
    r"|省略|截断|略去|从略|清除|清理|清空|裁剪|精简|压缩|未显示|其余|剩余|保存到|存入",
    re.IGNORECASE,
)
_REDACTS = lazy_pattern(
    r"redact|mask|anonym|pseudonym|saniti[sz]|censor|withheld|withdrawn|retract|confidential|sensitive|private|privacy"
    r"|secret|classified|\bpii\b|\bgdpr\b|delet|expung"
    r"|\bremoved?\b(?! (?:to save|to free|to fit|due to (?:length|size)))"
    r"|脱敏|匿名|隐去|隐藏|屏蔽|打码|涂黑|遮盖|隐私|敏感|机密|保密|删除|移除|撤回|撤销",
    re.IGNORECASE,
)
_LEAST_PIECE = 3
_MASK = lazy_pattern(r"[\[<{【〈［]{1,2}[^\[\]<>{}【】〈〉［］\n]{1,60}[\]>}】〉］]{1,2}")
_MASKED = lazy_pattern(r"\s{3,}|[*•●█▇■#_-]{2,}|\b[xX]{2,}\b|…+|\.{3,}")
"""What stands for what was masked, beside marks: these are blanks by then."""
_MASK_NAME = lazy_pattern(r"\W*[A-Z][A-Z\d_ :#-]{2,}\W*")
"""The name of what was masked, as in [EMAIL_1] or <PERSON>."""


def stands_for(text: str, before: str) -> bool:
    """Whether a text that stands in place of an earlier one leaves that as it was.

    It is the same, a part of it, parts of it with marks for what was left out, more than it, a placeholder, or word
    that nothing came. Anything else, and what says that something was taken out for good, is an edit.
    """
    new, old = text.strip(), before.strip()
    if new == old or old in new:
        return True
    if _REDACTS.search(_marks_in(new, old)):
        return False
    if new in old or not brought_value(new) or _is_placeholder(new):
        return True
    return _is_excerpt(new, old)


def elides(text: str) -> bool:
    """Whether a text says that it was cleared or shortened: it is a placeholder that says so, or has a mark for it."""
    found = [mark for mark in _BRACKETS.findall(text) if _ELIDES.search(mark)]
    return bool(found or _DOTS.search(text)) or (_is_placeholder(text.strip()) and bool(_ELIDES.search(text)))


def without_masks(text: str) -> str:
    """The text, of the same length, with blanks for marks of what was masked, such as [REDACTED] or <PERSON>."""

    def blank(mark: re.Match[str]) -> str:
        masked = _REDACTS.search(mark[0]) or _MASK_NAME.fullmatch(mark[0])
        return " " * len(mark[0]) if masked else mark[0]

    return _MASK.sub(blank, text)


def is_masked(text: str, before: str) -> bool:
    """Whether a text is an earlier one in which parts were masked, by marks, stars or rows of x, and nothing else."""
    at = 0
    for piece in filter(None, map(str.strip, _MASKED.split(without_masks(text)))):
        found = before.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return at > 0


def _is_placeholder(text: str) -> bool:
    """Whether a text is one mark and nothing else: something in brackets, or a short line that says what was done."""
    bare = text.strip("*_`# \n")
    if _BRACKETS.fullmatch(bare) or _DOTS.fullmatch(bare):
        return True
    return "\n" not in bare and len(bare) <= _NOTICE and bool(_ELIDES.search(bare)) and not _DATA.search(bare)


def _marks_in(new: str, old: str) -> str:
    """What of a short text, or in the brackets of a long one, was not there before."""
    if len(new) <= _NOTICE and new not in old:
        return new
    return "\n".join(found for found in _BRACKETS.findall(new) if found not in old)


def _is_excerpt(new: str, old: str) -> bool:
    """Whether stretches of the old text follow one another with a mark wherever something is left out."""
    pieces, at = _pieces(new, old), 0
    if len(pieces) < 2 or len(new) >= len(old):
        return False
    for piece in pieces:
        found = old.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return any(len(piece) >= _LEAST_PIECE for piece in pieces)


def _pieces(new: str, old: str) -> list[str]:
    """A text divided at marks for what was left out: dots, and brackets and lines that say so and are not old."""
    marks = [found.span() for found in _DOTS.finditer(new)]
    marks += [found.span() for found in _BRACKETS.finditer(new) if _ELIDES.search(found[0]) and found[0] not in old]
    marks += [
        found.span()
        for found in re.finditer(r"[^\n]+", new)
        if len(found[0]) <= _NOTICE and _ELIDES.search(found[0]) and found[0].strip() not in old
    ]
    pieces, end = list[str](), 0
    for start, stop in sorted(marks):
        pieces.append(new[end : max(start, end)].strip())
        end = max(stop, end)
    return [*pieces, new[end:].strip()]
