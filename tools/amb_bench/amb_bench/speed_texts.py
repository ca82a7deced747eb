"""Texts made up by rule for timing whole banks: names, figures, dates and topics, never twice the same sentence."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping

__all__ = ["TEXTS", "chinese_page", "json_page", "page", "passage"]

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


_SURNAMES, _GIVEN = "王李张刘陈杨赵黄周吴", "伟芳娜敏静丽强磊洋艳勇军杰娟涛明超霞平刚"
_SITES = "橡树 石河 风城 夏湖 冬林 北港 南山 金滩 银谷 铜岭".split()
_KINDS = "电厂 大桥 博物馆 港口 图书馆 水库 铁路 剧院 天文台 酿酒厂".split()
_DONE = "建成 检修 扩建 出售 视察 关闭 重建 测量".split()
_MEASURED = "容量 长度 预算 产量 重量 人数 客流 温度".split()
_MEASURES = "兆瓦时 米 万元 吨 人次 册 升 摄氏度".split()


def chinese_page(number: int) -> str:
    """About 600 Chinese characters in three paragraphs."""
    draw = random.Random(1_000_003 + number)
    return "\n\n".join("".join(_chinese_sentence(draw, number) for _ in range(7)) for _ in range(3))


def _chinese_sentence(draw: random.Random, number: int) -> str:
    person = draw.choice(_SURNAMES) + "".join(draw.sample(_GIVEN, 2))
    site, year = draw.choice(_SITES) + draw.choice(_KINDS), draw.randint(1850, 2024)
    figure = f"{draw.randint(2, 9_999)}{draw.choice(_MEASURES)}"
    forms = (
        f"{year}年，{person}在审查{draw.choice(_MEASURED)}之后{draw.choice(_DONE)}了{site}。",
        f"{site}报告说，{year}年的{draw.choice(_MEASURED)}为{figure}。",
        f"{person}自{year}年起在{site}工作，他认为{draw.choice(_MEASURED)}是{figure}。",
        f"规划{site}时，{person}预计{draw.choice(_MEASURED)}达到{figure}（档案{number}）。",
    )
    return draw.choice(forms)


def json_page(number: int) -> str:
    """About 1,000 characters of JSON: what a tool call on orders returns, in one line."""
    draw = random.Random(2_000_003 + number)
    orders = [
        {
            "order_id": f"#W{draw.randint(10**6, 10**7)}",
            "user": f"{draw.choice(_FIRST).lower()}_{draw.randint(1, 9_999)}",
            "status": draw.choice(("pending", "delivered", "cancelled")),
            "total": round(draw.random() * 900, 2),
            "items": [{"name": draw.choice(_WHAT), "item_id": str(draw.randint(10**9, 10**10))} for _ in range(3)],
        }
        for _ in range(5)
    ]
    return json.dumps({"results": orders})


TEXTS: Mapping[str, Callable[[int], str]] = {"English": page, "Chinese": chinese_page, "JSON": json_page}
"""What an absorb is measured with."""
