"""Deeds of stories by their many words: who was crowned, whose coronation it was, 登基 and 即位 tell one deed."""

from __future__ import annotations

import re
from functools import cache

from amb_core.text import index_tokens

__all__ = ["deeds"]

_TABLE = """
crown: crowned! crowning! crowns! coronation enthrone throne accession accede anoint
crown: 登基 即位 加冕 称帝 继位 登位 践祚 继承大统 封王 册封 登上皇位 登上王位 龙椅 继承
wed: wed wedding marry marriage bride bridegroom nuptials honeymoon espouse altar betrothed
wed: 夫妻 成亲 成婚 结婚 拜堂 婚礼 大婚 完婚 迎娶 过门 洞房 娶 嫁 喜酒 新娘 新郎 喜宴 新婚
burn: burn burnt burned blaze fire torch ash cinder flame arson smoulder char kindle ignite scorch
burn: 烧 焚 火海 大火 放火 纵火 灰烬 焦土 付之一炬 起火 点燃
destroy: destroy destruction ruin raze demolish shatter smash wreck collapse crumble annihilate explode
destroy: explosion blow blew blast detonate
destroy: 摧毁 夷为平地 崩塌 坍塌 倒塌 炸 爆炸 粉碎 覆灭 灭门 覆没
kill: kill murder slay slew slain stab poison assassinate assassination execute execution behead hang hanged
kill: shoot shot strangle drown die died death dead funeral bury burial buried grave mourn
kill: 杀 死 毙 亡 处死 处决 斩 刺死 毒死 遇刺 行刺 伏诛 丧 葬 枪决 遇害 牺牲 殉
capture: capture arrest seize prisoner imprison jail apprehend handcuff chains
capture: 擒 俘 逮捕 被捕 捉拿 落网 入狱 下狱 囚 拘捕 归案
free: free freed rescue release liberate liberation ransom escape unchain jailbreak
free: 救出 释放 脱困 逃出 越狱 营救 脱身 出狱 解救 获救
sentence: trial try tried verdict sentence convict condemn guilty judge judgment judgement jury acquit
sentence: 定罪 受审 宣判 问罪 开庭 公审 判刑 三司会审
open: open opened unseal unlock
open: 打开 开启 揭开 启封 洞开 破开 解封 重启
find: find found discover discovery unearth recover recovery retrieve locate dig dug
find: 找到 寻到 寻回 发现 挖出 寻获 夺回 起获 取得 找回 觅得
reveal: reveal revelation unmask expose confess confession admit truth identity
reveal: disclose proclaim announce announcement declare declaration
reveal: 揭穿 揭露 揭晓 曝光 坦白 招供 认罪 真相 公布 现出 揭发 承认 宣布 昭告 大白
steal: steal stole stolen theft rob robbery heist burgle pilfer
steal: 偷 盗 窃 劫
return: return restore restoration repatriate
return: 归还 还给 回到 返回 归来 重返 物归原主 回家 归乡 返乡
attack: attack assault storm siege besiege raid invade invasion ambush charge bombard strike struck
attack: 攻 袭 偷袭 进攻 攻打 伏击 突袭 来犯 入侵 兵临 攻破 攻陷 攻占
defeat: defeat victory win won triumph vanquish rout surrender surrendered conquer conquest overthrow depose
defeat: capitulate yield
defeat: 击败 战胜 大捷 大败 投降 胜 打败 推翻 夺魁 夺冠 归降 平定 降服
battle: battle fight fought duel war combat clash
battle: 决战 决斗 之战 交战 大战 比武 激战 血战 一战 对决
peace: peace treaty truce pact alliance armistice reconcile reconciliation
peace: 和约 议和 结盟 签约 盟约 停战 和谈 联盟 和解 签下 签署
betray: sold! betray betrayal treason traitor treachery defect defection
betray: 背叛 叛变 出卖 反叛 倒戈 投敌 叛 谋反 造反
leave: leave left depart departure exile banish banishment sail sailed flee fled emigrate launch launched embark
leave: 离开 出发 启程 离去 流放 逃走 出走 启航 出海 放逐 远走 出国 发射 升空
arrive: arrive arrival land landed landing dock docked enter
arrive: 抵达 到达 进入 登陆 着陆 入城 赶到
cross: cross crossing
cross: 渡 穿过 越过 横渡 翻过
build: build built rebuild rebuilt construct erect repair
build: 重建 修复 建成 落成 竣工 重修 创立 开张
teach: teach taught learn learned learnt train master lesson study apprentice
teach: 传授 学会 练成 拜师 习得 参透 收为 修成
swear: swear swore sworn vow oath pledge
swear: 发誓 立誓 宣誓 结义 起誓 拜把 歃血 结拜
heal: heal cure recover wake woke awake waken awaken revive
heal: 治好 痊愈 苏醒 康复 解毒 救活 复苏 治愈
born: birth born bear baby pregnant
born: 生下 出生 诞 产下 怀孕 分娩 临盆 生子
appoint: appoint appointed elect elected election promote promotion inaugurate succeed
appoint: 任命 接任 升任 就任 当选 接掌 继任 上任 册立 出任 推举 提拔
resign: resign abdicate abdication retire retirement dismiss dismissed
resign: 退位 辞职 禅让 罢免 退休 卸任 让位 罢官 革职 撤职 免职
give: give gave given bequeath inherit inheritance estate gift
give: 交给 交出 赠 送给 继承 献 传给 献上 上交
sell: sell sold buy bought auction sale purchase
sell: 卖 买 拍卖 出售 变卖
meet: meet met reunite reunion summit council convene
meet: 相见 重逢 见面 会面 会合 团聚 相认 碰头 接头
sink: sink sank sunk flood flooded submerge capsize drown drowned
sink: 决堤 水漫 沉没 翻船
lift: curse break broke broken dispel undo undid spell
lift: 解开 破除 解除 破解 破了 解咒
publish: publish published print printed broadcast newspaper headline article
publish: 发表 刊登 刊出 登出 见报 播出 登报 出版 报道
vote: vote voted decree edict
vote: 表决 通过 颁布 下旨 诏书 颁诏 下诏
activate: activate lit ignite start started restart repair ring rang rung toll
activate: 启动 点火 点亮 接通 修好 运转 敲响 开动 激活 重启
build: 修建 建造 盖起 盖了 修好
teach: 学会 学成 教会 学得
sink: 沉没 沉了 沉入 淹没 淹了
capture: 抓获 抓住 抓捕 抓到 抓了 押解 押送
destroy: 毁了 毁于 烧毁 焚毁
sentence: 审判 审问 公审 判了 判处 提审
attack: 围攻 围城
heal: 醒来 醒了 苏醒 转醒
free: 放了出
reveal: 说出 道出
clear: exonerate vindicate pardon acquit
clear: 平反 昭雪 翻案 洗冤 伸冤 赦免 洗清
"""
_PHRASES = {
    "man and wife": "married",
    "husband and wife": "married",
    "in ashes": "burnt",
    "to ashes": "burnt",
    "set fire": "burnt",
    "on fire": "burnt",
    "on the throne": "enthroned",
    "took the throne": "enthroned",
    "to death": "executed",
    "in chains": "arrested",
    "in irons": "arrested",
    "given away": "betrayed",
    "gave away": "betrayed",
    "given them away": "betrayed",
    "gave them away": "betrayed",
}
_WORD = re.compile(r"[A-Za-z]+")
_HAN = re.compile(r"[\u3400-\u9fff]")


@cache
def _words() -> tuple[dict[str, frozenset[str]], tuple[tuple[str, str], ...]]:
    """English stems, or whole words with an exclamation mark, and Chinese words, each with its deeds."""
    english: dict[str, set[str]] = {}
    chinese: list[tuple[str, str]] = []
    for line in _TABLE.strip().splitlines():
        name, *words = line.replace(":", "").split()
        for word in words:
            if _HAN.match(word):
                chinese.append((word, name))
            elif word.endswith("!"):
                english.setdefault(word, set()).add(name)
            else:
                english.setdefault(_stem(word), set()).add(name)
    return {word: frozenset(names) for word, names in english.items()}, tuple(chinese)


@cache
def _stem(word: str) -> str:
    return next(iter(index_tokens(word)), word.casefold())


def deeds(text: str) -> frozenset[str]:
    """The deeds a text has words for, by names of this module."""
    english, chinese = _words()
    for phrase, word in _PHRASES.items():
        text = text.replace(phrase, word)
    words = _WORD.findall(text)
    found = {deed for word in words for key in (_stem(word), f"{word.casefold()}!") for deed in english.get(key, ())}
    if _HAN.search(text):
        closed = text.replace("了", "")  # 登了基 is 登基
        found |= {deed for word, deed in chinese if word in text or word in closed}
    return frozenset(found)
