"""Words of business life that belong together ("amount", "EUR", "decimals"; "金额", "欧元", "小数"), as data."""

from __future__ import annotations

from functools import cache

from amb_core.text import index_tokens

__all__ = ["FIELDS"]

FIELDS: dict[str, str] = {
    "money": "amount sum money price cost revenue currency eur usd euro dollar cent decimal 金额 价格 货币 币种 欧元 美元 人民币 小数",
    "form": "format look layout show display decimal round style 格式 样式 显示 展示 小数 保留",
}


@cache
def senses_by_term() -> dict[str, tuple[str, ...]]:
    """The fields a word belongs to, by index term."""
    found: dict[str, dict[str, None]] = {}
    for field, words in FIELDS.items():
        for word in words.split():
            found.setdefault(index_tokens(word)[-1], {})[f"~{field}"] = None
    return {term: tuple(fields) for term, fields in found.items()}
