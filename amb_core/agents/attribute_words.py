"""Words that name attributes, as data: which mean the same attribute, which name none, which allow several values.

English entries are Snowball stems, Chinese ones regular expressions over a clause whose values were replaced by `SLOT`.
Tokens that start with "@" are concepts: several words for one attribute.
"""

import re

from amb_core.text.lazy_patterns import lazy_pattern

__all__ = [
    "AGENT_CONCEPTS",
    "ATTRIBUTES",
    "BORDER",
    "CLASS_NOUNS",
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
    "SURNAMES",
    "UNSURE",
    "VERBS",
    "ZH_CONCEPTS",
    "ZH_EXCLUSIVE",
    "ZH_GENERIC",
    "ZH_LISTED",
    "ZH_MODIFIERS",
    "ZH_NEUTRAL",
    "ZH_RECURRING",
    "ZH_ROLE_NAMES",
    "ZH_UNSURE",
]

SLOT = "\ue000"
BORDER = "\ue001"
"""Stands between a subject taken over from the text and the clause itself."""


def _table(rows: dict[str, str]) -> dict[str, str]:
    return {stem: concept for concept, stems in rows.items() for stem in stems.split()}


CONCEPTS = _table(
    {
        "@born": "born birth birthdat birthplac",
        "@died": "die death dead",
        "@founded": "found establish founder incorpor",
        "@created": "creat creation creator form",
        "@built": "built construct build complet finish erect",
        "@opened": "open reopen",
        "@released": "releas premier debut",
        "@published": "publish issu",
        "@directed": "direct director",
        "@written": "written wrote write author writer",
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
        "@ended": "end conclud",
        "@married": "marri wed wife husband spous",
        "@won": "won win",
        "@age": "age old",
        # plain synonyms
        "film": "movi",
        "larg": "big huge",
        "small": "littl tini",
        "child": "kid children",
        "car": "automobil",
        "compani": "firm corpor busi",
        "student": "pupil",
        "buy": "purchas bought",
        "help": "assist aid",
        "show": "display",
        "fast": "quick rapid",
        "doctor": "physician",
        "shop": "store",
        "use": "util",
        "need": "requir",
        "make": "manufactur made",
    }
)
# Every word that names an attribute on its own ("Height: 324 m"), as a token of a frame.
ATTRIBUTES = frozenset(concept for concept in CONCEPTS.values() if concept[0] == "@") | frozenset(
    "diamet circumfer nicknam languag currenc genr author".split()
)
# Concepts whose value does not change with time.
LASTING = frozenset(
    "@born @died @founded @created @built @opened @released @published @directed @written @composed @height "
    "@length @width @depth @lifespan".split()
)
# Events that happen once: a date beside them is their value, and other words may vary around them.
ONCE = frozenset("@born @died @founded @created @built @opened @released @published".split())
# Event verbs that are transitive as well: only without an object are they events of their subject.
EVENTS = frozenset(
    "@founded @created @built @opened @released @published @directed @written @composed @began @ended @won".split()
)
# "X wrote Y" says of Y that it was written by X.
AGENT_CONCEPTS = frozenset("@founded @created @built @directed @written @composed".split())
# Concepts whose place name is a value ("located in X"), not the setting of something else.
SETTING_CONCEPTS = frozenset("@born @died @located @based @founded @capital".split())
# Offices and parts that one name fills at a time.
ROLES = frozenset(
    "@capital @directed @written author founder ceo presid chairman chairwoman mayor king queen princip coach "
    "captain owner governor chancellor editor compos inventor architect currenc headquart nicknam mother father "
    "leader chief head".split()
)
# Verbs and nouns beside which a name is one of several: acting in X does not exclude acting in Y.
LISTED = frozenset(
    "act star appear play portray write wrote work collabor visit travel featur includ contain win won receiv "
    "award nomin record sign tour perform produc releas serv join teach taught attend studi support know known "
    "cover compris hous own sell sold compet represent influenc refer relat similar such contribut host acquir "
    "buy bought help use offer member among inspir speak spoke spoken border consist rang defeat beat met meet "
    "follow like love celebr train run ran".split()
)
# Things that happen again: another date of them is another event.
RECURRING = frozenset(
    "@won +@won win won play score appear visit tour host held hold compet particip attend award nomin elect perform lost "
    "lose beat defeat celebr run ran travel went go meet met chang ad updat revis amend reissu".split()
)
# Words that carry no attribute: changing them changes wording, not meaning.
NEUTRAL = frozenset(
    "stand reach rise total number amount measur count say said state accord report approxim rough estim offici "
    "actual current exact near overal altogeth sever itself repres compris around some becam becom remain also "
    "date year call name peopl person consid regard till".split()
)
# Nouns that say what kind of thing the name after them is ("the town of Riverton").
CLASS_NOUNS = frozenset(
    "town citi villag municip district state countri island lake river mountain bridg tower film movi book novel "
    "album song singl seri show game compani firm group band team club univers colleg school museum airport "
    "station speci genus actor actress singer writer author footbal player politician ship projec programm "
    "program magazin newspap drug vaccin medicin painter compos novelist poet scientist architect servic librari tool app "
    "ferri ship train telescop compil databas startup brewer".split()
)
VERBS = frozenset(
    "is was are were be been being am has had have having do does did can accept add affect agree aim allow "
    "announce appear approve arrive ask assume attack attend attract award base become began begin begun belong "
    "boil border bore bought break bring broke brought build built burn buy call came carry cause change charge "
    "choose chose claim climb close come comprise concern conclude connect consist contain contribute cost cover "
    "create cross cut deal decide declare decline decrease deliver depart depend depict describe design destroy "
    "develop devote die differ direct divide draw drew drive drop drove earn eat employ enable end enjoy enter "
    "equal establish estimate evolve exceed exist expand expect explain export extend face fail fall feature fed "
    "feed feel fell fight fill find fit flew flow fly follow form fought found function gain gave generate get "
    "give go got govern grew grow happen head hear held help hit hold host house hurt import improve include "
    "increase indicate inhibit install introduce invest involve join keep kept kill knew know known land last "
    "launch lay lead learn leave led let lie limit line link list live lose lost lower made mark mean measure "
    "meet met move need note number occupy occur offer open operate oppose own paid pass pay peak perform pick "
    "place plan play produce prove provide publish put raise ran rang range rank rate reach read receive "
    "recommend record reduce refer reflect refuse reject relate release remain remove replace report represent "
    "require respond rest result retain return reveal ride rise rose rule run said sail sang sank sat save saw "
    "say see seek seem sell send sent separate serve set share shot show shrink sing sink sit sold span speak "
    "specialise spend spent split spoke spread stand star start state stay stood stop store stretch strike struck "
    "study suffer supply support surround survive swam swim take taught teach tell test thought threw told took "
    "total trade train travel treat try turn understood use vary visit vote want weigh went win won wore work "
    "worked write wrote yield".split()
)
UNSURE = lazy_pattern(
    r"\b(?:may|would|could|might|should|shall|will|[Ii]f|[Uu]nless|[Ss]uppose|[Ii]magine|[Ee]xample|e\.g"
    r"|[Hh]ypothetical\w*"
    r"|[Rr]umou?r\w*|[Aa]lleged\w*|expected|predicted|forecast|planned|supposed|[Pp]erhaps|[Pp]robably|[Pp]ossibly"
    r"|either"
    r"|or so|wish|hope|want|going to|scheduled (?:to|for)|(?:due|set|slated) to|intends? to|aims? (?:to|for)|proposed)\b"
)
ZH_UNSURE = lazy_pattern(
    r"如果|假如|假设|倘若|(?<![林陈李王张刘杨周沈徐])若(?!干)|可能|或许|也许|应该|应当|建议|预计|预测|计划|据传|传闻|例如|比如|譬如|希望|吗[？?]?$|将会|有望|原定|力争|有意|目标(?:是|为)|拟(?=[在于将建投用设])"
)
CLASS_OPENERS = lazy_pattern(r"\b(?:is|was|are|were) (?:an?|the|one of the)\b")

# --- words that exclude each other when they are all that differs between two statements ------------------------------

_EXCLUSIVE_GROUPS = """
    red orange yellow green blue purple pink brown black white grey gray
    north south east west northern southern eastern western
    northeast northwest southeast southwest
    monday tuesday wednesday thursday friday saturday sunday
    increas decreas reduc lower | increas declin | rose fell rise fall | grew shrank grow shrink | alive @died | male femal
    largest smallest | highest lowest | longest shortest | oldest youngest
    approv reject | accept reject | support oppos | succeed fail | success unsuccess | safe unsafe danger | legal illeg
    true fals | public privat | @opened close | empti full | guilti innoc | mandatori option | enabl disabl
"""
_GROUPS = [group.split() for group in _EXCLUSIVE_GROUPS.strip().replace("\n", "|").split("|")]
EXCLUSIVE = {
    word: frozenset(number for number, group in enumerate(_GROUPS) if word in group)
    for group in _GROUPS
    for word in group
}
ZH_EXCLUSIVE = tuple(
    tuple(group.split())
    for group in (
        "增加 减少|上升 下降|增长 下降|提高 降低|升高 降低|高于 低于|大于 小于|支持 反对|批准 否决|"
        "成功 失败|最大 最小|最高 最低|最长 最短|合法 非法|公立 私立|男性 女性|东部 西部|南部 北部|"
        "东侧 西侧|南侧 北侧|左侧 右侧|东南 西北|东北 西南|红色 蓝色 绿色 黄色 黑色 白色|胜诉 败诉|获胜 落败|同意 拒绝|允许 禁止|安全 危险"
    ).split("|")
)

# --- Chinese ---------------------------------------------------------------------------------------------------------

# Words for one concept each (the name of the group), longest first.
ZH_CONCEPTS = re.compile(
    "|".join(
        f"(?P<{concept}>{words})"
        for concept, words in {
            "born": r"出生于|生于|诞生于|出生|诞生",
            "died": r"去世|逝世|病逝|离世|辞世|身亡|卒于",
            "founded": r"成立于|创立于|创建于|创办于|建立于|始建于|成立|创立|创办|创建|建立",
            "built": r"建成|竣工|完工|落成|修建|建造|兴建",
            "opened": r"启用|开业|开幕|开馆|开通|通车|投入使用|投入运营",
            "released": r"上映|首映|首播",
            "published": r"发行|发布|推出|出版|发售",
            "directed": r"导演|执导",
            "written": r"作者|撰写|编写|所著|著(?!名)|所写|创作|写作",
            "composed": r"作曲|谱曲",
            "located": r"坐落于|坐落在|位于|地处|位在",
            "based": r"总部设于|总部设在|总部位于|总部在|总部",
            "altitude": r"海拔高度|海拔",
            "height": r"身高|高度|塔高|楼高|总高|高达|高约|高(?=\ue000)",
            "length": r"全长|总长度|总长|长度|长达|长约|长(?=\ue000)",
            "width": r"宽度|宽约|宽达|全宽|宽(?=\ue000)",
            "depth": r"深度|水深|深达|深约|深(?=\ue000)",
            "weight": r"重量|体重|重达|重约|重(?=\ue000)",
            "area": r"占地面积|总面积|占地|面积",
            "population": r"总人口|常住人口|人口",
            "price": r"造价|售价|价格|票价|耗资|花费|成本",
            "speed": r"时速|速度|车速",
            "staff": r"员工|雇员|职工",
            "capacity": r"容量|座位|可容纳|容纳",
            "revenue": r"营业额|营收|收入",
            "capital": r"首都|省会|首府",
            "began": r"开工|动工|开始",
            "ended": r"结束|终止",
            "married": r"结婚|成婚|妻子|丈夫",
            "age": r"年龄|现年|享年",
        }.items()
    )
)
ZH_NEUTRAL = lazy_pattern(
    r"据[^，]{0,8}(?:报道|统计|介绍|记载|称|说)|根据[^，]{0,12}(?=，|$)|大约|约|近|共计|总共|共有|一共|合计|总计|共|达到|达|正式|目前|现在"
    r"|现有|拥有|于是|于|在|是|为|的|了|被|由|有|与|和|及|也|则|而|至|(?<!可)以|其|到|并|都|就|还|从|自|后|已经|已|曾经|曾|这|那|所|得|等|之|只|间|时"
    r"|(?<=\ue000)[个名位人](?![民口])"
)
ZH_LISTED = lazy_pattern(
    r"出演|参演|主演|饰演|演出|获得|荣获|获|参加|参与|包括|包含|拥有|赢得|访问|发表|合作|加盟|加入|效力|担任|任|收录|演唱|分布|生产|毕业|就读|击败|支持|相邻"
    r"|接壤|等|之一|其中|成员|代表|入选|提名|影响|喜欢|分部|分店"
)
ZH_RECURRING = lazy_pattern(r"获得|荣获|获[奖颁封选]|夺[得冠取]|参加|参赛|出场|入选|提名|访问|当选|出战|对阵|出席|巡演")
# What an unnamed thing is called: says nothing about which one is meant.
ZH_GENERIC = frozenset("公司会议该厂学校本站全市国省县区人口大桥工程项目医院车站城市地区企业单位机构尺斤顷亩")
# One character more that makes another attribute of it (净收入 is no 收入).
ZH_MODIFIERS = frozenset("男女新旧净毛前后上下左右东西南北中内外主副正次首末单双高低大小老少城乡总平均最每各")
# Where a Chinese name stands that no mark shows: "由X执导", "A是B的首都", "B的首都是A".
_ZH_OFFICES = (
    "首都|省会|首府|作者|导演|创始人|创办人|董事长|总经理|总裁|校长|市长|省长|总统|总理|主席|队长|主编|设计师|发明者"
    "|发明人|负责人|院长|所长|馆长|厂长|行长|局长|县长|镇长|州长|会长|社长|主教练|书记|首席执行官|首席技术官|首席财务官|秘书长|站长"
)
_ZH_WORD = r"[\u4e00-\u9fff·]{2,14}"
_ZH_OWNER = r"[\u4e00-\u9fff·《》A-Za-z ]{2,16}?"
SURNAMES = (
    "王李张刘陈杨黄赵周吴徐孙朱马胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范廖贾夏韦邹孟熊秦邱尹薛闫段雷侯史"
    "陶黎贺顾毛郝龚邵钱严覃戴莫孔汤"
)
_ZH_PERSON = rf"(?:[{SURNAMES}][\u4e00-\u9fff]{{1,2}}|[\u4e00-\u9fff]{{1,6}}(?:·[\u4e00-\u9fff]{{1,6}})+)"
_ZH_PROFESSIONS = "女工程师|建筑师|设计师|工程师|作家|导演|作曲家|教授|博士|院士|诗人|画家"
ZH_ROLE_NAMES = (
    lazy_pattern(rf"(?:{_ZH_OFFICES})(?:是|为|由)(?P<name>{_ZH_PERSON})(?=$|[，。；]|担任|出任)"),
    lazy_pattern(
        rf"由(?:{_ZH_PROFESSIONS})?(?P<name>{_ZH_PERSON})(?:先生|女士|博士|教授)?(?=担任|出任|执掌|领导|设计|所著|执导|创作)"
    ),
    lazy_pattern(
        r"(?:位于|坐落于|坐落在|地处|总部(?:设|位|坐落)?[在于]|部署[在于]|运行[在于]|托管[在于])"
        r"(?P<name>[\u4e00-\u9fffA-Za-z0-9-]{2,12})(?=$|[，。；])"
    ),
    lazy_pattern(
        rf"由(?:{_ZH_PROFESSIONS})?(?P<name>{_ZH_WORD}?)(?:所著|所写|执导|导演|设计|创作|撰写|编写|谱曲|作曲|创立|创办|创建|建造|承建|主持|发明)"
    ),
    lazy_pattern(
        rf"(?:^|，|。)(?P<owner>{_ZH_OWNER})的(?P<office>{_ZH_OFFICES})[是为](?P<name>{_ZH_WORD})(?=$|[，。；])"
    ),
    lazy_pattern(rf"(?:^|，|。)(?P<name>{_ZH_WORD}?)是(?P<owner>{_ZH_OWNER})的(?P<office>{_ZH_OFFICES})(?=$|[，。；])"),
)
