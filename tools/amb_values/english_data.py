"""English words as data: calendar words, abbreviations and regions."""

import re

from amb_core.text.english_vocabulary import word_set

__all__ = ["ALWAYS_INSIDE", "ENDS_UNLESS_NUMBER", "MAY_END", "REGIONS", "is_date_like"]

_CALENDAR = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september",
    "october november december mon tue tues wed thu thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec am pm",
    "ad bc bce ce utc gmt est pst i ok q1 q2 q3 q4",
)
_BEFORE = word_set("the last next this early late mid every")
_PARTS = re.compile(r"[\s.,:/–-]+")


def is_date_like(name: str) -> bool:
    """True when `name` is made of nothing but months, weekdays, times and numbers."""
    dated = False
    for word in _PARTS.split(name.lower()):
        if word and word not in _BEFORE:
            if word not in _CALENDAR and not word.rstrip("stndrh").isdigit():
                return False
            dated = True
    return dated


_UNITED_STATES = """
    Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|
    Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|
    Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|
    Pennsylvania|Puerto Rico|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|
    West Virginia|Wisconsin|Wyoming
"""
_PROVINCES = """
    Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland|Nova Scotia|Ontario|Prince Edward Island|Quebec|
    Saskatchewan|Yukon|New South Wales|Queensland|South Australia|Tasmania|Victoria|Western Australia|Northern Territory|
    England|Scotland|Wales|Northern Ireland|Cornwall|Cumbria|Derbyshire|Devon|Dorset|Essex|Gloucestershire|Hampshire|
    Kent|Lancashire|Leicestershire|Lincolnshire|Norfolk|Northumberland|Nottinghamshire|Oxfordshire|Shropshire|Somerset|
    Staffordshire|Suffolk|Surrey|Sussex|Warwickshire|Wiltshire|Yorkshire|West Yorkshire|North Yorkshire|South Yorkshire|
    Bavaria|Saxony|Hesse|Catalonia|Andalusia|Lombardy|Tuscany|Sicily|Kerala|Punjab|Gujarat|Bihar|West Bengal|Maharashtra|
    Tamil Nadu|Karnataka|Rajasthan|Hokkaido|Guangdong|Sichuan|Zhejiang|Jiangsu|Shandong|Henan|Hubei|Hunan|Fujian|Yunnan
"""
_COUNTRIES = """
    Afghanistan|Albania|Algeria|Argentina|Armenia|Australia|Austria|Azerbaijan|Bangladesh|Belarus|Belgium|Bolivia|
    Botswana|Brazil|Bulgaria|Cambodia|Cameroon|Canada|Chile|China|Colombia|Croatia|Cuba|Cyprus|Denmark|Ecuador|Egypt|
    Estonia|Ethiopia|Finland|France|Germany|Ghana|Greece|Guatemala|Haiti|Honduras|Hong Kong|Hungary|Iceland|India|
    Indonesia|Iran|Iraq|Ireland|Israel|Italy|Jamaica|Japan|Jordan|Kazakhstan|Kenya|Kuwait|Laos|Latvia|Lebanon|Liberia|
    Libya|Lithuania|Luxembourg|Madagascar|Malaysia|Mali|Malta|Mexico|Moldova|Mongolia|Montenegro|Morocco|Mozambique|
    Myanmar|Namibia|Nepal|Netherlands|New Zealand|Nicaragua|Nigeria|North Korea|Norway|Oman|Pakistan|Palestine|Panama|
    Paraguay|Peru|Philippines|Poland|Portugal|Qatar|Romania|Russia|Rwanda|Saudi Arabia|Senegal|Serbia|Singapore|Slovakia|
    Slovenia|Somalia|South Africa|South Korea|Spain|Sri Lanka|Sudan|Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|
    Tunisia|Turkey|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States|Uruguay|Uzbekistan|Venezuela|Vietnam|
    Yemen|Zambia|Zimbabwe
"""

REGIONS: frozenset[str] = frozenset(
    name.strip() for block in (_UNITED_STATES, _PROVINCES, _COUNTRIES) for name in block.split("|")
)


ALWAYS_INSIDE = frozenset(
    word
    for line in (
        "dr mr mrs ms mx prof st mt ft gen col lt sgt capt cmdr adm maj pvt rev hon sen rep gov pres supt messrs",
        "mme mlle mons e.g i.e eg ie viz cf vs ca approx est resp incl excl esp lit op eds trans tr al ibid",
        "dept univ assn bros mss bldg ave blvd hwy rte",
    )
    for word in line.split()
)
"""Something always follows in the same sentence."""

ENDS_UNLESS_NUMBER = frozenset("no nos fig figs eq eqs sec secs art vol vols pp para chap ch p".split(" "))
"""An abbreviation only before a number: "No. 5" against "No. I did not."."""

MAY_END = frozenset(
    word
    for line in (
        "etc inc ltd co corp llc plc jr sr ph.d m.d b.a m.a b.sc m.sc d.c u.s u.k u.n u.s.a e.u a.m p.m pm b.c a.d bc esq",
        "seq sq cu oz hr hrs jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat v c",
    )
    for word in line.split()
)
"""Ends a sentence only when a new one clearly begins."""
