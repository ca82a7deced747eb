"""English words as data: stop words and irregular forms."""

__all__ = ["BASE_OF", "ENGLISH", "ENGLISH_STOP", "word_set"]


def word_set(*lines: str) -> frozenset[str]:
    """The words of white-space separated lines."""
    return frozenset(word for line in lines for word in line.split())


ENGLISH = word_set(
    "a about above after again against all also although always am among an and another any anyone anything are as at be",
    "because been before being below between both but by can cannot could did do does doing done down during each either",
    "else even ever every everyone everything few for from further get gets getting go goes going gone got had has have",
    "having he her here hers herself him himself his how however i if in into is it its itself just let like many may me",
    "might mine more most much must my myself neither no nor not now of off often on once one only onto or other others our",
    "ours ourselves out over own per perhaps quite rather really same shall she should since so some someone something still",
    "such than that the their theirs them themselves then there therefore these they this those though through thus to too",
    "toward towards under unless until up upon us very was we well were what whatever when where whether which while who",
    "whom whose why will with within without would yes yet you your yours yourself yourselves",
)
"""Words that carry no topic."""

ENGLISH_STOP = ENGLISH | word_set(
    "s t d ll m o re ve don doesn didn isn aren wasn weren hasn haven hadn wouldn couldn shouldn im ive id youre dont"
)
"""What the index leaves out: the function words and what is left of contractions."""


_FORMS = word_set(
    "arise-arose-arisen awake-awoke-awoken beat-beaten become-became begin-began-begun bend-bent bleed-bled blow-blew-blown",
    "break-broke-broken breed-bred bring-brought build-built burn-burnt buy-bought catch-caught choose-chose-chosen",
    "come-came creep-crept deal-dealt dig-dug draw-drew-drawn dream-dreamt drink-drank-drunk drive-drove-driven",
    "eat-ate-eaten fall-fell-fallen feed-fed feel-felt fight-fought find-found flee-fled fly-flew-flown",
    "forbid-forbade-forbidden forget-forgot-forgotten forgive-forgave-forgiven freeze-froze-frozen give-gave-given",
    "go-went-gone grow-grew-grown hang-hung hear-heard hide-hid-hidden hold-held keep-kept kneel-knelt know-knew-known",
    "lead-led lean-leant leap-leapt learn-learnt leave-left lend-lent light-lit lose-lost make-made mean-meant meet-met",
    "overcome-overcame overtake-overtook-overtaken pay-paid prove-proven ride-rode-ridden ring-rang-rung rise-risen run-ran",
    "say-said see-saw-seen seek-sought sell-sold send-sent sew-sewn shake-shook-shaken shine-shone shoot-shot show-shown",
    "shrink-shrank-shrunk sing-sang-sung sink-sank-sunk sit-sat slay-slew-slain sleep-slept slide-slid speak-spoke-spoken",
    "spend-spent spin-spun spring-sprang-sprung stand-stood steal-stole-stolen stick-stuck sting-stung strike-struck",
    "swear-swore-sworn sweep-swept swell-swollen swim-swam-swum swing-swung take-took-taken teach-taught tear-tore-torn",
    "tell-told think-thought throw-threw-thrown undergo-underwent-undergone understand-understood undertake-undertook-undertaken",
    "wake-woke-woken wear-wore-worn weave-wove-woven weep-wept win-won withdraw-withdrew-withdrawn withstand-withstood",
    "write-wrote-written",
    "child-children foot-feet tooth-teeth goose-geese mouse-mice man-men woman-women person-people wife-wives knife-knives",
    "shelf-shelves wolf-wolves half-halves calf-calves loaf-loaves thief-thieves ox-oxen crisis-crises thesis-theses",
    "hypothesis-hypotheses analysis-analyses phenomenon-phenomena criterion-criteria",
)
BASE_OF: dict[str, str] = {form: row.split("-")[0] for row in sorted(_FORMS) for form in row.split("-")[1:]}
"""The base of every irregular form that is no word of its own beside it ("rose", "ground", "wound" are left out)."""
