"""Words that name attributes, as data: which mean the same attribute, which name none, which allow several values.

English entries are Snowball stems, Chinese ones regular expressions over a clause whose values were replaced by `SLOT`.
Tokens that start with "@" are concepts: several words for one attribute.
"""

import re

from amb_core.text.lazy_patterns import lazy_pattern

__all__ = [
    "CONCEPTS",
    "LISTED",
    "NEUTRAL",
    "RECURRING",
    "SURNAMES",
    "VERBS",
    "ZH_CONCEPTS",
    "ZH_LISTED",
    "ZH_RECURRING",
]


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

# --- words that exclude each other when they are all that differs between two statements ------------------------------


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
ZH_LISTED = lazy_pattern(
    r"出演|参演|主演|饰演|演出|获得|荣获|获|参加|参与|包括|包含|拥有|赢得|访问|发表|合作|加盟|加入|效力|担任|任|收录|演唱|分布|生产|毕业|就读|击败|支持|相邻"
    r"|接壤|等|之一|其中|成员|代表|入选|提名|影响|喜欢|分部|分店"
)
ZH_RECURRING = lazy_pattern(r"获得|荣获|获[奖颁封选]|夺[得冠取]|参加|参赛|出场|入选|提名|访问|当选|出战|对阵|出席|巡演")
SURNAMES = (
    "王李张刘陈杨黄赵周吴徐孙朱马胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范廖贾夏韦邹孟熊秦邱尹薛闫段雷侯史"
    "陶黎贺顾毛郝龚邵钱严覃戴莫孔汤"
)
