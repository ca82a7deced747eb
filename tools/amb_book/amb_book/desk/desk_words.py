"""The desk's own words, English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping

from amb_core.rendering import Language
from amb_core.text import detect_language
from amb_core.text.han_numbers import han_number

__all__ = ["WORDS", "Language", "chapter_in", "kind_of", "language_of", "say"]


WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "unknown_command": "There is no command /{word}. Known are: {known}. Begin with // to say a text with a slash.",
        "no_task": "No task is open here. Start one with /new TITLE, or go to one with /switch.",
        "unknown_task": "There is no task {wanted!r}. {known}",
        "known_tasks": "Known are: {titles}. A closed task is kept for {hours} hours.",
        "no_tasks": "There is none yet; start one with /new TITLE.",
        "ambiguous_task": "Several tasks are called {wanted!r}: {titles}. Say the number of one.",
        "title_needed": "Which task? Say its title or number, as in: /{command} outline the siege",
        "closed": "“{title}” was closed; /restart {number} takes it up again.",
        "settling": "“{title}” waits for what is proposed to be confirmed: /confirm settles it, /discard goes on.",
        "settled_elsewhere": "“{title}” has been settled already, with {count} statements for chapter {chapter}.",
        "discarded_elsewhere": "What was proposed for “{title}” has been discarded already; the task is open.",
        "busy": "“{title}” goes on in another window while it is read off; say /settle again when it is quiet there.",
        "nothing_proposed": "Nothing is proposed for “{title}”; say /settle first.",
        "no_proposal": "There is no proposal {wanted!r}; it was discarded or has expired.",
        "contradiction": "It contradicts what is settled for chapter {chapter}: {clash}. Change it, settle it for another "
        "chapter, or confirm that the new holds: /confirm replace.",
        "invalid": "It cannot be settled like this: {problem} Correct or drop what is named.",
        "changed": "It was corrected in another window meanwhile, and your last correction is not in it. See how it "
        "stands now, and correct that.",
        "bad_chapter": "{wanted!r} is no chapter; say /confirm 12, or /confirm alone for chapter {chapter}.",
        "model_failed": "The model brought no answer ({problem}). What you said is kept. What memory has:",
        "option_stands": "The model could not change it ({problem}). Option {number} stands as it was.",
        "read_without": "The model failed, so that not everything was read off; fill in the form: {problem}",
        "too_long": "The talk is too long to be read as a whole: turns {first} to {last} were read in part or not at all. "
        "See whether anything that was agreed there is missing.",
        "unquoted": "Statements of the model that are left out, for what they quote does not say so: {count}.",
        "withdrawn": "Taken back later in the talk, and not proposed: {told}",
        "none_taken": "No option was taken, so nothing of them is read off; say which, as in: I take option 2.",
        "late": "The task was settled or closed in another window meanwhile; this answer is no part of it.",
        "memory": "What the book's memory has on it, as of chapter {chapter}:",
        "memory_empty": "The book's memory has nothing on it yet.",
        "no_model": "I keep what you say in this task. To invent something new, the desk needs a chat model.",
        "task_open": "You are at “{title}” (task {number}, {turns} turns).",
        "task_closed": "“{title}” (task {number}) is closed; /restart {number} takes it up again.",
        "restarted": "“{title}” (task {number}) is taken up again, with what holds as of chapter {chapter}.",
        "earlier": "What was said so far:",
        "last": "Last said:",
        "proposal": "Proposed for chapter {chapter}, from all {turns} turns of “{title}”: {count} statements. "
        "Correct them, then /confirm, or /discard to go on.",
        "proposal_empty": "Nothing was written as a statement in “{title}”. Fill in what is settled in the form, or "
        "confirm to close the task without it.",
        "form": "Also named, to be filled in (what holds so far in brackets; what stays empty is not settled):",
        "new": "new in the book: {names}",
        "contradicts": "contradicts: {text}",
        "replaces": "takes the place of: {text}",
        "known": "settled already: {text}",
        "invalid_row": "cannot be settled: {text}",
        "settled": "Settled for chapter {chapter}: {count} statements. “{title}” is closed; it can be restarted for "
        "{hours} hours.",
        "text_kept": " Its text ({chars} characters) is in the archive as chapter {chapter}.",
        "text": "Its text, {chars} characters, goes to the archive as chapter {chapter}{there}: “{begin} … {end}”",
        "text_there": ", in the place of the {chars} characters there",
        "closed_empty": "“{title}” is closed; nothing was to be settled.",
        "discarded": "The proposal is discarded; “{title}” is open again.",
        "tasks": "Tasks:",
        "open": "open",
        "state_settling": "waits for /confirm",
        "state_closed": "closed",
        "here": " ← here",
        "help": "What you can say:",
    },
    "zh": {
        "unknown_command": "没有命令 /{word}。可用的有：{known}。如要输入以斜杠开头的文字，请以 // 开头。",
        "no_task": "当前没有打开的任务。用 [开始新任务：标题] 新建，或用 [切换至任务：标题] 切换。",
        "unknown_task": "没有任务“{wanted}”。{known}",
        "known_tasks": "现有：{titles}。已关闭的任务保留 {hours} 小时。",
        "no_tasks": "目前还没有任务；用 [开始新任务：标题] 新建。",
        "ambiguous_task": "有多个任务叫“{wanted}”：{titles}。请用编号指定。",
        "title_needed": "哪一个任务？请给出标题或编号，例如：[切换至任务：规划短期大纲]",
        "closed": "“{title}”已关闭；用 [重启任务：{number}] 可重新开始。",
        "settling": "“{title}”有待确认的提案：/confirm 确认结算，/discard 放弃并继续讨论。",
        "settled_elsewhere": "“{title}”已经结算：第 {chapter} 章，共 {count} 条。",
        "discarded_elsewhere": "“{title}”的提案已经放弃；任务处于打开状态。",
        "busy": "提取期间，“{title}”在另一个窗口中仍在继续；等那边停下后请再次结算。",
        "nothing_proposed": "“{title}”没有待确认的提案；请先结算。",
        "no_proposal": "没有提案“{wanted}”；它已被放弃或已过期。",
        "contradiction": "与第 {chapter} 章已结算的内容矛盾：{clash}。请修改、改到其他章节，或确认以新的为准：/confirm 取代。",
        "invalid": "无法这样结算：{problem} 请修改或删去所指出的内容。",
        "changed": "提案此时已在另一个窗口中修改，您最后的修改未计入。请看现在的提案，再作修改。",
        "bad_chapter": "“{wanted}”不是章节；请输入 /confirm 12，或仅 /confirm（第 {chapter} 章）。",
        "model_failed": "模型没有给出回答（{problem}）。您所说的已保留。记忆中有：",
        "option_stands": "模型未能修改（{problem}）。方案 {number} 保持原样。",
        "read_without": "模型未能完成，因此没有全部提取；请填写表单：{problem}",
        "too_long": "这段对话太长，无法全部读取：第 {first} 至 {last} 条只读了一部分或完全未读。请查看那里商定的内容是否有遗漏。",
        "unquoted": "模型的 {count} 条陈述未采用，因为所引的原文没有这样说。",
        "withdrawn": "在讨论中后来收回，未列入提案：{told}",
        "none_taken": "尚未选用任何方案，因此不从中提取；请说明选哪一个，例如：我选方案 2。",
        "late": "该任务此时已在另一个窗口结算或关闭；这个回答不属于它。",
        "memory": "本书记忆中与之相关的内容（截至第 {chapter} 章）：",
        "memory_empty": "本书记忆中尚无相关内容。",
        "no_model": "您所说的会保留在本任务中。要创作新内容，需要配置聊天模型。",
        "task_open": "当前任务：“{title}”（任务 {number}，{turns} 轮）。",
        "task_closed": "“{title}”（任务 {number}）已关闭；用 [重启任务：{number}] 可重新开始。",
        "restarted": "“{title}”（任务 {number}）已重启，依据截至第 {chapter} 章的事实。",
        "earlier": "此前讨论：",
        "last": "最近所说：",
        "proposal": "第 {chapter} 章的提案，依据“{title}”的全部 {turns} 轮讨论：共 {count} 条。请修改后 /confirm 确认，或 /discard 放弃并继续。",
        "proposal_empty": "“{title}”中没有写成条目的内容。请在表单中填写要结算的内容，或直接确认以关闭任务。",
        "form": "还提到了以下内容，请填写（括号里是目前成立的；空着的不结算）：",
        "new": "书中新出现：{names}",
        "contradicts": "矛盾：{text}",
        "replaces": "将取代：{text}",
        "known": "已经结算：{text}",
        "invalid_row": "无法结算：{text}",
        "settled": "已结算第 {chapter} 章：{count} 条。“{title}”已关闭，{hours} 小时内可重启。",
        "text_kept": "正文（{chars} 字）已存入原文库，为第 {chapter} 章。",
        "text": "正文共 {chars} 字，将作为第 {chapter} 章存入原文库{there}：“{begin}……{end}”",
        "text_there": "，取代其中已有的 {chars} 字",
        "closed_empty": "“{title}”已关闭；没有需要结算的内容。",
        "discarded": "提案已放弃；“{title}”重新打开。",
        "tasks": "任务：",
        "open": "进行中",
        "state_settling": "待确认",
        "state_closed": "已关闭",
        "here": " ← 当前",
        "help": "可以这样说：",
    },
}

# Of equal scores the first counts: an outline of chapter 50 is an outline.
_KINDS: dict[str, tuple[str, ...]] = {
    "outline": ("outline", "plot", "plan", "arc", "storyline", "大纲", "情节", "规划", "剧情", "故事线"),
    "chapter": ("chapter", "scene", "draft", "章节", "正文", "场景", "撰写", "续写"),
    "character": ("character", "villain", "hero", "heroine", "protagonist", "人物", "角色", "主角", "反派", "人设"),
    "hook": ("hook", "foreshadowing", "伏笔", "悬念"),
    "setting": ("setting", "world", "lore", "magic", "map", "设定", "世界观", "功法", "地图", "体系"),
}
_LATIN = re.compile(r"[a-z]+")
_CHAPTER = re.compile(
    r"(?<![a-z])(?:chapter\s+|ch(?:ap)?(?:\s+|\.\s*))(\d{1,5})(?![0-9a-z])"
    r"|第\s*([0-9０-９]{1,5}|[零〇一二三四五六七八九十百千两]{1,9})\s*[章回]",
    re.IGNORECASE,
)


def say(language: Language, key: str, **fields: object) -> str:
    """One of the desk's sentences."""
    return WORDS[language][key].format(**fields)


def kind_of(title: str) -> str:
    """A guess at what a task is about, from its title: outline, character, chapter, hook, setting or other."""
    words = set(_LATIN.findall(title.casefold()))
    if chapter_in(title) is not None and not any(word in title for word in ("大纲", "outline")):
        return "chapter"
    scores: Mapping[str, int] = {
        kind: sum((name in words) if name.isascii() else (name in title) for name in names)
        for kind, names in _KINDS.items()
    }
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] else "other"


def chapter_in(title: str) -> int | None:
    """The chapter a title names; None when it names none."""
    found = _CHAPTER.search(title)
    if found is None:
        return None
    told = found[1] or found[2]
    number = int(told) if told.isdigit() else int(han_number(told))
    return number or None


def language_of(text: str) -> Language:
    """The language an author writes in."""
    return detect_language(text)
