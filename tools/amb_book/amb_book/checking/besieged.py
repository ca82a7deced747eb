"""Places under siege whose gates stand open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.findings import Finding
from amb_book.checking.scene import Scene

__all__ = ["besieged", "gates_open"]

_GATE_OPEN = {
    "en": re.compile(
        r"\bgates? (?:stood|was|were|had been) (?:wide |thrown )?open|\b(?:rode|came|drove|rolled|walked|"
        r"strolled|rumbled|trotted) (?:\w+ )?(?:in|out) (?:through|by|at|of) the (?:\w+ )?gates?\b"
    ),
    "zh": re.compile(
        r"(?:城门|关门|四门|[东西南北]门)(?:大开|洞开|敞开|开着|大敞)|(?:商队|货郎|马车|车队|"
        r"客商)[^，。]{0,8}(?:进了?[城关]|出了?[城关])"
    ),
}
_SORTIE = {
    "en": re.compile(
        r"\b(?:herald|truce|sortie|sally|sneak\w*|crept|smuggl\w*|flag|night|secret\w*|lifted|relief|"
        r"relieved|surrender\w*|parley|enemy|storm\w*|broke)\b"
    ),
    "zh": re.compile(r"使者|突围|夜袭|偷|密道|解围|援军|内奸|攻破|投降|议和|敌|奸细|杀出|冲出"),
}


def gates_open(scene: Scene) -> Iterator[Finding]:
    """People come and go through the gates of a place under siege."""
    besieged = [each for each in scene.entities("location") if scene.known.state(each) == "besieged"]
    for number, sentence in enumerate(scene.draft.sentences if besieged else ()):
        told = sentence.told
        if not _GATE_OPEN[sentence.language].search(told) or _SORTIE[sentence.language].search(scene.draft.text):
            continue
        if scene.frames.unreal(number) or scene.frames.explained(number) or scene.frames.doubted(sentence):
            continue
        fact = scene.known.status(besieged[0])
        if fact is not None:
            yield scene.finding(
                "status",
                number,
                [besieged[0].name],
                (
                    f"{fact.subject} is {fact.object} since chapter {fact.since}; here its gates are open.",
                    f"{fact.subject}自第{fact.since}章起{fact.object}，这里却城门大开。",
                ),
                facts=[fact],
                confidence=0.55,
            )


def besieged(scene: Scene, place: str) -> bool:
    """Whether a place, or one it lies in, is under siege."""
    return any(
        scene.known.state(entity) == "besieged"
        for name in scene.known.around(place)
        for entity in scene.known.by_name.get(name, ())
    )
