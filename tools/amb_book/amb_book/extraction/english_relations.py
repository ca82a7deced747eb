"""How English prose tells how people stand to each other, what they can do, and what they are called."""

from __future__ import annotations

__all__ = ["ADV", "HAVE", "KIN", "relation_rows"]

ADV = (
    r"(?:(?:\w+ly|then|now|soon|also|still|just|only|at last|at once|once more|again|already|both|all|never "
    r"again|finally|alone|together|later|that (?:night|day|morning|evening)) )*"
)
HAVE = r"(?:(?:has|have|had) )?"
KIN = {
    "brother": "SIBLING_OF s o",
    "sister": "SIBLING_OF s o",
    "twin": "SIBLING_OF s o",
    "twin brother": "SIBLING_OF s o",
    "twin sister": "SIBLING_OF s o",
    "husband": "MARRIED_TO s o",
    "wife": "MARRIED_TO s o",
    "son": "PARENT_OF s o",
    "daughter": "PARENT_OF s o",
    "child": "PARENT_OF s o",
    "father": "PARENT_OF o s",
    "mother": "PARENT_OF o s",
    "grandson": "GRANDPARENT_OF s o",
    "granddaughter": "GRANDPARENT_OF s o",
    "grandfather": "GRANDPARENT_OF o s",
    "grandmother": "GRANDPARENT_OF o s",
    "uncle": "UNCLE_OF o s",
    "aunt": "AUNT_OF o s",
    "cousin": "COUSIN_OF s o",
    "master": "STUDENT_OF s o",
    "teacher": "STUDENT_OF s o",
    "apprentice": "STUDENT_OF o s",
    "pupil": "STUDENT_OF o s",
    "student": "STUDENT_OF o s",
    "enemy": "ENEMY_OF s o",
    "sworn enemy": "ENEMY_OF s o",
    "ally": "ALLY_OF s o",
    "lover": "LOVES s o",
    "nephew": "NEPHEW_OF o s",
    "niece": "NIECE_OF o s",
    "brother-in-law": "BROTHER_IN_LAW_OF o s",
    "sister-in-law": "SISTER_IN_LAW_OF o s",
    "father-in-law": "FATHER_IN_LAW_OF o s",
    "mother-in-law": "MOTHER_IN_LAW_OF o s",
    "son-in-law": "SON_IN_LAW_OF o s",
    "friend": "FRIEND_OF o s",
    "companion": "FRIEND_OF o s",
    "servant": "SERVES o s",
    "lackey": "SERVES o s",
    "valet": "SERVES o s",
    "maid": "SERVES o s",
    "housekeeper": "SERVES o s",
    "stepmother": "PARENT_OF o s",
    "stepfather": "PARENT_OF o s",
    "guardian": "GUARDIAN_OF o s",
    "ward": "GUARDIAN_OF s o",
}
_HEAD = (
    r"(?:leader|head|chief|captain|commander|master|mistress|queen|king|lord|lady|abbot|abbess|general|matriarch|"
    r"patriarch|founder|headman|marshal|chieftain|grandmaster|head warden|regent|duke|duchess)"
)
_AGE = r"@n:(?:\d{1,3}|AGE)"


_PEOPLE: list[tuple[str, str, float]] = [
    (
        rf"@s:C (?:\w+ly )?(?:is|was|became|becomes|remains|had been made|was made|is made|was elected|"
        rf"is elected) (?:now )?(?:the |a |an )?(?:new |old |last |young |first |\w+th )?{_HEAD} of "
        rf"(?:the )?@o:G",
        "LEADS s o",
        0.85,
    ),
    (rf"@s:C, (?:the |a |an )?(?:new |old |last |young |first )?{_HEAD} of (?:the )?@o:G", "LEADS s o", 0.85),
    (
        r"@s:C (?:\w+ly )?(?:has |had |now |still )*(?:leads|led|commands|commanded|runs|ran|rules|ruled|heads|"
        r"headed|took command of|takes command of|founded|founds) (?:the )?@o:G",
        "LEADS s o",
        0.85,
    ),
    (rf"@o:G['’]s? (?:new |old )?{_HEAD},? @s:C", "LEADS s o", 0.8),
    (
        r"@s:CS (?:\w+ly )?(?:has |have |had )?(?:joined|joins|enlisted in|entered the service of|was "
        r"accepted into|were accepted into|is accepted into|becomes? a member of|became members? of|"
        r"swore loyalty to) (?:the )?@o:G",
        "MEMBER_OF s o",
        0.85,
    ),
    (
        r"@s:C(?:,| (?:is|was|became|becomes)) (?:a|an|the|one of the) (?:[a-z-]+ ){0,3}?(?:of|in|from) "
        r"(?:the )?(?P<o><g\d+>)",
        "MEMBER_OF s o",
        0.8,
    ),
    (r"@s:CS (?:belongs?|belonged) to (?:the )?@o:G", "MEMBER_OF s o", 0.85),
    (
        r"@s:CS (?:has |have |had )?(?:left|leaves|deserted|deserts|was expelled from|is expelled from|"
        r"were expelled from|quit|betrayed) (?:the )?@o:G",
        "-MEMBER_OF s o",
        0.7,
    ),
    (
        r"@s:C (?:\w+ly )?(?:has |had |was |is )?(?:\w+ly )?"
        r"(?:married|marries|wed|weds|married to) (?:to )?@o:C(?!['’])",
        "MARRIED_TO s o",
        0.88,
    ),
    (r"@s:C['’]s? (?:marriage|wedding) (?:with|to) @o:C(?!['’])", "MARRIED_TO s o", 0.7),
    (r"@s:C (?:had )?(?:became|made|took|was) (?:the )?(?:wife|husband) of @o:C(?!['’])", "MARRIED_TO s o", 0.85),
    (r"@s:C and @o:C (?:were|are|got|get|had been|have been) (?:\w+ly )?(?:married|wed)\b", "MARRIED_TO s o", 0.9),
    (r"\b(?:wedding|marriage) of @s:C and @o:C", "MARRIED_TO s o", 0.75),
    (
        r"@s:C (?:was|is|became|becomes) (?:betrothed|engaged|promised) to @o:C|@s2:C and @o2:C (?:were|"
        r"are|became|become) (?:betrothed|engaged)\b",
        "BETROTHED_TO s o",
        0.85,
    ),
    (
        r"@s:C and @o:C (?:were|are) (?:half-|twin )?(?:brothers|sisters|siblings|twins|brother and sister)\b",
        "SIBLING_OF s o",
        0.9,
    ),
    (
        r"@s:C and @o:C (?:were|are|became|become) (?:sworn |bitter |mortal |deadly )?enemies\b",
        "ENEMY_OF s o",
        0.85,
    ),
    (
        r"@s:C and @o:C (?:were|are|became|become) (?:close |sworn )?allies\b|@s2:C (?:allied|allies) "
        r"(?:himself |herself )?with @o2:C",
        "ALLY_OF s o",
        0.85,
    ),
    (
        r"@s:C (?:\w+ly )?(?:fell in love with|falls in love with|is in love with|was in love with|loves|"
        r"loved) @o:C(?!['’])",
        "LOVES s o",
        0.8,
    ),
    (r"@s:C (?:hates|hated|despises|despised|loathed|loathes) @o:C(?!['’])", "HATES s o", 0.8),
    (r"@s:C (?:has |had )?(?:betrayed|betrays) @o:C(?!['’])", "BETRAYED s o", 0.8),
    (
        r"@s:C (?:swore (?:fealty|allegiance|an oath|loyalty)|swears (?:fealty|allegiance|loyalty)) to "
        r"@o:C(?!['’])",
        "SWORE_TO s o",
        0.85,
    ),
]

_NAME = r"@o:A"
_ABILITIES: list[tuple[str, str, float]] = [
    (
        rf"@s:C {ADV}{HAVE}{ADV}(?:learnt|learned|mastered|learns|masters|acquired the art of|knows|"
        rf"possesses|could (?:now )?use|can (?:now )?use) (?:how to use |the art of |the technique of |the skill of |"
        rf"the spell |)?{_NAME}",
        "HAS_ABILITY s o",
        0.8,
    ),
    (
        rf"@t:C {ADV}{HAVE}{ADV}(?:taught|teaches) @s:C (?:how to use |the art of |the spell |)?{_NAME}",
        "HAS_ABILITY s o",
        0.8,
    ),
    (rf"@s:C (?:now )?(?:had|has) {_NAME}(?=[.,;!]|$)", "HAS_ABILITY s o", 0.75),
    (rf"@s:C (?:had|has) (?:lost|forgotten) {_NAME}", "-HAS_ABILITY s o", 0.7),
]

_PROPERTIES: list[tuple[str, str, float]] = [
    (
        rf"@s:C (?:is|was|turned|turns|had just turned|has just turned|will be|has turned|is now|was now|"
        rf"was just|is just|was only|is only|was not yet|was barely) {_AGE}(?= years old| years of "
        rf"age|[.,;:!]|$| and\b| but\b)(?! (?:years? (?:ago|before)|miles))",
        "HAS s age n",
        0.85,
    ),
    (rf"@s:C,? (?:aged|age) {_AGE}\b", "HAS s age n", 0.88),
    (rf"@s:C,? (?:a |an |the )?(?:[a-z]+ )?{_AGE}[- ]years?[- ]old\b", "HAS s age n", 0.85),
    (rf"{_AGE}-year-old @s:C", "HAS s age n", 0.88),
    (rf"@s:C, (?:who (?:is|was) )?{_AGE}(?=,| years)", "HAS s age n", 0.75),
    (rf"\b(?:At|at) {_AGE},? @s:C\b", "HAS s age n", 0.65),
    (
        r"@s:C(?:, who| (?:was|is|were|are))? (?:also |now |better )?(?:called|known as|nicknamed|styled|"
        r"surnamed|dubbed) (?:simply |only )?@n:(?:the [A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}|"
        r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2})",
        "ALIAS s n",
        0.75,
    ),
    (
        r"\b(?:[Tt]hey|[Pp]eople|[Mm]en|everyone|everybody|the [a-z]+|we|all) (?:all )?(?:calls?|called|"
        r"named|knew) @s:C (?:as )?@n:the [A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}",
        "ALIAS s n",
        0.75,
    ),
    (
        r"@s:C (?:\w+ly )?(?:is|was|became|becomes|works as|worked as|served as|was made) "
        r"(?:an? |the )?(?:(?:old|young|retired|former|master|travelling|wandering|"
        r"poor|skilled|famous|simple) )?@n:TRADE(?=[.,;!]|$| (?:of|from|by|in|at|who|and|with)\b)",
        "HAS s trade n",
        0.8,
    ),
    (
        r"(?<!, )(?<!and )@s:C, (?:an? |the )?(?:(?:old|young|retired|former|master|travelling|wandering|"
        r"poor|skilled|famous|simple) )?@n:TRADE(?=[.;!]|$|,(?! (?:<c|and\b|the\b))| (?:of|from|by|in|at|who|with)\b)",
        "HAS s trade n",
        0.8,
    ),
    (r"(?<!and )(?<!, )\b[Tt]he (?:old |young |good )?@n:TRADE(?=, <c), @s:C(?=;|,(?! <c| and))", "HAS s trade n", 0.8),
]


def _sure(word: str) -> float:
    """Friends are named in passing too often for whose they are to be sure."""
    return 0.7 if word in ("friend", "companion") else 0.85


def relation_rows() -> list[tuple[str, str, float]]:
    """Rows of pattern, what it says and how sure that is."""
    kin = [
        rule
        for word, says in KIN.items()
        for rule in (
            (
                rf"@s:C['’]s (?:own |elder |eldest |younger |youngest |only |little |big |twin |half-|late |"
                rf"dead |new )*{word} @o:C",
                says,
                _sure(word),
            ),
            (
                rf"(?<!>, )(?<!>,)@s:C['’]s (?:own |elder |eldest |younger |youngest |only |little |big |twin |"
                rf"half-|late |dead |new )*{word}, @o:C(?=[,.;])",
                says,
                _sure(word),
            ),
            (
                rf"@s:C['’]s (?:own |elder |eldest |younger |youngest |only |little |twin |half-|late )*{word} "
                rf"(?:is|was|is called|was called) @o:C",
                says,
                0.88,
            ),
            (
                rf"@o:C(?:, (?:a|an|the|now|aged)? ?(?!\w+ing\b)[a-z0-9-]+(?: [a-z]+)?)?,? @s:C['’]s (?:own |elder |"
                rf"eldest |younger |youngest |only |little |twin |half-|late )*{word}(?=[,.;:!?)]|$| and\b| who\b)",
                says,
                _sure(word),
            ),
            (
                rf"@o:C (?:is|was|became|becomes) @s:C['’]s (?:own |elder |eldest |younger |youngest |only |"
                rf"twin |half-|long-lost |real |true )*{word}\b(?!-)",
                says,
                0.9,
            ),
            (
                rf"@o:C (?:is|was|becomes|became) the (?:elder |eldest |younger |youngest |only |twin |real |"
                rf"true |long-lost )*{word} of @s:C",
                says,
                0.9,
            ),
            (rf"@o:C, (?:the |an? |)(?:elder |eldest |younger |youngest |only )*{word} (?:of|to) @s:C", says, 0.85),
        )
    ]
    return [*_PEOPLE, *kin, *_ABILITIES, *_PROPERTIES]
