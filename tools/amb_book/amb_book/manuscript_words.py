"""Words by which manuscripts mark their chapters."""

from __future__ import annotations

import re

__all__ = ["CHAPTER", "NUMBER_ONLY", "PART", "SPECIAL"]

_ROMAN = r"[IVXLCDM]{1,8}|[ivxlc]{1,7}"
_ONES = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_WORDS = rf"(?:the )?(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:{_ONES}|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))?|{_ONES}|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)"
_NUMBER = rf"(?:\d{{1,4}}|{_ROMAN}|{_WORDS})"
_HAN_NUMBER = r"[一二三四五六七八九十百千万零〇两兩廿卅\d０-９]{1,9}"
_TITLE = r"(?:[ \t]*[.:：—–\-\]]*[ \t]*(?P<title>[^\n]{0,80}?))?"
_REST = r"(?:[ \t　]*[:：、.·—\-]?[ \t　]*(?P<title>[^\n。！？]{0,40}))?"

CHAPTER = re.compile(
    rf"^[ \t#*_=]*(?:(?:CHAPTER|Chapter|STAVE|Stave|LETTER|Letter|CANTO|Canto|Chap\.|CHAP\.)[ \t]+(?:{_NUMBER}|(?i:{_NUMBER}))(?=[\s.:：—–\-\]*_]|$){_TITLE}[ \t.*_\]=]*$"
    rf"|[ \t　#*]*(?:正文[ \t　]*)?(?:[^\s。，《》]{{0,12}}[ \t　]+)?第[ \t　]*{_HAN_NUMBER}[ \t　]*[章回节節话話](?![^\s　:：、.·—\-]{{12,}}[，。]){_REST.replace('title', 'han')}[ \t　*]*$)",
    re.MULTILINE,
)
"""A heading of a chapter on a line of its own."""

PART = re.compile(
    rf"^[ \t#*_=]*(?:(?:PART|Part|BOOK|Book|VOLUME|Volume|VOL\.|Vol\.)[ \t]+(?:{_NUMBER}|(?i:{_NUMBER}))(?=[\s.:：—–\-*_]|$)(?:[ \t]*[.:：—–\-]*[ \t]*[^\n]{{0,60}}?)?[ \t.*_=]*$"
    rf"|[ \t　#*]*第[ \t　]*{_HAN_NUMBER}[ \t　]*[卷部篇集编編](?:[ \t　:：、.·—\-]+[^\n。！？]{{0,30}})?$)",
    re.MULTILINE,
)
"""A heading of what several chapters belong to."""

SPECIAL = re.compile(
    r"^[ \t　#*_=]*(?P<special>(?:PROLOGUE|Prologue|EPILOGUE|Epilogue|INTERLUDE|Interlude|CODA|Coda)\b[^\n.!?]{0,60}|(?:楔子|序章|序幕|引子|开篇|尾声|终章|终曲|大结局|番外|外传|间章|幕间|后日谈)(?:[\s　:：·之一二三四五六七八九十\d（(][^\n。！？]{0,30})?)[ \t　*_=]*$",
    re.MULTILINE,
)
"""Chapters without a number."""

NUMBER_ONLY = re.compile(
    rf"(?:\A|(?<=\n)[ \t　]*\n)[ \t　#*_]*(?P<number>\d{{1,4}}|[IVXLC]{{1,8}}|[一二三四五六七八九十百]{{1,5}}|(?i:{_WORDS})(?=[ \t.:*_]*$))(?P<dot>[.:、．]?)"
    r"(?:[ \t　—–\-]+(?P<title>[^\s\da-z][^\n]{0,80}?(?:\n[^\s][^\n]{0,60})?))?[ \t　*_]*(?=\n[ \t　]*\n|\Z)",
    re.MULTILINE,
)
"""A number behind a blank line, alone or with a title, which is a heading only in a row of such."""
