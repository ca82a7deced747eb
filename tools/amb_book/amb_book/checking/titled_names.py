"""People by surname and title: 沈队, 小伍, Captain Reed; only where one person of the book can be meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from amb_book.entities import Entity
from amb_core.text.surnames import COMPOUND_SURNAMES, SURNAMES

__all__ = ["TitledNames"]

_TITLE_ZH = re.compile(
    r"(?:大|二|三|四|五|老|小)?(?:掌柜|当家|东家|爷|奶奶|小姐|公子|少爷|姑娘|娘子|嫂|师兄|师姐|师弟|师妹|嬷嬷|娘)|"
    r"(?:支队长?|支(?!持|撑|付|开|着|起|吾|在)|大队长?|队长?|总(?:经理|裁|管|兵)?|董事长|董|局长?|处长?|所长?|科长?|"
    r"主任|主编|医生|大夫|老师|记者|"
    r"警官|法医|律师|教授|"
    r"先生|太太|女士|小姐|姑娘|公子|少爷|老爷|夫人|将军|大人|公公|嬷嬷|太医|御医|师兄|师姐|师弟|师妹|长老|掌门|真人|"
    r"道长|道友|大侠|女侠|捕头|掌柜|"
    r"老板娘?|老大|大哥|二哥|三哥|哥|姐|叔|伯|婶|姨|嫂|爷爷?|奶奶|贵妃|妃|嫔|尚书|侍郎|丞相|太傅|太师|统领|校尉|都尉|"
    r"师傅|教头|镖头|庄主|帮主|宗主|"
    r"堂主|舵主|师叔|师伯|师祖|老祖|知府|县令|知县|巡抚|总督|参将|千户|百户|秀才|举人|员外|大娘|大爷|大婶|老汉|老头|"
    r"女史|才人|昭仪|检察官|科学家|"
    r"博士|船长|机长|舰长|指挥官|上尉|中尉|少校|中校|上校|司令|参谋|政委|书记|村长|镇长|市长|厂长|校长|经理|主管|"
    r"工程师)"
)
_FAMILIAR_ZH = re.compile(r"[小老阿](?![\u3400-\u9fff]?们)")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ENGLISH = re.compile(r"([A-Z][a-z]+)\.? ([A-Z][\w’'-]+)")


class TitledNames:
    """The people of a book by their surnames; `offices` says what somebody is, as far as the book tells."""

    def __init__(self, entities: Iterable[Entity], offices: Callable[[Entity], Iterable[str]]) -> None:
        self._offices = offices
        self._families: dict[str, list[Entity]] = {}
        self._shared: dict[str, list[Entity]] = {}
        for each in entities:
            if each.kind != "character":
                continue
            surname = _surname(each.name)
            if surname:
                self._families.setdefault(surname, []).append(each)
            words = each.name.split()
            if len(words) > 1:
                self._shared.setdefault(words[-1], []).append(each)

    def at(self, text: str, start: int) -> tuple[str, Entity | None]:
        """Whom a surname with a title means that stands at a place of a text, and its words."""
        if not _HAN.match(text[start]):
            return self._english(text, start)
        if _FAMILIAR_ZH.match(text, start):
            surname = self._family(text, start + 1)
            if surname is not None and not _TITLE_ZH.match(text, start + 1 + len(surname)):
                return text[start : start + 1 + len(surname)], self._one(surname, "")
            return "", None
        surname = self._family(text, start)
        title = _TITLE_ZH.match(text, start + len(surname)) if surname is not None else None
        if surname is None or title is None:
            return "", None
        return text[start : title.end()], self._one(surname, title.group())

    def _family(self, text: str, start: int) -> str | None:
        return next(
            (each for each in (text[start : start + 2], text[start : start + 1]) if each in self._families), None
        )

    def _one(self, surname: str, title: str) -> Entity | None:
        """The one of a family; of several the one whose office or alias has the title."""
        family = self._families[surname]
        if len(family) == 1:
            return family[0]
        fit = [
            each for each in family if title and any(title in said for said in (*each.aliases, *self._offices(each)))
        ]
        return fit[0] if len(fit) == 1 else None

    def _english(self, text: str, start: int) -> tuple[str, Entity | None]:
        found = _ENGLISH.match(text, start)
        family = self._shared.get(found.group(2), []) if found is not None else []
        if found is None or not family:
            return "", None
        title = found.group(1).casefold()
        fit = [each for each in family if any(title in said.casefold().split() for said in self._offices(each))]
        return found.group(), fit[0] if len(fit) == 1 else None


def _surname(name: str) -> str:
    if not 2 <= len(name) <= 4 or not all(map(_HAN.match, name)):
        return ""
    if name.startswith(COMPOUND_SURNAMES):
        return name[:2] if len(name) > 2 else ""
    return name[0] if name[0] in SURNAMES and len(name) < 4 else ""
