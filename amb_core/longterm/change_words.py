"""What a text says when it tells of a change, and the attributes that hold one value, English and Chinese, as data."""

from __future__ import annotations

import re

__all__ = ["CHANGED", "ENDED", "INSTEAD", "ONE_VALUED", "UNSURE"]

CHANGED = re.compile(
    r"\b(?:from (?:now|today|tomorrow|next \w+|\w+day) on(?:wards?)?|going forward|henceforth|starting (?:today|tomorrow|next \w+)"
    r"|as of (?:now|today|\w+)|no longer|any ?more|instead(?: of)?|rather than|these days|nowadays|now|correction|update|after all"
    r"|(?:has|have|was|were|been|just|recently|ve|'ve|’ve|i|we)? ?(?:moved|relocated|switched|changed|migrated|transferred|renamed"
    r"|replaced|promoted|rescheduled|postponed|upgraded|converted)(?: over)?|quit|gave up|given up|stopped|took over|left|joined"
    r"|started (?:at|as|working)|got (?:married|engaged|divorced|a new)|used to|new|became|become|switch|change|graduated)\b"
    r"|从[^，。]{1,8}?(?:起|开始)|以后|今后|不再|不(?=[^，。]{1,6}了)|戒(?:掉|了)"
    r"|改[成为用到在喝吃学做坐走叫]|换[成到了用]|搬[到去家了至]|调[到往至]|转[到为成]|跳槽|离职|入职|升[职任为]|晋升|更正|更新为|变[成为更]"
    r"|推迟|提前|代替|取代|替代|而不是|现在|如今|已经|新(?:的)?(?=手机|电话|号码|邮箱|地址|工作|公司|经理|主管|老板|车)|接替|接任|毕业|结婚了|离婚了",
    re.IGNORECASE,
)
ENDED = re.compile(r"\b(?:no longer|any ?more)\b|不再|戒(?:掉|了)|不(?=[^，。]{1,6}了)", re.IGNORECASE)
INSTEAD = re.compile(
    r"\b(?:instead of|rather than|replac(?:ed|es|ing)|in place of|from(?= [^,.;]{1,40}? to ))\s+(?P<en>[^,.;]{1,40}?)(?= to | with |[,.;]|$)"
    r"|(?:而不是|代替了?|取代了?|替代了?|不再[用喝吃坐]?)(?P<zh>[^，。；]{1,12})|[把从将](?P<of>[^，。；]{1,12}?)(?:改|换|转|搬|调|变|升)",
    re.IGNORECASE,
)

UNSURE = re.compile(
    r"\b(?:in|since|until) (?:19|20)\d\d\b|\bago\b|\bwhen (?:i|he|she) was\b|\b(?:also|too|as well|if|might|may|maybe|plans?|planning"
    r"|wants?|considering|used to|formerly|back then|almost|nearly)\b|\?\s*$|[12]\d{3}年|年前|小时候|也|还|可能|打算|计划|有意|考虑|希望|如果|想要?|以前|曾|差点|[？吗]",
    re.IGNORECASE,
)

ONE_VALUED = {
    "home": r"\b(?:liv(?:es?|ed|ing)|resid(?:es?|ed|ing)|based|settled)\b(?=[^,.;]{0,20}? in\b)|\bhome address\b|住[在到址]?|搬[到去]|定居|住址"
    r"|\b(?:moved|relocated)\b(?: back| away| over)?(?: from \S+)? to (?-i:[A-Z])(?!\w+ (?:team|department|group|division)|(?:ales|arketing|roduct|inance|R|T|egal)\b)",
    "employer": r"\bwork(?:s|ed|ing)? (?:at|for)\b|\bemployer\b|\bjob at\b|\bstarted (?:at|working (?:at|for))|在[^，。]{1,12}(?:工作|上班|任职|就职)|跳槽|入职",
    "role": r"\bwork(?:s|ed|ing)? as\b|\bpromoted to\b|\bjob title\b|\bmy (?:job|role|position) is\b|职位|岗位|职务|升[职任为]|晋升|担任",
    "phone": r"\b(?:phone|mobile|cell) number\b|\bmy (?:new )?number\b|手机号|电话号|电话是",
    "e-mail": r"\be-?mail(?: address)?(?: is|:)|\be-?mail address\b|邮箱|邮件地址",
    "manager": r"\b(?:manager|boss|supervisor|team lead)\b|经理|上司|老板|主管|领导|负责人",
    "partnership": r"\b(?:single|engaged|married|divorced|widowed)\b|单身|订婚|已婚|结婚|离婚|离异",
    "diet": r"\b(?:vegetarian|vegan|pescatarian|omnivore)\b|吃素|素食|吃荤|纯素",
    "car": r"\bdriv(?:es?|ing) (?:an?|my)\b|\bmy (?:new )?car is\b|开的?是|我的车",
    "school": r"\bstud(?:y|ies|ied|ying) (?:\w+ )?at\b|\bmajor\b|就读|专业",
    "favourite": r"\bfavou?rite (?P<en>\w+)|最喜欢的(?P<zh>[^，。是]{1,6}?)(?=现在|是|变|改|换)",
    "currency": r"\b(?:EUR|USD|GBP|CNY|JPY|CHF|euros?|dollars?|yuan)\b|欧元|美元|人民币|日元|英镑",
    "language": r"\bin (?:English|German|French|Spanish|Chinese|Japanese|Italian)\b|用(?:中文|英文|英语|德语|法语|日语)",
    "theme": r"\b(?:dark|light) (?:mode|theme)\b|[深浅暗亮]色(?:模式|主题)",
    "name": r"\bcall me\b|\bmy name is\b|\bi go by\b|叫我|称呼我|我叫|改名",
}
"""What somebody or something has one of at a time; the words before it say who."""
