"""How texts say what somebody or something is, and the words that tell places and organisations, as data."""

from __future__ import annotations

import re

from amb_core.text import name_key

__all__ = [
    "ADJECTIVAL",
    "ADJECTIVE",
    "COMPLEMENT",
    "CONTINENTS",
    "COUNTRIES",
    "NATIONALITY_HEADS",
    "NO_PERSON",
    "ORGANISATION",
    "PLACE_AFTER",
    "PROFESSION_HEADS",
    "PROVINCES",
]

COMPLEMENT = re.compile(
    r"\b(?:is|was|are|were) (?:an?|the)? ?(?P<value>[^,.;()\"“”]{2,90}?)"
    r"(?=[,.;()\"“”]|$| (?:who|that|which|from|in|at|on|by|of|for|known|best|born|based|located|noted|based|whose|with|played)\b)"
    r"|(?:，|是)(?P<chinese>[\u4e00-\u9fff]{1,6}国[\u4e00-\u9fff、]{0,16})(?=[，。])"
)
ADJECTIVAL = re.compile(r"(?:[a-z](?:an|ish|ese|ch|i|ek|ss|sh|ic|ern)|American|Dutch|Thai|TV|DVD|CD|US|U\.S\.|UK)$")
"""A lone name with such an end in front of a small word says where something is from: Indian film."""
ADJECTIVE = re.compile(
    r"(?:\d{4} )?(?:(?:former|retired|late|noted|renowned|famous|prominent|leading) )?"
    r"(?P<origin>[A-Z][a-z]{2,20}(?:[- ][A-Z][a-z]{2,20})?)\s+(?=[a-z])"
)
COUNTRIES = frozenset(
    name_key(name)
    for name in (
        "United States", "USA", "U.S.", "US", "America", "United Kingdom", "UK", "China", "India", "Canada", "Australia",
        "Germany", "France", "Italy", "Spain", "Japan", "Russia", "Brazil", "Mexico", "Netherlands", "Sweden", "Norway",
        "Poland", "Ireland", "Pakistan", "Indonesia", "Turkey", "South Africa", "中国", "美国", "英国", "日本", "法国", "德国",
    )
)  # fmt: skip
"""Where two places share one of these, they need not share anything smaller."""
CONTINENTS = frozenset(
    "africa|asia|europe|north america|south america|oceania|australia|antarctica|eurasia|americas".split("|")
)
NATIONALITY_HEADS = frozenset("nationality nationalities common citizenship origin 国籍".split())
PROFESSION_HEADS = frozenset("profession professions occupation occupations job career 职业".split())
ORGANISATION = re.compile(
    r"\b(?:University|College|School|Academy|Institute|Company|Corporation|Corp|Inc|Ltd|Records|Studios?|Party|Club|Band|Group|"
    r"Association|League|Orchestra|Agency|Network|Press|Bank|Airlines?|Church|Union|Society|Foundation|Council|F\.?C|Brands|"
    r"Entertainment|Pictures|Productions|Brewery|Team)\b|(?:公司|大学|学院|集团|俱乐部|乐队|球队|研究所|出版社|工作室|医院|电厂|中学)$"
)
PLACE_AFTER = re.compile(
    r"(?:\b(?:in|at|from|near|of|to)(?: the| nearby| downtown)? |, |位于|坐落于|生于|出生于|坐落在|主场设在|在)$"
)
PROVINCES = (
    "河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾"
    "|广西|内蒙古|宁夏|新疆|西藏"
)
"""The provinces of China, as part of a regular expression."""
NO_PERSON = re.compile(
    r"\b(?:Islands?|River|Lake|Mountains?|County|City|Street|Avenue|Road|Park|Bridge|Castle|Cathedral|Theatre|Theater|Museum|Hall"
    r"|Tower|Stadium|Festival|Awards?|Prize|Medal|Cup|Championships?|Conference|Division|Empire|Republic|Kingdom|Ocean|Sea|Bay"
    r"|War|Battle|Act|Army|Navy|Force|Ministry|Department|House|Parliament|Times|Magazine|Review|Journal|Television|TV|Radio"
    r"|Channel|Films?|Games?|Series|Season|Album|Symphony|Orchestra|Choir|Quartet|Trio|Novel|Book)\b"
)
"""Words that no person's name has."""
