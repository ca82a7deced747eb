"""Chinese words by what they do in a claim, as patterns over a clause whose values were replaced by `SLOT`."""

import re

from amb_core.agents.attribute_words import SLOT

__all__ = [
    "ZH_CLAIM_CONCEPTS",
    "ZH_FLIPPED",
    "ZH_KINDS",
    "ZH_LIGHT",
    "ZH_MARKERS",
    "ZH_OFFICES",
    "ZH_RATES",
    "ZH_SITES",
]

# Before the concepts of single statements: longer words for the same attributes.
ZH_CLAIM_CONCEPTS = re.compile(
    "|".join(
        f"(?P<{concept}>{words})"
        for concept, words in {
            "profit": r"净利润|净利",
            "gross": r"毛利润|毛利",
            "revenue": r"营业收入|销售收入|营业总收入|营业额|销售额|营收|收入",
            "reservoir": r"总库容|库容(?:总?量)?",
            "installed": r"装机(?:总)?容量|总装机",
            "supply": r"(?:日|可)?供水(?:能力|量)|供水规模|可?供水",
            "produced": r"(?:日|年)?(?:产水量|产量|产能)",
            "capacity": r"可?(?:储存|存储|储电|贮存)(?:容量)?|储能容量|可?容纳(?:人数)?|座位(?:数)?|坐席|载客(?:量)?|容量",
            "dose": r"剂量|用量|用药量",
            "design": r"设计(?:师|者)?",
            "deployed": r"部署(?:在|于)|运行(?:在|于)|托管(?:在|于)",
            "based": r"总部(?:地|所在地|设(?:在|于)|位于|坐落(?:在|于)|在)?",
            "staff": r"(?:员工|职工|雇员)(?:总数|总人数|人数|数)?|从业人员",
            "population": r"(?:常住|总|户籍|普查)?人口(?:总数|数)?|居民(?:数)?|住着",
            "price": r"售价|定价|价格|造价|(?<=票)价|售(?=\ue000)",
            "timeout": r"超时(?:时间)?",
            "rate": r"(?:有效|中标|合格|入住|就业|失业|增长|利用)率",
            "founded": r"(?:成立|创立|创建|创办|建立|设立|注册)(?:时间|日期|年份|于|在)?|始建于|建校于|建厂于|(?:建厂|建校|建院|建馆)(?:时间|日期|年份)",
            "opened": r"(?:投产|投运|通车|开通|开业|启用|投入(?:使用|运营|生产))(?:时间|日期|年份|于)?",
            "built": r"(?:建成|竣工|完工|落成|建造|修建|兴建|建)(?:时间|年份|于)",
            "delivered": r"交付(?:船舶)?|交船",
            "located": r"地址",
            "limit": r"限流|速率限制|请求上限",
            "port": r"监听(?:的)?(?:端口)?|(?:默认|服务|监听)?端口(?:号)?",
            "battery": r"续航(?:时间|里程)?|电池续航",
        }.items()
    )
)
ZH_RATES = re.compile(
    r"(?P<second>每秒钟?)|(?P<minute>每分钟)|(?P<hour>每(?:个)?小时|时均)|(?P<day>每[天日]|日均|(?<![今明昨生节假周工])日(?=供|产|发|销|处理|剂|用))"
    r"|(?P<week>每周|每星期)|(?P<month>每(?:个)?月|月均)|(?P<year>每年|年产(?![值能量])|年均|(?<![0-9一二三四五六七八九〇零今去明前后近多\ue000])年(?=产|发电|销|收|排))"
)
# What binds a statement to a time or a part of the matter; "最大" and "最高" go for one.
ZH_MARKERS = re.compile(
    r"原本|原来|最初|起初|后来|随后|曾经?|前任|首次|再次|平均|最[大高]|最[小低]|当时|此前|之前|以前|预计|计划"
)
ZH_LIGHT = re.compile(
    r"全年|实现|达到了?|录得|取得|录得|高?达|共计|总计|合计|总共|共有|共|现有|设有|拥有|有着|担任|出任|现任|执掌|领导|目前|如今|现在|截至|已经?|仍然?|依然|"
    r"成年?人?(?=应)|应当?|可以?|能够?|支持|提供|推荐|介绍|排放量?为|总数|人数|数量|数|名称|姓名|左右|正式|生产|单个|一共|全部|"
    rf"女?(?:建筑师|工程师|作家|导演|教授|院士|博士|画家|诗人)(?={SLOT})|"
    rf"(?<={SLOT})(?:个|名|位|人|家|次|座|台|件|辆|艘|架|张|间|所|米|公里|层)"
)
ZH_SITES = frozenset(("located", "based", "deployed", "born", "died", "capital"))
ZH_OFFICES = re.compile(
    r"董事长|总经理|总工程师|总裁|首席执行官|首席技术官|首席财务官|校长|院长|所长|馆长|厂长|行长|局长|市长|县长|镇长|省长|州长|总统|总理|主席|会长|社长|"
    r"队长|主教练|主编|书记|主任|负责人|创始人|创办人|秘书长|作者|导演|站长|CEO"
)
# What kind of thing the name after it is.
ZH_KINDS = re.compile(
    r"小说|电影|影片|长篇小说|歌曲|专辑|画家|作家|诗人|作曲家|演员|导演|建筑师|科学家|药物|药品|新药|疫苗|数据库|软件|工具|游戏|望远镜|"
    r"成人|企业|公司|该|本"
)
# Words that deny another word.
ZH_FLIPPED = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        (r"关闭|禁用|停用", "启用"),
        (r"无效|失效", "有效"),
        (r"停产", "投产"),
        (r"亏损", "盈利"),
        (r"禁止", "允许"),
        (r"不合格", "合格"),
        (r"非法", "合法"),
        (r"封闭", "开放"),
    )
)
