"""Words that name attributes, as data: which words mean the same attribute, which carry no attribute at all.

English entries are Snowball stems; Chinese entries are regular expressions over a clause whose values were replaced by
the placeholder `SLOT`. A concept starts with "@"; "!" marks concepts that hold for good, so that two statements about
them need no common time.
"""

import re

__all__ = [
    "APPROXIMATE",
    "AT_LEAST",
    "AT_MOST",
    "DIMENSIONS",
    "LABELS",
    "MEASURED_QUALITIES",
    "ATTRIBUTES",
    "CLASS_OPENERS",
    "CONCEPTS",
    "EVENTS",
    "EXCLUSIVE",
    "LASTING",
    "LISTED",
    "NEUTRAL",
    "ONCE",
    "RECURRING",
    "ROLES",
    "SETTING_CONCEPTS",
    "SLOT",
    "UNSURE",
    "VERBS",
    "ZH_CONCEPTS",
    "ZH_EXCLUSIVE",
    "ZH_LISTED",
    "ZH_NEUTRAL",
    "ZH_UNSURE",
]

SLOT = "\ue000"


def _table(rows: dict[str, str]) -> dict[str, str]:
    return {stem: concept for concept, stems in rows.items() for stem in stems.split()}


CONCEPTS = _table(
    {
        "@born": "born birth birthdat birthplac",
        "@died": "die death dead pass-away",
        "@founded": "found establish founder incorpor",
        "@created": "creat creation creator form",
        "@built": "built construct build complet finish erect",
        "@opened": "open reopen",
        "@released": "releas premier debut",
        "@published": "publish publish issu",
        "@directed": "direct director",
        "@written": "written wrote author writer",
        "@composed": "compos",
        "@located": "locat situat lie",
        "@based": "headquart base",
        "@height": "height tall",
        "@length": "length",
        "@width": "width wide",
        "@depth": "depth deep",
        "@weight": "weight weigh",
        "@area": "area",
        "@population": "popul inhabit resid",
        "@price": "price cost",
        "@speed": "speed",
        "@staff": "employe staff workforc employ",
        "@capacity": "capac seat hold accommod",
        "@revenue": "revenu turnov",
        "@capital": "capit",
        "@began": "began begin begun start commenc",
        "@ended": "end finish conclud",
        "@married": "marri wed wife husband spous",
        "@won": "won win",
        "@age": "age old",
    }
)
# Every word that names an attribute on its own ("Height: 324 m"), as a token of a frame.
ATTRIBUTES = frozenset(CONCEPTS.values()) | frozenset(
    "diamet circumfer nickname languag currenc genr author country".split()
)
# Concepts whose value does not change with time.
LASTING = frozenset(
    "@born @died @founded @created @built @opened @released @published @directed @written @composed @height @length @width @depth".split()
)
# Events that happen once: a date beside them is their value, and other words may vary around them.
ONCE = frozenset("@born @died @founded @created @built @opened @released @published".split())
# Event verbs that are transitive as well: only without an object are they events of their subject.
EVENTS = frozenset(
    "@founded @created @built @opened @released @published @directed @written @composed @began @ended @won".split()
)
# Concepts whose place name is a value ("located in X"), not the setting of something else.
SETTING_CONCEPTS = frozenset("@born @died @located @based @founded @capital".split())
ROLES = frozenset(
    "capit director author founder ceo presid chairman chairwoman mayor king queen princip coach captain owner manag "
    "minist governor chancellor editor compos inventor architect winner champion currenc languag headquart nicknam "
    "mother father wife husband spous leader chief head".split()
)
# Verbs after which a name is one of several: acting in X does not exclude acting in Y.
LISTED = frozenset(
    "act star appear play portray write wrote work collabor visit travel featur includ contain win won receiv award nomin "
    "record sign tour perform produc releas serv join teach taught attend studi support know known cover compris hous own "
    "sell sold publish compet represent influenc refer relat similar such contribut host acquir buy bought help use offer "
    "member among inspir speak spoke spoken border compos consist rang defeat beat met meet follow like love "
    "celebr train run ran".split()
)
# Things that happen again: another date of them is another event.
RECURRING = frozenset(
    "win won play score appear visit tour host held hold compet particip attend award nomin elect record perform lost "
    "lose beat defeat celebr run ran travel went go meet met chang ad updat revis amend reissu".split()
)
NEUTRAL = frozenset(
    "stand reach total number amount measur count say said state accord report approxim rough estim offici actual current "
    "exact near close overal altogeth sever itself repres compris around some roughli becam becom remain also date "
    "year call name".split()
)
APPROXIMATE = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca?\.|estimated(?: at| to be)?)\s*(?:the |US)?[$€£¥￥]?\s?"
    r"|[~≈]\s?|(?:大约|约为|约有|约|近|将近|接近|几乎|大概|估计)\s?)$",
    re.IGNORECASE,
)
AT_LEAST = re.compile(
    r"(?:\b(?:more than|over|at least|above|exceed(?:s|ed|ing)?|in excess of|upwards of|no fewer than|minimum of)|超过|逾|多于|不少于|至少|高于|大于|突破)"
    r"\s*(?:US)?[$€£¥￥]?\s*$",
    re.IGNORECASE,
)
AT_MOST = re.compile(
    r"(?:\b(?:less than|fewer than|under|below|at most|up to|no more than|maximum of)|不足|不到|少于|低于|至多|最多|不超过|小于)\s*(?:US)?[$€£¥￥]?\s*$",
    re.IGNORECASE,
)
# A figure after one of these is a name: version 3, chapter 5.
LABELS = re.compile(
    r"(?:\b(?:version|ver|v|chapter|section|part|page|figure|fig|table|step|no|number|nr|lines?|type|class|grade|level|route|"
    r"highway|room|vol|volume|issue|episode|season|series|item|appendix|article|rule|act|phase|stage|model|mark|mk|"
    r"book|unit|district|channel|area|python|pep|rfc|iso|size|round|game|week|day|lot|block|gate|track|question|problem|example|"
    r"note)\.?[\s:#-]?)$",
    re.IGNORECASE,
)
# Units by what they measure, with their factor to the base unit.
DIMENSIONS: dict[str, dict[str, float]] = {
    "length": {"nm": 1e-9, "µm": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1, "km": 1e3, "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344, "nmi": 1852},
    "area": {"cm2": 1e-4, "m2": 1, "km2": 1e6, "ha": 1e4, "acre": 4046.86, "mu": 666.667, "mi2": 2.59e6, "ft2": 0.092903},
    "volume": {"mL": 1e-3, "dl": 0.1, "L": 1, "gal": 3.785, "m3": 1e3, "km3": 1e12},
    "mass": {"µg": 1e-9, "mg": 1e-6, "g": 1e-3, "kg": 1, "t": 1e3, "lb": 0.45359, "oz": 0.02835, "jin": 0.5},
    "time": {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "day": 86400, "week": 604800, "month": 2629800, "year": 31557600, "decade": 315576000},
    "power": {"mW": 1e-3, "W": 1, "kW": 1e3, "MW": 1e6, "GW": 1e9, "TW": 1e12},
    "energy": {"Wh": 1, "kWh": 1e3, "MWh": 1e6, "GWh": 1e9, "TWh": 1e12},
    "data": {"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "TiB": 1024**4},
    "speed": {"km/h": 1, "mph": 1.609344, "m/s": 3.6},
    "voltage": {"mV": 1e-3, "V": 1, "kV": 1e3},
    "charge": {"mAh": 1e-3, "Ah": 1},
    "frequency": {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    "pressure": {"Pa": 1, "hPa": 100, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "bar": 1e5},
}  # fmt: skip
MEASURED_QUALITIES = {
    "tall": "@height", "high": "@height", "in height": "@height", "long": "@length", "in length": "@length", "wide": "@width",
    "in width": "@width", "deep": "@depth", "in depth": "@depth", "old": "@age", "in diameter": "diamet",
}  # fmt: skip
UNSURE = re.compile(
    r"\b(?:(?-i:may)|would|could|might|should|shall|if|unless|suppose|imagine|example|e\.g|hypothetical\w*|rumou?r\w*|alleged\w*"
    r"|expected|predicted|forecast|planned|supposed|perhaps|probably|possibly|either|or so|wish|hope|want|going to|will)\b",
    re.IGNORECASE,
)
ZH_UNSURE = re.compile(
    r"如果|假如|假设|倘若|若(?!干)|可能|或许|也许|应该|应当|建议|预计|预测|计划|据传|传闻|例如|比如|譬如|希望|吗[？?]?$|将会|有望"
)
VERBS = frozenset(
    "is was are were be been being am has had have do does did can began begin became becom took take ran run won win wrote "
    "made make came come went go grew grow left led lead held hold sold sell cost got get gave give rose rise fell fall stood "
    "stand saw see met meet built build bought buy said say knew known kept keep lost lose sang sing spent spend taught "
    "teach thought told tell wore broke brought chose drew drove fought flew found hit hurt lay lie paid pay put read sat sent "
    "set shot spoke sank sink struck swam threw understood cut let rang range seat serv cover span employ produc contain "
    "consist measur weigh compris featur reach own use offer includ star appear depict describ show open stretch flow "
    "border house belong provid requir mean return rais carry hold provide require raise produce measure comprise feature house include use locate sit owe remain refer play work live stay start end locat lies costs".split()
)
CLASS_OPENERS = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one of the)\b")
# Words of one set exclude each other when they are all that differs between two statements.
EXCLUSIVE = {
    word: group
    for group, words in enumerate(
        [
            "red orange yellow green blue purple pink brown black white grey gray".split(),
            "north south east west northern southern eastern western".split(),
            "northeast northwest southeast southwest".split(),
            "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
            "monday tuesday wednesday thursday friday saturday sunday".split(),
            "increas decreas".split(),
            "increas declin".split(),
            "rose fell".split(),
            "alive dead".split(),
            "male femal".split(),
            "largest smallest".split(),
            "highest lowest".split(),
            "longest shortest".split(),
            "oldest youngest".split(),
            "approv reject".split(),
            "accept reject".split(),
            "support oppos".split(),
            "succeed fail".split(),
            "safe unsafe danger".split(),
            "legal illeg".split(),
            "true fals".split(),
            "public privat".split(),
            "success unsuccess".split(),
            "open close".split(),
            "empti full".split(),
            "guilti innoc".split(),
            "mandatori option".split(),
            "enabl disabl".split(),
        ]
    )
    for word in words
}

ZH_CONCEPTS = tuple(
    (re.compile(pattern), f" {concept} ")
    for pattern, concept in [
        (r"出生于|生于|诞生于|出生|诞生", "@born"),
        (r"去世|逝世|病逝|离世|辞世|身亡|卒于", "@died"),
        (r"成立于|创立于|创建于|创办于|建立于|始建于|成立|创立|创办|创建|建立", "@founded"),
        (r"建成|竣工|完工|落成|修建|建造|兴建", "@built"),
        (r"启用|开业|开幕|开馆|开通|通车|开放|投入使用|投入运营", "@opened"),
        (r"上映|首映|首播", "@released"),
        (r"发行|发布|推出|出版|发售", "@published"),
        (r"导演|执导", "@directed"),
        (r"作者|撰写|编写|著|所写|创作|写作", "@written"),
        (r"作曲|谱曲", "@composed"),
        (r"坐落于|坐落在|位于|地处|位在", "@located"),
        (r"总部设于|总部设在|总部位于|总部在|总部", "@based"),
        (r"海拔高度|海拔", "@altitude"),
        (r"身高|高度|塔高|楼高|总高|高达|高约|高(?=\ue000)", "@height"),
        (r"全长|总长度|总长|长度|长达|长约|桥长|长(?=\ue000)", "@length"),
        (r"宽度|宽约|宽达|全宽|宽(?=\ue000)", "@width"),
        (r"深度|水深|深达|深约|深(?=\ue000)", "@depth"),
        (r"重量|体重|重达|重约|重(?=\ue000)", "@weight"),
        (r"占地面积|总面积|占地|面积", "@area"),
        (r"总人口|常住人口|人口", "@population"),
        (r"造价|售价|价格|票价|耗资|花费|成本", "@price"),
        (r"时速|速度|车速", "@speed"),
        (r"员工|雇员|职工", "@staff"),
        (r"容量|座位|可容纳|容纳", "@capacity"),
        (r"营业额|营收|收入", "@revenue"),
        (r"首都|省会|首府", "@capital"),
        (r"开工|动工|开始", "@began"),
        (r"结束|终止", "@ended"),
        (r"结婚|成婚|妻子|丈夫", "@married"),
        (r"年龄|现年|享年", "@age"),
    ]
)
ZH_NEUTRAL = re.compile(
    r"据[^，]{0,8}(?:报道|统计|介绍|记载|称|说)|根据[^，]{0,12}(?=，|$)|大约|约|近|共计|总共|共有|一共|合计|总计|共|达到|达|正式|目前|现在"
    r"|于是|于|在|是|为|的|了|被|由|有|与|和|及|也|则|而|至|以|其|到|并|都|就|还|从|自|后|就|已经|已|曾经|曾|这|那|所|地|得|等|之"
)
ZH_LISTED = re.compile(
    r"出演|参演|主演|饰演|演出|获得|荣获|获|参加|参与|包括|包含|拥有|赢得|访问|发表|合作|加盟|加入|效力|担任|任|收录|演唱|分布|生产|毕业|就读|击败|支持|相邻|接壤"
    r"|等|之一|其中|成员|代表|入选|提名|影响|喜欢"
)
ZH_EXCLUSIVE = tuple(
    tuple(pair.split())
    for pair in [
        "增加 减少", "上升 下降", "增长 下降", "提高 降低", "高于 低于", "大于 小于", "支持 反对", "批准 否决", "成功 失败",
        "最大 最小", "最高 最低", "最长 最短", "合法 非法", "公立 私立", "男性 女性", "东部 西部", "南部 北部", "东侧 西侧", "南侧 北侧",
        "左侧 右侧", "东南 西北", "东北 西南", "红色 蓝色 绿色 黄色 黑色 白色", "胜诉 败诉", "获胜 落败", "同意 拒绝", "允许 禁止", "安全 危险",
    ]
)  # fmt: skip
