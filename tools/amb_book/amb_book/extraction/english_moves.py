"""How English prose tells where somebody comes to, is, and leaves from."""

from __future__ import annotations

from amb_book.extraction.english_relations import ADV as _ADV
from amb_book.extraction.english_relations import HAVE as _HAVE

__all__ = ["INNER", "MOVES"]

_ASIDE = (
    r"(?:, (?:who|with|having|after|on|in|accompanied|followed|being|however|too|at|by|for|his|her)\b[^,;.]{0,60},)?"
)
"""What may stand between commas behind a subject."""
_WAY = (
    r"(?:(?:home|back|down|up|out|over|across|north|south|east|west|ashore|straight|safely|alone|together|"
    r"unharmed|inland|upriver|downriver|"
    r"by (?:boat|ship|night|sea|cart|barge)|on (?:foot|horseback|a [a-z]+(?: [a-z]+)?)|with <[a-z]\d+>(?: "
    r"and <[a-z]\d+>)*|at last|at (?:dusk|dawn|noon|midnight|nightfall)|"
    r"all the way|as far as|that (?:night|evening|day|morning)|in company with (?:the |his |her )?[\w<>]+|again|"
    r"in safety|soon|early|[a-z]+ly|most [a-z]+ly|only|just|late|at length|"
    r"in (?:a|the) (?:coach|carriage|chaise|boat|cab)|"
    r"on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?: (?:fortnight|week|morning|evening|night))?|"
    r"for (?:a|an|the|one|two|three|some|several|a few) [a-z]+|(?:a|one|two|three|some|several|a few) [a-z]+|"
    r"with (?:his|her|my|their|the) [a-z]+|(?:the|that) same (?:day|evening|night)|from <l\d+>|"
    r"in the (?:rain|snow|dark|morning|evening|night)|the next (?:day|morning)|the (?:river|road|coast),?)[ ,]+)*"
)
_WENT = (
    "came|come|comes|went|goes|gone|rode|rides|walked|walks|arrived|arrives|returned|returns|fled|flees|"
    "sailed|sails|marched|marches|travell?ed|travels|"
    "hurried|climbed|climbs|crept|ran|drove|rowed|limped|journeyed|escaped|moved|moves|got|landed|staggered|"
    "stumbled|made (?:his|her|their) way|crossed|slipped|withdrew|retired|repaired|proceeded|hastened|galloped|"
    "betook (?:himself|herself|themselves)|removed|alighted|disembarked|put up|stopped|halted|appeared|called|"
    "presented (?:himself|herself|themselves)|made (?:his|her|their) appearance|settled|dismounted|rushed|"
    "found (?:himself|herself|themselves)|"
    "took (?:up )?(?:his|her|their|a|an)? ?(?:abode|quarters|residence|lodgings?|house)|"
    "took (?:the|a) (?:[a-z]+ )?(?:train|bus|boat|ferry|plane|coach|cab|taxi|ship|carriage)|"
    "moved (?:back|out|in)|flew|cycled|hitchhiked|checked in"
)
_IS = (
    "was|were|is|are|stood|stands|sat|sits|lay|lies|waited|waits|lived|lives|remained|remains|stayed|stays|"
    "knelt|slept|works?|worked|camped|"
    "wintered|hid|hides|dwelt|dwells|served|serves|kept watch|keeps watch|rested|woke|awoke|knelt|paced|"
    "swept|met|gathered|wintering|took shelter|landed|resided|resides|dined|supped|breakfasted|lodged|"
    "spent (?:the|a|that|two|three|several|some|his|her|their) [\\w ]{1,30}|"
    "passed (?:the|a|that|two|three|several) [\\w ]{1,20}|(?:is|was|were|are) (?:now |still |again )?"
    "(?:staying|living|working|stationed|settled|quartered|established|lodged|seated|posted|born)"
)
_STAYING = (
    r"(?:(?:alone|still|waiting|working|sitting|standing|hiding|hidden|asleep|awake|now|kneeling|living|staying|"
    r"both|back|safe|with <[a-z]\d+>|imprisoned|held|besieged|lodged|camped) )*"
)
INNER = (
    r"(?:(?:the|a|an|its) (?:[a-z-]+ )?(?:gates?|walls?|harbour|docks?|landing|market|library|cellars?|dungeons?|"
    r"hall|halls|great hall|courtyard|tower|pantry|kitchens?|outskirts|edge|foot|top|heart|middle|streets|"
    r"ruins|yard|steps|stairs?|roof|crypt|shore|quay|square|chapel|throne room|camp) (?:of|at|in|under|"
    r"below|on) )?"
)
_LANDING = r"(?:the )?@o:L(?! (?:Road|Street|road|street|bridge|folk|men|people|king|market day))"


_WHERE = rf"(?:to|at|into|in|on|upon|aboard|inside|within|back to|up to|down to) {INNER}{_LANDING}"
MOVES: list[tuple[str, str, float]] = [
    (rf"@s:CS{_ASIDE} {_ADV}{_HAVE}{_ADV}(?:{_WENT}) {_WAY}{_WHERE}", "IS_AT s o", 0.8),
    (
        rf"@s:CS{_ASIDE} {_ADV}{_HAVE}{_ADV}(?:left|departed|started|sailed|set out|set off|set sail|embarked|"
        rf"went off|rode off|went away|was off|were off) {_WAY}for {_LANDING}",
        "IS_AT s o",
        0.8,
    ),
    (
        rf"\b(?:[Oo]n|[Uu]pon|[Aa]fter|[Hh]aving) (?:reaching|entering|reached|entered|(?:arriv(?:ing|ed)|"
        rf"return(?:ing|ed)) (?:at|in|to)) {INNER}{_LANDING},? @s:CS(?!['’])",
        "IS_AT s o",
        0.85,
    ),
    (rf"^Arrived (?:at|in) {INNER}{_LANDING}, @s:CS(?!['’])", "IS_AT s o", 0.85),
    (
        rf"@s:C['’]s? (?:sudden |safe |own |quick |late )?(?:arrival|return|appearance|stay) (?:at|in|to|into) "
        rf"{_LANDING}",
        "IS_AT s o",
        0.8,
    ),
    (rf"\b(?:arrival|return|appearance) of @s:CS (?:at|in|to|into) {_LANDING}", "IS_AT s o", 0.8),
    (
        rf"@s:CS{_ASIDE} {_ADV}{_HAVE}{_ADV}(?:reached|entered|reaches|enters|re-entered|boarded|boards) "
        rf"{INNER}{_LANDING}",
        "IS_AT s o",
        0.85,
    ),
    (
        rf"@s:CS{_ASIDE} {_ADV}(?:{_IS}) {_STAYING}{_WAY}(?:at|in|on|inside|aboard|within) {INNER}{_LANDING}",
        "IS_AT s o !now",
        0.8,
    ),
    (
        rf"\b(?:took|brought|carried|led|dragged|delivered|ferried|escorted|smuggled|brings|takes|leads|"
        rf"conducted|sent|drove|accompanied|followed|removed) "
        rf"@s:CS {_WAY}(?:to|into|aboard|home to|back to|ashore at) {INNER}{_LANDING}",
        "IS_AT s o",
        0.8,
    ),
    (rf"\bset @s:CS ashore (?:at|in|on) {INNER}{_LANDING}", "IS_AT s o", 0.8),
    (
        rf"@s:CS (?:was|were|is|are|had been|has been) (?:\w+ly )?(?:taken|brought|carried|led|dragged|"
        rf"moved|marched|delivered|chained|locked|thrown|imprisoned|held|kept|shut|hidden|buried "
        rf"alive) {_WAY}(?:to|into|in|at|inside|under|below|aboard) {INNER}{_LANDING}",
        "IS_AT s o",
        0.8,
    ),
    (
        rf"^(?:At|In|On|Inside|Aboard) {INNER}{_LANDING},? (?:[a-z]+ )?@s:CS (?:\w+ly )?(?!had\b|would\b|"
        rf"could\b)[a-z]+(?:ed|s|t|od|ept|ook|ave|ang|oke|ave|et|id|ore|ead)?\b",
        "IS_AT s o !now",
        0.7,
    ),
    (
        r"@s:CS (?:\w+ly )?(?:had |has )?(?:left|quitted|quit|fled from|fled|escaped from|departed from|"
        r"vanished from|disappeared from|sailed from|departed|leaves|escapes from|flees) "
        r"@o:L(?! (?:to|in|with|behind)\b)",
        "-IS_AT s o",
        0.6,
    ),
    (
        rf"@s:CS{_ASIDE} {_ADV}(?:lived|lives|dwelt|dwells|resided|resides|had lived|had (?:a|his|her) house|"
        rf"has (?:a|his|her) house|kept (?:a|an|the) (?:inn|shop|house|school|public-house|tavern|farm)) "
        rf"{_WAY}(?:at|in|near) {INNER}{_LANDING}",
        "LIVES_AT s o !now",
        0.8,
    ),
    (
        r"(?<![\w>] of )(?<![Tt]he )@s:C,? (?:of|from) @o:L(?=[,.;:!?)]|$| (?:was|is|had|has|came|went|said|who)\b)",
        "LIVES_AT s o",
        0.8,
    ),
    (
        r"@s:C['’]s (?:house|home|lodgings?|estate|residence|abode|cottage|farm) (?:at|in|near) @o:L",
        "LIVES_AT s o",
        0.8,
    ),
    (r"@s:C (?:has |had )?(?:vanished|disappeared) from (?:[a-z]+ ){0,2}@o:L", "-IS_AT s o", 0.7),
    (
        r"@s:L (?:lies|lay|is|stands|stood|rises|rose|sits|sat|is located|was built|is built|nestles) "
        r"(?:deep |high |far )?(?:in|on|at|inside|within|under|below|beneath|above|among) (?:the "
        r"(?:[a-z]+ )?(?:heart|middle|edge|foot|top|north|south|east|west|hills|mountains|coast|"
        r"ruins) of )?(?:the )?@o:L",
        "LOCATED_IN s o",
        0.8,
    ),
    (r"@s:L (?:of|in) @o:L", "LOCATED_IN s o", 0.65),
    (r"@s:L, (?:a|an|the) (?:\w+ ){1,3}(?:of|in|on|near) @o:L", "LOCATED_IN s o", 0.65),
]
