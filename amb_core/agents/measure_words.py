"""How quantities are measured, hedged and labelled, as data."""

import re

__all__ = [
    "APPROXIMATE",
    "APPROXIMATE_AFTER",
    "AT_LEAST",
    "AT_LEAST_AFTER",
    "AT_MOST",
    "AT_MOST_AFTER",
    "DIMENSIONS",
    "LABELS",
    "QUALITIES",
]

_MONEY = r"\s*(?:the |US)?[$€£¥￥]?\s?$"
APPROXIMATE = re.compile(
    rf"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca?\.|estimated(?: at"
    rf"| to be)?){_MONEY}"
    r"|[~≈]\s?$|(?:大约|约为|约有|约|近|将近|接近|几乎|大概|估计)\s?$)",
    re.IGNORECASE,
)
APPROXIMATE_AFTER = re.compile(r"\s?(?:左右|上下|or so)")
AT_LEAST = re.compile(
    r"(?:\b(?:more than|over|at least|above|exceed(?:s|ed|ing)?|in excess of|upwards of|no fewer than|minimum of)"
    rf"|超过|逾|多于|不少于|至少|高于|大于|突破){_MONEY}",
    re.IGNORECASE,
)
AT_LEAST_AFTER = re.compile(r"\s?(?:\+|or more|and more|plus\b|[多余]|以上)")
AT_MOST = re.compile(
    r"(?:\b(?:less than|fewer than|under|below|at most|up to|no more than|maximum of)"
    rf"|不足|不到|少于|低于|至多|最多|不超过|小于){_MONEY}",
    re.IGNORECASE,
)
AT_MOST_AFTER = re.compile(r"\s?(?:or less|or fewer|以下|以内)")
# A figure after one of these is a name: version 3, chapter 5.
LABELS = re.compile(
    r"\b(?:version|ver|v|chapter|section|part|page|figure|fig|table|step|no|number|nr|lines?|type|class|grade|level"
    r"|route|"
    r"highway|room|vol|volume|issue|episode|season|series|item|appendix|article|rule|act|phase|stage|model|mark|mk"
    r"|book|unit|"
    r"district|channel|area|python|pep|rfc|iso|size|round|game|week|day|lot|block|gate|track|question|problem|example"
    r"|note"
    r")\.?[\s:#-]?$",
    re.IGNORECASE,
)
# Units (names of `amb_core.text`) by what they measure, with their factor to the base unit.
DIMENSIONS: dict[str, dict[str, float]] = {
    "length": {
        "nm": 1e-9, "µm": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1, "km": 1e3,
        "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344, "nmi": 1852,
    },
    "area": {
        "cm2": 1e-4, "m2": 1, "km2": 1e6, "ha": 1e4, "acre": 4046.86, "mu": 666.667, "mi2": 2.59e6, "ft2": 0.092903,
    },
    "volume": {"mL": 1e-3, "dl": 0.1, "L": 1, "gal": 3.785, "m3": 1e3, "km3": 1e12},
    "mass": {"µg": 1e-9, "mg": 1e-6, "g": 1e-3, "kg": 1, "t": 1e3, "lb": 0.45359, "oz": 0.02835, "jin": 0.5},
    "time": {
        "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600,
        "day": 86400, "week": 604800, "month": 2629800, "year": 31557600, "decade": 315576000,
    },
    "power": {"mW": 1e-3, "W": 1, "kW": 1e3, "MW": 1e6, "GW": 1e9, "TW": 1e12},
    "energy": {"Wh": 1, "kWh": 1e3, "MWh": 1e6, "GWh": 1e9, "TWh": 1e12},
    "data": {
        "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15,
        "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "TiB": 1024**4,
    },
    "speed": {"km/h": 1, "mph": 1.609344, "m/s": 3.6},
    "voltage": {"mV": 1e-3, "V": 1, "kV": 1e3},
    "charge": {"mAh": 1e-3, "Ah": 1},
    "frequency": {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    "pressure": {"Pa": 1, "hPa": 100, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "bar": 1e5},
}  # fmt: skip
# Words after a measure that say what was measured, as tokens of a frame.
QUALITIES = {
    "tall": "@height", "high": "@height", "in height": "@height", "long": "@length", "in length": "@length",
    "wide": "@width", "in width": "@width", "deep": "@depth", "in depth": "@depth", "old": "@age",
    "in diameter": "diamet",
}  # fmt: skip
