"""Units of measure and currencies under one name each; case counts: MW is not mW."""

import re
from collections.abc import Iterable

from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["UNIT_SYMBOLS", "unit_after", "unit_before"]

_SYMBOLS = """
    km m cm mm nm µm ft yd mi kg g mg µg t lb lbs oz L l mL ml dl
    s ms µs ns min h hr W kW MW GW TW mW Wh kWh MWh GWh TWh V kV mV A mA mAh Ah Hz kHz MHz GHz THz
    J kJ MJ GJ kcal cal eV N kN Pa hPa kPa MPa GPa bar psi K mol dB Ω ppm ppb rpm px dpi fps
    B KB kB MB GB TB PB KiB MiB GiB TiB bit kbit Mbit Gbit kbps Mbps Gbps MB/s GB/s
    ha km/h kmh kph mph m/s km² m² cm² km2 m2 km³ m³ m3 cm³ °C °F ℃ ℉ ° % ‰ USD EUR GBP CNY RMB JPY HKD CHF INR BTC ETH
"""
_SAME = {
    "lbs": "lb",
    "l": "L",
    "ml": "mL",
    "hr": "h",
    "kB": "KB",
    "kmh": "km/h",
    "kph": "km/h",
    "km²": "km2",
    "m²": "m2",
    "cm²": "cm2",
    "m³": "m3",
    "cm³": "cm3",
    "km³": "km3",
    "℃": "°C",
    "℉": "°F",
    "RMB": "CNY",
}
_WORDS = {
    "km": "kilometers kilometres kilometer kilometre 公里 千米", "m": "meters metres meter metre 米",
    "cm": "centimeters centimetres centimeter centimetre 厘米 公分", "mm": "millimeters millimetres millimeter millimetre 毫米",
    "nm": "nanometers nanometres 纳米", "ft": "feet foot 英尺", "in": "inches inch 英寸", "yd": "yards yard 码",
    "mi": "miles mile 英里", "nmi": "海里", "kg": "kilograms kilogram kilos kilo kgs 公斤 千克", "g": "grams gram 克",
    "mg": "milligrams milligram 毫克", "t": "tonnes tonne tons ton 吨 公吨", "lb": "pounds pound 磅", "oz": "ounces ounce 盎司",
    "jin": "斤", "L": "liters litres liter litre 升 公升", "mL": "milliliters millilitres 毫升", "gal": "gallons gallon 加仑",
    "s": "seconds second secs sec 秒 秒钟", "ms": "milliseconds millisecond 毫秒", "min": "minutes minute mins 分钟",
    "h": "hours hour hrs 小时 个小时", "day": "days day 天", "week": "weeks week 周 星期 个星期", "month": "months month 个月",
    "year": "years year yrs yr 年 岁 周岁", "decade": "decades decade", "century": "centuries",
    "W": "watts watt 瓦 瓦特", "kW": "kilowatts kilowatt 千瓦", "MW": "megawatts megawatt 兆瓦", "GW": "gigawatts gigawatt 吉瓦",
    "kWh": "度电 千瓦时", "MWh": "兆瓦时", "GWh": "吉瓦时", "V": "volts volt 伏 伏特", "A": "amperes amps 安培", "Hz": "hertz 赫兹", "MHz": "兆赫", "GHz": "吉赫",
    "Pa": "帕", "MPa": "兆帕", "%": "percent 个百分比", "pp": "个百分点 百分点",
    "km2": "平方公里 平方千米", "m2": "平方米 平方公尺", "ha": "hectares hectare 公顷", "acre": "acres acre 英亩", "mu": "亩",
    "m3": "立方米", "km/h": "公里/小时 公里每小时 千米/小时", "m/s": "米/秒 米每秒", "mph": "英里/小时", "°C": "摄氏度 度C", "°F": "华氏度",
    "USD": "dollars dollar 美元 美金", "cent": "cents cent", "EUR": "euros euro 欧元", "GBP": "英镑", "CNY": "yuan renminbi 元 元人民币 人民币 块钱",
    "JPY": "yen 日元 日圆 円", "HKD": "港元 港币", "TWD": "新台币 台币", "KRW": "won 韩元", "INR": "rupees rupee 卢比", "RUB": "rubles roubles 卢布",
    "CHF": "francs 瑞士法郎", "KB": "kilobytes", "MB": "megabytes megabyte 兆字节", "GB": "gigabytes gigabyte", "TB": "terabytes terabyte",
    "bit": "bits 比特", "B": "bytes 字节", "x": "times 倍", "dB": "decibels 分贝", "mol": "摩尔", "K": "kelvin kelvins 开尔文", "°": "degrees degree 度",
}  # fmt: skip
_PHRASES = {
    r"square (?:kilometers|kilometres|km)": "km2", r"square (?:meters|metres|m)": "m2", r"square (?:miles|mi)": "mi2",
    r"square (?:feet|foot)|sq\.? ft": "ft2", r"cubic (?:meters|metres)": "m3", r"cubic feet": "ft3",
    r"(?:kilometers|kilometres|km) (?:per|an) hour": "km/h", r"miles (?:per|an) hour": "mph", r"(?:meters|metres) per second": "m/s",
    r"percentage points?": "pp", r"per ?cent": "%", r"nautical miles?": "nmi", r"degrees? (?:celsius|centigrade)": "°C",
    r"degrees? fahrenheit": "°F", r"(?:us|u\.s\.|american) dollars?": "USD", r"(?:hong kong) dollars?": "HKD",
    r"(?:canadian) dollars?": "CAD", r"(?:australian) dollars?": "AUD", r"pounds sterling": "GBP", r"kilowatt[- ]hours?": "kWh",
    r"megawatt[- ]hours?": "MWh", r"gigawatt[- ]hours?": "GWh", r"light[- ]years?": "ly", r"horsepower": "hp",
}  # fmt: skip
_CURRENCY = {
    "US$": "USD", "HK$": "HKD", "NT$": "TWD", "A$": "AUD", "C$": "CAD", "R$": "BRL", "$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY",
    "₹": "INR", "₩": "KRW", "₽": "RUB", "USD": "USD", "EUR": "EUR", "GBP": "GBP", "CNY": "CNY", "RMB": "CNY", "JPY": "JPY", "HKD": "HKD",
}  # fmt: skip

_BY_SYMBOL = {symbol: _SAME.get(symbol, symbol) for symbol in _SYMBOLS.split()}
UNIT_SYMBOLS = frozenset(_BY_SYMBOL)
_BY_WORD = {word: unit for unit, words in _WORDS.items() for word in words.split()}


def _either(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_LATIN = {word: unit for word, unit in _BY_WORD.items() if word.isascii()}
_HAN = {word: unit for word, unit in _BY_WORD.items() if not word.isascii()}
_LONGEST_HAN = max(map(len, _HAN))
_LETTERS = lazy_pattern(r"[A-Za-zµΩ°℃℉%‰][A-Za-zµ²³/]*(?:[23](?![\w.]))?")
_SIGN = lazy_pattern(_either(_CURRENCY))
_PHRASE_UNITS = [(lazy_pattern(rf"(?:{pattern})\b", re.IGNORECASE), unit) for pattern, unit in _PHRASES.items()]
_PHRASE_STARTS = frozenset(
    "square sq cubic kilometers kilometres km miles meters metres percentage per nautical degrees degree us u american hong "
    "canadian australian pounds kilowatt megawatt gigawatt light horsepower".split(" ")
)
_NO_UNIT = lazy_pattern(r"[ \u00a0](?:A|in|K|V|N|J|B|L|s|h|t) [a-z]|[ \u00a0-]in\b(?!\.)")


def unit_after(text: str, end: int) -> tuple[str, int, int] | None:
    """The unit (canonical name, start, end) of a number that ends at `end`, or None."""
    start = end + 1 if text[end : end + 1] in (" ", "\u00a0", "-") else end
    char = text[start : start + 1]
    if not char or char.isdigit() or _NO_UNIT.match(text, end):
        return None
    if found := _LETTERS.match(text, start):
        return _latin_unit(text, start, found.group())
    if "\u4e00" <= char <= "\u9fff":
        return _han_unit(text, start + 1 if char in "多余来几" else start)
    sign = _SIGN.match(text, start)
    return (_CURRENCY[sign.group()], start, sign.end()) if sign else None


def _latin_unit(text: str, start: int, word: str) -> tuple[str, int, int] | None:
    if re.split(r"[^a-z]", word.lower(), maxsplit=1)[0] in _PHRASE_STARTS:
        for pattern, unit in _PHRASE_UNITS:
            if phrase := pattern.match(text, start):
                return unit, start, phrase.end()
    for candidate in (word, word.split("/", 1)[0]):
        unit_name = _BY_SYMBOL.get(candidate) or _LATIN.get(candidate.lower()) or _CURRENCY.get(candidate)
        if unit_name:
            return unit_name, start, start + len(candidate)
    return (_BY_SYMBOL[word[0]], start, start + 1) if word[0] in "%‰℃℉" else None


def _han_unit(text: str, start: int) -> tuple[str, int, int] | None:
    for length in range(_LONGEST_HAN, 0, -1):
        if unit := _HAN.get(text[start : start + length]):
            return unit, start, start + length
    return None


def unit_before(text: str, start: int) -> tuple[str, int, int] | None:
    """The currency sign (canonical name, start, end) before a number that starts at `start`, or None."""
    end = start - 1 if text[start - 1 : start] == " " else start
    for length in (3, 2, 1):
        begin = end - length
        if begin >= 0 and (unit := _CURRENCY.get(text[begin:end])):
            return unit, begin, end
    return None
