"""Which sentences of a draft tell what is, and which only what was, is dreamt, read, shown, played or pretended."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from amb_book.checking.draft import Draft
from amb_book.lore import LoreEntry

__all__ = ["Frames"]

_BEFORE, _AFTER = 3, 4
"""So many sentences before and behind one may say that it tells nothing that happens here and now."""

_ELSEWHERE = re.compile(
    r"\b(?:(?:[Yy]ears?|[Mm]onths?|[Ww]inters?|[Ss]ummers?|[Ll]ong) (?:ago|before|earlier)|[Ii]n (?:those|"
    r"the old) days|"
    r"when (?:he|she) was (?:still )?(?:alive|young|a (?:boy|girl|child))|back from the dead|not dead|still alive|"
    r"(?:remember|recall)(?:ed|s|ing)?|memor(?:y|ies)|used to|thought back|in (?:her|his) (?:head|mind)|"
    r"(?<!sweet )dream(?:s|ed|t|ing)?|nightmares?|fell asleep|closed (?:his|her) eyes|woke|awoke|fever(?:ish)?|"
    r"hallucinat\w*|visions?|ghost(?:s|ly)?|the (?:shade|dead) |spect(?:re|er)s?|phantoms?|apparitions?|haunt\w*|"
    r"seance|séance|namesake|christened|named after|same name|no relation|mistook|mistaken for|disguis\w*|"
    r"impost[oe]r|"
    r"impersonat\w*|imitat\w*|mimic\w*|pretend\w* to be(?! \w+ing)|[Ss]uppos\w+ |(?:dug (?:him|her) up|exhum\w*|"
    r"corpse|coffin)|in the dark glass|"
    r"called (?:their|the|his|her) \w+ (?=[A-Z])|understudy|masque|rehears\w*|simulat\w*|"
    r"letters?|diary|diaries|journal|notebook|memoirs?|testament|handwriting|chronicle|the (?:tale|story|song|"
    r"ballad|"
    r"legend|saying|rhyme|play|film|novel)|read (?:it )?aloud|recit\w*|echo(?:ed|es)?|gave back|"
    r"mirror|looking-glass|statues?|portraits?|paintings?|pictures?|prints?|photo(?:graph)?s?|snapshots?|posters?|"
    r"calendars?|murals?|tapestry|effigy|busts?|stained glass|sketch(?:es)?|canvas|waxworks?|scarecrow|on (?:the|"
    r"a) screen|"
    r"hologram|recordings?|tapes?|reels?|footage|voicemail|gramophone|puppet\w*|on (?:the )?stage|actors?|actress|"
    r"aged \w+|framed?|faded ink|trick of the light|drill|exercise)\b"
    r"|年前|当年|那年|昔年|早年|小时候|生前|在世|想起|记得|记起|忆起|回忆|往事|旧事|(?<![比像])从前(?![山门面院边后头排厅殿街])|"
    r"梦|睡着|睡去|入睡|合上眼|闭上眼|惊醒|醒来|醒了|醒过来|回过神|幻|恍惚|发[高着]?烧|高烧|脑海|耳边|耳畔|眼前浮|眼花|"
    r"鬼魂|阴魂|亡魂|亡灵|幽灵|显灵|附身|残[影魂]|的影子|没有?死|未死|复活|诈死|假死|死而复生|"
    r"扮[作成演]|假扮|装[作成]|乔装|易容|冒充|模仿|口技|腔调|同名|重名|也姓|人皮面具|认错|看错|听错|草人|"
    r"信[上中里是]|遗信|来信|家书|笔迹|字迹|遗书|手札|日记|手稿|话本|故事里|念着|背诵|复述|回[荡响声]|[纸笺碑]上(?:说|写|道)|"
    r"画像|画[中里]|镜[中里]|照片|相片|合影|遗[像照]|相框|海报|牌位|灵[位前]|[塑雕泥石铜蜡]像|半身像|浮雕|一[座尊幅张]像|"
    r"录[音像下好](?!笔|机)|磁带|唱片|唱机|监控里|[屏荧]幕|镜头里|画面[里中]|投影(?!仪|机|幕)|影像|全息|"
    r"去年|眼前一花|一眨眼|忘不[了掉]|取名|也叫|仿佛|烧得|武生|戏[台文里]|唱戏|看戏|说书|皮影|傀儡|木偶|幕布|模拟|虚拟|演习|台下(?:轰|一片|叫好|喝彩|掌声)"
)

_OF_THE_DEAD = re.compile(r"\b(?:the dead|ghosts?|deceased)\b|[亡死]者|鬼魂|亡[魂灵]|已死之人|死去的人", re.IGNORECASE)


class Frames:
    """Finds the sentences of a draft that are not told as happening, here and now.

    A frame ends with its passage: with its paragraph, or with the next one where that ends in a colon. What is told may
    be explained in the sentences behind it. So may what an entry of `lore` on the dead is the key of: a night on which
    they answer.
    """

    def __init__(self, draft: Draft, lore: Iterable[LoreEntry] = ()) -> None:
        keys = [each.key.casefold() for each in lore if _OF_THE_DEAD.search(each.text)]
        self._elsewhere = [
            number
            for number, each in enumerate(draft.sentences)
            if _ELSEWHERE.search(each.told) or any(key in each.text.casefold() for key in keys)
        ]
        self._begins = list(_passages(draft))
        self._paragraphs = [each.paragraph for each in draft.sentences]

    def elsewhere(self, number: int) -> bool:
        """Whether a sentence, or one near it, speaks of a dream, a memory, a letter, a picture, a play or the like."""
        paragraph_ends = bisect_right(self._paragraphs, self._paragraphs[number]) - 1
        first, last = max(self._begins[number], number - _BEFORE), min(paragraph_ends, number + _AFTER)
        return _any(self._elsewhere, first, last)


def _passages(draft: Draft) -> Iterator[int]:
    """For each sentence the number of the one that begins its passage."""
    begins = paragraph = 0
    leads_on = False
    for number, sentence in enumerate(draft.sentences):
        if sentence.first:
            begins, paragraph = paragraph if leads_on else number, number
        leads_on = sentence.told.rstrip().endswith((":", "："))
        yield begins


def _any(places: Sequence[int], first: int, last: int) -> bool:
    """Whether one of the sorted places lies from the first to the last."""
    place = bisect_left(places, first)
    return place < bisect_right(places, last)
