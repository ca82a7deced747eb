"""How English prose tells facts: patterns over sentences in which names are marked."""

from __future__ import annotations

from functools import cache

from amb_book.extraction.english_moves import INNER as _INNER
from amb_book.extraction.english_moves import MOVES as _MOVES
from amb_book.extraction.english_relations import ADV as _ADV
from amb_book.extraction.english_relations import HAVE as _HAVE
from amb_book.extraction.english_relations import relation_rows
from amb_book.extraction.rules import Rule, compiled

__all__ = ["english_rules"]

_STOP = (
    "to|at|in|into|of|on|onto|from|with|without|for|by|and|or|but|as|when|while|that|which|who|whom|until|"
    "before|after|over|under|out|off|up|down|"
    "back|away|through|against|is|are|was|were|be|been|had|has|have|did|does|do|said|he|she|it|they|him|her|"
    "them|his|their|its|the|a|an|this|so|if|"
    "because|again|now|then|there|here|only|not|toward|towards|across|beside|behind|between|beneath|upon|than|once"
)
_WORD = rf"(?!(?:{_STOP})\b)[a-z][a-z'’-]+"
_ITEM = (
    rf"(?:<i\d+>|the (?:{_WORD} ){{1,2}}{_WORD}|(?:the )?[A-Z][a-z]{{2,}}(?: [A-Z][a-z]{{2,}}){{0,2}})(?! "
    rf"of\b)(?![\w'’<])"
)
_ABILITY = (
    r"(?:<a\d+>|the [A-Z][\w-]+(?: [A-Z][\w-]+){0,3}|(?!(?:The|He|She|His|Her|It|But|And)\b)[A-Z][a-z-]+ "
    r"(?:[A-Z][a-z-]+ )?(?:Strike|Step|Palm|Fist|Sword|Blade|Art|Technique|Spell|Style|Song|Stance|Method|"
    r"Hand|Kick|Breath|Form|Note|Charm))(?![\w'’])"
)
_DIED = (
    r"(?:died|dies|perished|perishes|drowned|drowns|starved to death|bled to death|bleeds to death|breathed "
    r"(?:his|her|their) last|fell dead|drops dead|dropped dead|was dead|were dead|is dead|are dead|lay "
    r"dead|lies dead|was no more|(?:had|has|have) been dead|was found dead|"
    r"(?:has |have |had )?passed away|expired|fell lifeless|"
    r"lost (?:his|her|their) li(?:fe|ves)|did not survive)"
)
_KILLED = (
    r"(?:killed|slain|murdered|executed|hanged|beheaded|assassinated|stabbed to death|poisoned to death|"
    r"burned alive|shot dead|put to death|drowned|strangled|cut down)"
)
_STATES: list[tuple[str, str, float]] = [
    (
        rf"@s:CS {_ADV}{_HAVE}{_ADV}{_DIED}(?! (?:to (?:me|us|him|her|the)|of (?:laughter|shame|boredom)|"
        rf"drunk|tired|weary|if))",
        "STATUS s dead",
        0.85,
    ),
    (rf"@s:CS, [^,.;<]{{1,60}}, {_ADV}{_DIED}", "STATUS s dead", 0.8),
    (rf"@s:CS {_ADV}(?:was|were|is|are|had been|has been|gets|got) {_ADV}{_KILLED}\b(?! by)", "STATUS s dead", 0.85),
    (
        rf"@o:CS {_ADV}(?:was|were|is|are|had been|has been|gets|got) {_ADV}{_KILLED} by @s:C",
        "STATUS o dead; KILLED s o",
        0.88,
    ),
    (
        rf"@s:C {_ADV}{_HAVE}{_ADV}(?:killed|kills|slew|slays|murdered|murders|executed|executes|"
        rf"beheaded|beheads|hanged|hangs|assassinated|assassinates|strangled|strangles|poisoned and "
        rf"killed|cut down|shot dead|stabbed to death|put to death|beat to death) "
        rf"(?:the (?:traitor|tyrant|old|false) )?@o:CS(?!['’])",
        "KILLED s o; STATUS o dead",
        0.85,
    ),
    (
        rf"@s:C {_ADV}{_HAVE}(?:shot|struck|stabbed|beat|clubbed|hacked|choked|trampled) @o:C (?:dead|to death)\b",
        "KILLED s o; STATUS o dead",
        0.85,
    ),
    (
        r"\b(?:[Tt]he|[Aa]) (?:[a-z]+ )?(?:fever|plague|fire|fall|blast|explosion|blow|"
        r"arrow|bullet|poison|illness|storm|"
        r"crash|wound|cold|flood|shot) (?:had |has )?(?:killed|kills) @s:CS(?!['’])",
        "STATUS s dead",
        0.85,
    ),
    (
        r"\b(?:[Aa]fter|[Ss]ince|[Aa]t|[Oo]n|[Oo]f|the news of) @s:C['’]s? (?:death|funeral|murder)\b",
        "STATUS s dead",
        0.8,
    ),
    (
        r"\b(?:[Aa]fter|[Ss]ince|news of|[Tt]he) (?:sudden )?(?:the )?(?:death|murder|funeral|burial) of @s:C(?!['’])",
        "STATUS s dead",
        0.8,
    ),
    (r"\b(?:the )?(?:death|murder|execution|funeral|burial) of @s:C(?!['’])", "STATUS s dead", 0.7),
    (r"\b(?:buried|bury|burying|mourned|mourns?) (?:the (?:old|dead) )?@s:C(?!['’])", "STATUS s dead", 0.75),
    (
        r"@s:CS(?:, [^.;<]{1,60},)? (?:was|were|had been|has been|is|are) buried\b(?! alive| under| in "
        r"(?:thought|work|snow|his|her))",
        "STATUS s dead",
        0.8,
    ),
    (r"\b(?:over|beside|across) @s:C['’]s (?:body|corpse|grave|bier|coffin)\b", "STATUS s dead", 0.75),
    (r"\b(?:the )?(?:body|corpse) of @s:C\b", "STATUS s dead", 0.7),
    (
        rf"@s:CS {_ADV}(?:was|were|is|are|had been|has been) (?:arrested and |caught and |seized and )?"
        rf"{_ADV}(?:imprisoned|jailed|thrown into (?:a "
        rf"|the |his |her )?(?:cells?|dungeons?|prison)|locked (?:up|in (?:a |the )?(?:cells?|"
        rf"dungeons?|tower)))",
        "STATUS s imprisoned",
        0.85,
    ),
    (
        rf"@s:CS (?:was|were|is|are|had been|has been) (?:\w+ly )?(?:chained|locked|thrown|imprisoned|"
        rf"held|shut up) (?:up )?(?:in|into|under|below) {_INNER}@o:L",
        "STATUS s imprisoned",
        0.75,
    ),
    (r"\b(?:imprisoned|jailed|imprisons|locked up) @s:CS(?!['’])", "STATUS s imprisoned", 0.8),
    (
        r"@s:CS (?:was|were|is|are|had been|has been) (?:captured|taken prisoner|taken captive)\b",
        "STATUS s captured",
        0.85,
    ),
    (r"\b(?:captured|took) @s:CS(?: prisoner| captive)\b", "STATUS s captured", 0.8),
    (r"@s:CS (?:was|were|is|are|had been|has been) (?:freed|set free|released)\b", "STATUS s free", 0.8),
    (r"\b(?:set|sets) @s:CS free\b|\b(?:freed|frees) @s2:CS(?!['’])", "STATUS s free", 0.8),
    (
        r"@s:C (?:has |had |have )?(?:vanished|disappeared|went missing|goes missing|vanishes|"
        r"disappears)(?! (?:into|behind|around|round|through|down|up|inside|under|among) (?:the|a|his|her))",
        "STATUS s missing",
        0.75,
    ),
    (r"@s:C (?:was|is|has been|had been|went) missing\b", "STATUS s missing", 0.8),
    (
        r"@s:C (?:lay|lies|fell|falls|was|is|remained|remains) (?:still )?(?:unconscious|senseless|"
        r"insensible|in a coma)\b(?! (?:and|of|to|that|how)\b)",
        "STATUS s unconscious",
        0.8,
    ),
    (
        r"@s:C (?:was|is|had been|has been) (?:badly |gravely |mortally |severely |seriously "
        r")?(?:wounded|injured)\b(?! in (?:his|her|their) (?!arm|leg|shoulder|side|head|hand|thigh|breast|foot|chest))",
        "STATUS s wounded",
        0.8,
    ),
    (
        r"@s:T (?:was|is|has been|had been|were) (?:utterly |completely )?(?:destroyed|shattered|burned "
        r"down|burnt down|burned to the ground|burnt to the ground|razed|smashed|melted down|sunk|wrecked)\b",
        "STATUS s destroyed",
        0.8,
    ),
    (
        r"\b(?:destroyed|shattered|razed|smashed|burned down|burnt down|melted down|destroys|shatters) "
        r"@s:T(?!['’])",
        "STATUS s destroyed",
        0.75,
    ),
    (
        r"@s:L (?:was|is|has been|had been) (?:besieged|under siege)\b|\b(?:laid siege to|lays siege to|"
        r"besieged|besieges) @s2:L",
        "STATUS s besieged",
        0.8,
    ),
]

_GAVE = (
    r"(?:gave|gives|given|handed|hands|passed|passes|bequeathed|bequeaths|entrusted|entrusts|sold|sells|left|"
    r"leaves|returned|returns|presented|presents|delivered|delivers|surrendered|surrenders)"
)
_TOOK = (
    r"(?:stole|steals|stolen|took|takes|taken|seized|seizes|bought|buys|won|wins|recovered|recovers|snatched|"
    r"inherited|inherits|received|receives|accepted|accepts|confiscated|obtained|obtains|acquired|"
    r"acquires|claimed|claims)"
)
_THINGS: list[tuple[str, str, float]] = [
    (rf"@s:C {_ADV}{_HAVE}{_ADV}{_GAVE} @t:C (?:back )?@o:I(?! (?:to|for)\b)", "OWNS t o", 0.85),
    (
        rf"@s:C {_ADV}{_HAVE}{_ADV}{_GAVE} @o:I (?:back |over )?(?:to|into the hands of) @t:C(?!['’]s (?!hands?\b))",
        "OWNS t o",
        0.85,
    ),
    (
        r"@s:C (?:\w+ly )?(?:put|puts|pressed|presses|laid|lays|placed|places) @o:I (?:in|into) "
        r"@t:C['’]s hands?\b",
        "OWNS t o",
        0.75,
    ),
    (
        rf"@t:C {_ADV}(?:was|is|had been|has been) (?:given|handed|left|entrusted with|bequeathed) @o:I",
        "OWNS t o",
        0.75,
    ),
    (
        rf"@s:C {_ADV}{_HAVE}{_ADV}{_TOOK} (?:back )?@o:I(?! (?:off|out|down|up|away)\b)(?=[,.;:!?]| "
        rf"(?:from|as|and|at|in|when|with)\b)",
        "OWNS s o",
        0.7,
    ),
    (
        r"@s:C (?:still |now |also |already )?(?:owns|owned|possesses|possessed|wields|wielded|carries|"
        r"keeps|inherited) @o:I",
        "OWNS s o",
        0.8,
    ),
    (
        r"@o:I (?:belongs|belonged|now belongs|passes|passed|was given|is given|was handed|was left|has "
        r"been given) (?:now )?to @s:C",
        "OWNS s o",
        0.85,
    ),
    (r"@o:I (?:is|was) (?:now )?(?:@s:C['’]s|in the (?:hands|possession) of @s2:C)(?= ?[.,;]|$)", "OWNS s o", 0.75),
    (
        r"@s:C['’]s (?:sword|blade|dagger|spear|bow|ship|horse|ring|staff|axe|knife|lute|amulet|"
        r"boat)(?:,| called| named) @o:I",
        "OWNS s o",
        0.8,
    ),
    (
        r"@s:C (?:has |had )?(?:lost|lose|loses|sold|sells|gave away|gives away|threw away|throws away) "
        r"@o:I(?! (?:back )?to\b)",
        "-OWNS s o",
        0.7,
    ),
]


@cache
def english_rules() -> tuple[Rule, ...]:
    """All patterns, the surest first."""
    rows = [*_MOVES, *_STATES, *_THINGS, *relation_rows()]
    return compiled(rows, item=_ITEM, ability=_ABILITY)
