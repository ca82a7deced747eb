"""Words that carry no attribute of their own beside a certain kind of value, and words that then name one; as data.

English entries are frame tokens (`clauses.frame_token`), Chinese ones regular expressions.
"""

import re

__all__ = [
    "ANY_PHRASE",
    "ATTRIBUTION",
    "BY_UNIT",
    "FLIPPED",
    "FUNCTIONAL",
    "IMPLIED",
    "LIGHT",
    "MONEY",
    "PHRASES",
    "RATES",
    "SAYING",
    "SITES",
    "STATUS_MARKERS",
]

MONEY = frozenset("USD EUR GBP CNY JPY HKD CHF INR CAD AUD KRW RUB TWD".split())
# Words beside a value that say nothing about which attribute it is of.
LIGHT = frozenset(
    "list give given state show shown record note find found put stand reach come featur work run know leav make offer provid "
    "boast count now today still set get got take taken valu figur level equal measur about up full "
    "have compani itself own current such whole entir be can use record hit see seen describ known fiscal still longer "
    "dr mr mrs ms prof professor".split()
)
# Verbs of those who report what somebody else measured.
SAYING = frozenset(
    "said says say noted notes note reported reports report stated states state told tells tell wrote writes announced "
    "announces confirmed confirms added adds recalled recalls explained explains".split()
)
ATTRIBUTION = frozenset(
    "found find finds showed shows show shown revealed reveals said says noted notes reported reports stated states "
    "confirmed confirms indicates indicated announced recorded".split()
)
# What a word means beside a value of a certain kind ("" drops it). Units are those of slots.
_CAPACITY = {"shop": "@capacity", "room": "@capacity", "space": "@capacity", "fit": "@capacity", "carri": "@capacity"}
_ENERGY = {**_CAPACITY, "electr": "", "energi": "", "power": "", "batteri-capac": "@capacity"}
BY_UNIT: dict[str, dict[str, str]] = {
    "energy": _ENERGY,
    "power": {"electr": "", "power": "", "output": "@capacity", "generat": "@capacity", "produc": "@capacity"},
    "volume": {**_CAPACITY, "water": ""},
    "data": {**_CAPACITY, "upload": "", "file": ""},
    "count": {
        **_CAPACITY, "live": "@population", "member": "", "allow": "@limit", "permit": "@limit",
        "spectat": "", "guest": "", "headcount": "@staff",
    },
    "money": {
        "sale": "@revenue", "sell": "@price", "sold": "@price", "retail": "@price", "generat": "", "report": "",
        "earn": "", "post": "", "close": "", "worth": "", "charg": "@price", "fee": "@price", "book": "", "rrp": "@price",
    },
    "length": {
        "travel": "@range", "rang": "@range", "drive": "@range", "rise": "@height", "tower": "@height",
        "stretch": "@length", "span": "@length",
    },
    "area": {"cover": "@area", "extend": "@area", "occupi": "@area", "size": "@area", "spread": "@area"},
    "time": {"kept": "@kept", "keep": "@kept", "shop": "@kept", "retain": "@kept", "retent": "@kept"},
    "speed": {"@speed": "", "travel": "", "drive": "", "fast": "@max"},
    "mass": {
        "receiv": "@given", "given": "@given", "give": "@given", "administ": "@given", "got": "@given",
        "dose": "@dose", "dosag": "@dose",
    },
    "": {"top": "@max", "maximum": "@max", "max": "@max", "peak": "@max"},
    "°C": {"temperatur": "", "operat": "@operat"},
    "%": {"rate": "", "efficaci": "@effect", "effect": "@effect"},
    "day": {
        "@began": "@founded", "launch": "@founded", "start": "@founded", "@created": "@founded",
        "inaugur": "@opened", "commiss": "@opened", "traffic": "",
    },
    "name": {
        "headquart": "@based", "@based": "@based", "seat": "@based", "deploy": "@deployed", "host": "@deployed",
        "region": "@deployed", "design": "@designed", "architect": "@designed", "own": "@owned", "owner": "@owned",
        "belong": "@owned", "led": "", "lead": "", "head": "", "appoint": "", "run": "@deployed", "licens": "@licence", "licenc": "@licence",
        "ceo": "@ceo", "mayor": "@mayor", "implement": "@code", "server": "",
    },
}  # fmt: skip
# The attribute of a value beside which nothing else is said ("At 2.3 kg, …").
IMPLIED = {"mass": "@weight", "speed": "@max", "area": "@area"}
# Several words for one attribute: pattern over the clause's words, concept, the tokens it stands for.
PHRASES = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), concept, frozenset(tokens.split()))
    for pattern, concept, tokens in (
        (r"chief executive(?: officer)?", "@ceo", "chief execut offic"),
        (r"c[ao]mes? out", "@released", "came come"),
        (r"set up", "@founded", "set"),
        (r"dat(?:es?|ing) back", "@founded", "date back"),
        (r"home to", "@population", "home"),
        (r"members? of staff", "@staff", "member"),
        (r"rate limit(?:ed)?", "@limit", "rate limit"),
        (r"pass(?:ed|es) away", "@died", "pass away"),
        (r"managing director", "@managing director", "manag @directed +@directed"),
        (r"artistic director", "@artistic director", "artist @directed +@directed"),
        (r"native of", "@born", "nativ"),
        (r"open(?:s|ed)? (?:its|their) doors", "@opened", "@opened +@opened door"),
        (r"chair(?:ed by|(?:man|woman|person)? of the board)", "@chair", "chair chairman chairwoman chairperson board"),
        (r"net (?:profit|income|earnings)", "@net profit", "net profit incom earn"),
        (r"data cent(?:re|er)s?", "", "data centr center"),
        (r"(?:listens? on|default) port", "@port", "listen default port"),
        (r"(?:headquarters|seat) (?:of|from|in|at)", "@based", "@based run seat"),
    )
)
ANY_PHRASE = re.compile("|".join(pattern.pattern for pattern, _, _ in PHRASES), re.IGNORECASE)
RATES = re.compile(
    r"\b(?:(?:per|an?|each|every) (second|minute|hour|day|week|month|year)|(hour|week|month|year)ly|(dai)ly|[Aa](nnual)(?:ly)?)\b"
)
# Attributes that have one name at a time, and those whose name is a place.
SITES = frozenset("@located @based @born @died @deployed".split())
FUNCTIONAL = SITES | frozenset(
    "@ceo @mayor @chair @managing director @artistic director @designed @owned @licence @code @directed @written @composed "
    "@capital chairman chairwoman president captain editor princip governor chancellor coach currenc".split()
) | {"@managing director", "@artistic director"}  # fmt: skip
# Words that deny another word: token → (token, said or denied).
FLIPPED: dict[str, str] = {
    "disabl": "enabl", "ineffect": "effect", "unavail": "avail", "unsaf": "safe", "inact": "activ", "invalid": "valid",
    "illeg": "legal", "unsupport": "support", "incomplet": "complet", "close": "@opened", "shut": "@opened",
    "off": "on", "forbidden": "allow", "forbid": "allow", "prohibit": "allow", "ban": "allow", "unprofit": "profit",
    "uninhabit": "inhabit", "unsuccess": "success", "incompat": "compat", "toxic": "harmless", "optional": "mandatori",
    "vacant": "occupi", "extinct": "extant", "fail": "succeed",
}  # fmt: skip
STATUS_MARKERS = frozenset("longer now currently".split())
