"""English words by which a draft says that somebody speaks or acts."""

from __future__ import annotations

__all__ = ["SPEECH", "STATIVE", "TITLES", "is_act", "is_act_now"]

SPEECH = (
    "said|asked|answered|replied|whispered|shouted|cried|called|muttered|murmured|told|growled|snapped|"
    "added|continued|"
    "began|agreed|admitted|insisted|repeated|sighed|hissed|barked|demanded|ordered|warned|promised|"
    "explained|declared|"
    "announced|remarked|observed|grunted|breathed|drawled|croaked|roared|spoke|laughed|begged|urged|"
    "objected|protested|"
    "commanded|returned|offered|suggested|wondered|confessed|swore|sang|rasped|mumbled|stammered|retorted|corrected|"
    "put in|broke in|went on|cut in|said again|says|asks|answers|replies|whispers|shouts|cries|calls|mutters|murmurs|"
    "tells|growls|snaps|adds|continues|agrees|insists|laughs|sighs|orders|warns|promises|explains|speaks"
)
"""Verbs that say who speaks."""

_NO_TITLE = (
    "With|To|For|From|Of|In|On|At|By|About|After|Before|Behind|Beside|Between|Like|Than|Near|Under|Over|Against|"
    "Towards?|"
    "Without|If|Unless|Had|Was|Is|Did|When|Not|Nor|Neither|That|What|Why|How|Who|Whom|Which|No|Unlike|Because|Since|"
    "Unto|"
    "Among|Around|Beyond|Through|Upon|Poor|Dead|Into|Above|Below|Despite|During|Has|Have|Were|Are|Would|Could|Should"
)
TITLES = rf"(?:(?:[Tt]he|[Oo]ld|[Pp]oor|[Yy]oung|[Dd]ear|[Ll]ittle|late|(?!(?:{_NO_TITLE})\b)[A-Z][a-z]+\.?)\s+){{0,3}}"
"""What may stand before a name that does not change whom it means."""

STATIVE = frozenset(
    "died perished remained seemed appeared deserved haunted belonged owned loved hated needed "
    "mattered weighed contained "
    "used wanted existed consisted resembled stayed rested rotted lasted meant lay hung was were had "
    "did been named called "
    "killed murdered buried hanged drowned executed slain dead missed mourned feared vanished "
    "disappeared bled lived left "
    "fell failed knew owed built founded invented wrote taught born involved concerned faded".split()
)
"""Past forms that say nothing of an act here and now: what the dead did once, what is done to them, how they are."""

_IRREGULAR = frozenset(
    "said spoke told took gave went came ran stood sat rose knelt leant leaned threw drew struck rode "
    "drove flew swam sang "
    "rang shook swept swung caught held kept put set laid bent bit blew broke brought bought chose "
    "clung crept cut dug "
    "drank ate fed felt fought found forgot forgave froze got ground grew heard hid hit hurt led let "
    "lent lit lost made met "
    "paid read rid saw sought sold sent shone shot showed shrank shut slid slept smelt spat spent spun "
    "split sprang stole "
    "stuck stank strode swore tore thought trod understood woke wore wove wept won wound wrung "
    "withdrew became began beat "
    "overheard undid flung fled cast burst hung-back lay-down slipped strung slung sank stung knew-better "
    "says speaks takes gives goes comes runs stands sits rises kneels leans throws draws strikes rides "
    "laughs smiles nods "
    "turns walks steps reaches opens closes lifts holds puts looks watches waits pours drinks eats "
    "enters shakes".split()
)
_NOT_NOW = frozenset(
    "was has his hers its this is ours always perhaps thus does goes-without themselves ourselves lies rests remains "
    "belongs owns means seems deserves exists consists resembles needs wants lacks costs weighs sometimes afterwards "
    "towards besides across toss less unless cross yes gas alas lies sleeps rots haunts lives towards upwards backwards "
    "forwards sideways upstairs downstairs indoors outdoors overseas nowadays perforce says writes".split()
)
_LIKE_PARTICIPLES = frozenset(
    "red bed need indeed seed hundred sacred naked wicked rugged bleed feed speed deed shed".split()
)


def is_act(word: str) -> bool:
    """Whether a word, right after the name of somebody, tells an act of theirs."""
    low = word.casefold()
    if low in STATIVE or low in _LIKE_PARTICIPLES:
        return False
    return low in _IRREGULAR or (low.endswith("ed") and len(low) > 4)


def is_act_now(word: str) -> bool:
    """Whether a word in -s, right after the name of somebody, tells what they are doing in a story told in the present."""
    return word not in _NOT_NOW and word not in STATIVE and not word.endswith(("ss", "us", "ous", "is"))
