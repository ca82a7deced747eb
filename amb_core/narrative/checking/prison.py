"""Whether a draft knows that somebody is held."""

from __future__ import annotations

import re

from amb_core.narrative.checking.scene import Scene

__all__ = ["in_prison"]

_CONFINED = {
    "en": re.compile(
        r"\b(?:cells?|prison\w*|dungeon|chain(?:s|ed)|shackle\w*|fetter\w*|manacle\w*|gaol\w*|jail\w*|"
        r"keyhole|behind bars|captiv\w*|under guard|guards?|escort\w*|sentr(?:y|ies)|pikemen|between two|"
        r"turnkey|warder|"
        r"his bonds|her bonds|iron door)\b"
    ),
    "zh": re.compile(r"牢|囚|狱|铁链|锁链|上锁|道锁|镣|栅|看守|押着|押解|绑着|枷|关着|关在|被擒|俘|捆|缚"),
}


def in_prison(scene: Scene, number: int, prison: str) -> bool:
    """Whether the draft, near a sentence, tells of the prison or of any."""
    paragraph = scene.draft.sentences[number].paragraph
    for other, sentence in enumerate(scene.draft.sentences):
        if abs(sentence.paragraph - paragraph) > 4:
            continue
        if _CONFINED[sentence.language].search(sentence.text):
            return True
        if any(
            prison in scene.known.around(each.name)
            for named in scene.names[other]
            for each in named.entities
            if each.kind == "location"
        ):
            return True
    return False
