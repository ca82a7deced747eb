"""Words by which manuscripts mark their chapters, and what publishers put around them."""

from __future__ import annotations

import re

__all__ = ["BACK", "CHAPTER", "CLOSING", "EDITION_END", "EDITION_START", "FRONT", "NUMBER_ONLY", "PART", "SPECIAL"]

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

CLOSING = re.compile(r"(?i:epilogue|coda)\b|尾声|终章|终曲|大结局|后日谈")
"""Of those the ones that end a book."""

FRONT = re.compile(
    r"^[ \t　#*_=]*(?:PREFACE|Preface|INTRODUCTION|Introduction|FOREWORD|Foreword|CONTENTS|Contents|TABLE OF CONTENTS|Table of Contents|LIST OF ILLUSTRATIONS|List of Illustrations|"
    r"ILLUSTRATIONS|DEDICATION|Dedication|TRANSCRIBER['’]S NOTES?|Transcriber['’]s Notes?|AUTHOR['’]S NOTE|ACKNOWLEDGE?MENTS|Acknowledge?ments|目录|目錄|目次|内容简介|作品简介|简介|前言|自序|序言|序|版权信息|出版说明|作者简介)[ \t　.:：*_=]*$",
    re.MULTILINE,
)
"""What stands before the story."""

BACK = re.compile(
    r"^[ \t　#*_=]*(?:FOOTNOTES?|Footnotes?|ENDNOTES|Endnotes|APPENDIX|Appendix|INDEX|Index|GLOSSARY|Glossary|TRANSCRIBER['’]S NOTES?|Transcriber['’]s Notes?|ABOUT THE AUTHOR|About the Author|"
    r"ADVERTISEMENTS?|NOTES|后记|後記|跋|附录|附錄|完本感言|作者的话|注释)[ \t　.:：*_=]*$",
    re.MULTILINE,
)
"""What stands behind it."""

NUMBER_ONLY = re.compile(
    rf"(?:\A|(?<=\n)[ \t　]*\n)[ \t　#*_]*(?P<number>\d{{1,4}}|[IVXLC]{{1,8}}|[一二三四五六七八九十百]{{1,5}}|(?i:{_WORDS})(?=[ \t.:*_]*$))(?P<dot>[.:、．]?)"
    r"(?:[ \t　—–\-]+(?P<title>[^\s\da-z][^\n]{0,80}?(?:\n[^\s][^\n]{0,60})?))?[ \t　*_]*(?=\n[ \t　]*\n|\Z)",
    re.MULTILINE,
)
"""A number behind a blank line, alone or with a title, which is a heading only in a row of such."""

EDITION_START = re.compile(
    r"^[^\n]{0,10}\*{3}\s*START OF (?:THE|THIS) [^\n]{1,40}E-?BOOK[^\n]*$|^\*END\*? ?THE SMALL PRINT[^\n]*$|^\s*[-—=*]{3,}[ \t　]*(?:正文开始|正文)[ \t　]*[-—=*]{3,}\s*$",
    re.MULTILINE,
)
EDITION_END = re.compile(
    r"^[^\n]{0,10}\*{3}\s*END OF (?:THE|THIS) [^\n]{1,40}E-?BOOK[^\n]*$|^End of (?:the )?Project Gutenberg[^\n]*$|^[ \t　]*[（(【]?(?:全书完|全文完|全书终|全文终|本书完|THE END|The End|FINIS|Finis)[）)】]?[.。]?[ \t　]*$",
    re.MULTILINE,
)
"""Lines between which a published edition has the text itself."""
