"""Prose made up by rule for timing whole banks: names, figures, dates and topics, never twice the same sentence."""

from __future__ import annotations

import random

__all__ = ["page", "passage"]

_FIRST = "Anna Boris Clara David Elena Farid Greta Hugo Irene Jonas Karin Leon Maria Nadia Oscar Rosa Stefan".split()
_LAST = "Ander Berg Carl Dahl Eng Fors Grun Hall Isak Jans Kron Lind Mor Nor Olof Pet Ros Sand Tor Vik".split()
_ENDING = "son man berg sen qvist stad lund holm".split()
_PLACE = "Oak River Stone Wind Summer Winter North South East West Gold Silver Iron Copper Lake Hill".split()
_KIND = "plant bridge museum harbour library reactor railway theatre observatory brewery".split()
_DID = "opened measured repaired extended sold inspected described financed closed rebuilt".split()
_WHAT = "capacity length budget output weight staff collection traffic temperature debt".split()
_UNIT = "MWh metres euros tonnes visitors volumes trains litres employees degrees".split()


def _sentence(draw: random.Random, number: int) -> str:
    person = f"{draw.choice(_FIRST)} {draw.choice(_LAST)}{draw.choice(_ENDING)}"
    site = f"{draw.choice(_PLACE)}{draw.choice(_ENDING)} {draw.choice(_KIND)}"
    figure = f"{draw.randint(2, 999)},{draw.randint(100, 999)} {draw.choice(_UNIT)}"
    year = draw.randint(1850, 2024)
    forms = (
        f"In {year} {person} {draw.choice(_DID)} the {site} after a review of its {draw.choice(_WHAT)}.",
        f"The {site} reported a {draw.choice(_WHAT)} of {figure} for {year}.",
        f"{person}, who had worked at the {site} since {year}, put the {draw.choice(_WHAT)} at {figure}.",
        f"A {draw.choice(_WHAT)} of {figure} was expected by {person} when the {site} was planned (file {number}).",
    )
    return draw.choice(forms)


def passage(number: int) -> str:
    """About 250 characters: what one note is made of."""
    draw = random.Random(number)
    return " ".join(_sentence(draw, number) for _ in range(3))


def page(number: int) -> str:
    """About 1,000 characters in three paragraphs: what one tool call returns."""
    draw = random.Random(-1 - number)
    paragraphs = (" ".join(_sentence(draw, number) for _ in range(4)) for _ in range(3))
    return "\n\n".join(paragraphs)
