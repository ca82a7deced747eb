"""Words that people at talk use for each other ("pup" for "dog", "爸爸" for "父亲"), by index term, as data."""

from functools import cache

from amb_core.text.index_terms import index_tokens

__all__ = ["near_terms"]

_KINDS = (
    "pet dog cat puppy kitten pup",
    "parent mother father mom dad",
    "sibling brother sister",
    "instrument guitar piano violin drum",
    "宠物 小狗 小猫 狗狗 猫咪",
    "父母 爸爸 妈妈 父亲 母亲",
    "乐器 吉他 钢琴 小提琴",
    "运动 跑步 游泳 篮球 足球 健身",
)
"""A kind, then words for what is of that kind: asked for the kind, they are near it, not the other way round."""
_SAME = (
    "dog puppy pup doggy|cat kitten kitty|movie film|car vehicle automobile|house home apartment flat|"
    "job work career occupation profession|kid child son daughter|mother mom mum|father dad|grandmother grandma granny|"
    "grandfather grandpa|wife husband spouse partner|boyfriend girlfriend partner|married wedding marry|friend buddy pal|"
    "begin start launch|finish end complete|buy purchase|receive obtain|trip travel journey vacation holiday visit|"
    "picture photo photograph pic image|painting art artwork|draw sketch|song music track tune|band musician singer|"
    "book novel read|author writer write|sport game|team club|soccer football|win victory champion|prize award trophy|"
    "competition contest tournament|exercise workout gym|run jog race marathon|swim pool|hike trek trail|"
    "bike bicycle cycle|food meal dish|cook bake recipe|restaurant diner cafe|dinner supper|drink beverage|coffee cafe|"
    "dessert cake sweet|doctor physician nurse|hospital clinic|illness disease sick ill|injury hurt injured|medicine drug|"
    "school college university|student pupil|teacher professor|study learn|class course lesson|degree graduate|"
    "company business firm|shop store|money cash fund|charity donate donation|volunteer help|boss manager|"
    "colleague coworker|employee worker staff|city town|country nation|beach sea ocean coast|mountain hill|forest wood|"
    "river lake|park garden|plant flower|weather climate|rain storm|snow winter|summer sunny|birthday born birth|"
    "die death dead|age old|big large huge|small little tiny|happy glad joy|sad unhappy upset|afraid fear scared|"
    "angry mad|love enjoy|hobby interest pastime|favorite favourite|plan intend|hope wish dream|goal aim target|"
    "advice suggestion tip recommend|gift present|party celebration celebrate|event festival|concert gig show performance|"
    "theater theatre play|computer laptop pc|phone call|church religion faith|ship boat vessel|plane aircraft airplane|"
    "train railway|road street highway|fix repair restore|make create build|move relocate|talk speak chat|tell say|"
    "look see watch|try attempt|quit leave stop|support help|clothes dress shirt fashion|shoes boots|feel feeling emotion|"
    "relax calm rest|stress anxiety|problem issue challenge difficulty|change transform|improve better|accident crash|"
    "color colour|spouse wife husband married|actor actress star",
    "电影 影片 片子|手机 电话|爸爸 父亲|妈妈 母亲|爷爷 祖父|奶奶 祖母|妻子 太太 老婆 爱人|丈夫 先生 老公 爱人|孩子 小孩 儿子 女儿|"
    "医生 大夫|医院 诊所|老师 教师|学生 同学|学校 大学 学院|工作 职业 上班|公司 企业 单位|老板 经理 领导|同事 同僚|房子 住处 公寓 家里|"
    "汽车 车子 轿车|自行车 单车|飞机 航班|火车 高铁 列车|旅行 旅游 出差 度假|照片 相片 图片|歌曲 音乐 唱歌|比赛 赛事 竞赛|冠军 夺冠 获胜|"
    "奖项 获奖 奖杯|锻炼 健身 运动|跑步 马拉松|爬山 登山 徒步|饭馆 餐厅 餐馆 饭店|晚饭 晚餐|午饭 午餐|早饭 早餐|做饭 下厨 烹饪|咖啡 咖啡馆|"
    "生病 疾病 病了|受伤 伤了|药品 吃药|开始 启动|结束 完成|购买 买了|花钱 价格 费用|城市 市里|国家 哪国|海边 海滩 沙滩|天气 气候|生日 出生|"
    "去世 逝世 过世|高兴 开心 快乐|难过 伤心|害怕 担心|生气 愤怒|喜欢 喜爱 爱好|兴趣 爱好|计划 打算|希望 梦想|目标 目的|建议 推荐|礼物 送礼|"
    "聚会 派对 庆祝|音乐会 演唱会 演出|电脑 计算机 笔记本|修理 维修 修好|搬家 搬到|聊天 谈话 说话|辞职 离职|结婚 婚礼 嫁给|压力 焦虑|问题 困难",
)


@cache
def _near() -> dict[str, tuple[str, ...]]:
    near: dict[str, dict[str, None]] = {}
    for row in _KINDS:
        kind, *others = map(_term, row.split())
        near.setdefault(kind, {}).update(dict.fromkeys(others))
    for rows in _SAME:
        for row in rows.split("|"):
            terms = [_term(word) for word in row.split()]
            for term in terms:
                near.setdefault(term, {}).update(dict.fromkeys(other for other in terms if other != term))
    return {term: tuple(others) for term, others in near.items()}


def _term(word: str) -> str:
    """The index term that stands for a word: its stem, or its last two characters."""
    return index_tokens(word)[-1]


def near_terms(term: str) -> tuple[str, ...]:
    """The index terms of words that may be said instead of the word with this one; mostly none."""
    return _near().get(term, ())
