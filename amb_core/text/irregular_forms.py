"""English forms that no stemmer leads back to their base ("bought", "children"), as data."""

from amb_core.text.stopwords import word_set

__all__ = ["BASE_OF"]

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
