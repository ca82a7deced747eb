"""What routing listens for, English and Chinese, as data: cues for writing and reading, and what speaks against them."""

import re

from amb_core.text.lazy_patterns import lazy_pattern

__all__ = [
    "ABOUT_MEMORY",
    "ARITHMETIC",
    "BEFORE_TERM",
    "CLAUSE_BREAK",
    "COMMANDS",
    "CONCLUSION",
    "DEFINITION",
    "DO_NOT_KEEP",
    "EARLIER",
    "FORGET",
    "HYPOTHETICAL",
    "MATERIAL",
    "NO_DEFINITION",
    "ONE_OFF",
    "POLITE",
    "PROFILE",
    "QUESTION",
    "QUOTED",
    "QUOTED_LINES",
    "REPORTED",
    "REQUEST",
    "SMALL_TALK",
    "TRANSIENT",
    "YOU_DO",
]


def _cues(*parts: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)


# --- what is worth keeping -------------------------------------------------------------------------------------------

_PERSON = (
    r"neighbou?r|colleague|boss|wife|husband|partner|friend|mother|father|mum|mom|dad|brother|sister|son|daughter|manager"
    r"|customer|client|doctor|teacher|cat|dog|flight|train|order|question|guess|point|idea|problem|computer|phone|bad|god"
)
_STANDING = (
    r"from (?:now|here|today|tomorrow|this \w+|next \w+|\w+day) on(?:wards?)?|as a (?:general )?rule|generally speaking|"
    r"going forward|from this point on|in (?:the )?future|henceforth|as of (?:now|today)"
)
_PLEASE = r"(?:^|[,;:–—-]\s*|\b(?:and|but|so|then)\s+)(?:please\s+|kindly\s+|just\s+)?"
_MUCH = r"(?:also |really |much |strongly |generally |personally |just |do |would |'d |’d |still )*"
_MINE = (
    r"default|usual|favou?rite|preferred|preference|preferences|habit|time ?zone|name|nickname|role|job|title|team|"
    r"department|manager|boss|birthday|native language|mother tongue|first language|assistant|customers? (?:segment|group)"
)
PROFILE = _cues(
    rf"\b(?:{_STANDING})\b",
    r"\bby default\b|\bas (?:a|my|the) default\b|\bmy default\b|\bdefault(?:s)? (?:to|should be)\b",
    r"\b(?:remember|keep in mind|bear in mind|take note|make a note|memori[sz]e|for (?:future|your) reference)\b",
    r"\bnote (?:for later|to self|that (?:i|my|we)\b)|\b(?:do not|don['’]t|never) forget\b",
    rf"\bi(?: am|['’]m)? ?{_MUCH}(?:prefer|like|love|hate|dislike|favou?r|insist|rather|(?:do not|don['’]t) (?:like|want"
    r"|need|care)|can(?:not|['’]t) stand|used to (?:seeing|having|getting)|tend to|usually|normally|typically|always"
    r"|never|mostly|often)\b",
    rf"\bmy (?:\w+ ){{0,3}}?(?:{_MINE})(?: (?:\w+ )?\w+)?(?: is| are|['’]s|:)(?!\s*$)",
    r"\bmy \w+(?: \w+)? (?:should|must|have to|need to|are to) (?:always|never|all)\b",
    rf"{_PLEASE}call me\b|\bi go by\b|\bmy pronouns\b",
    r"\bi(?: am|['’]m) (?:an? |the |in |based|responsible|working|colou?r[- ]blind|new to|allergic|from|left)",
    r"\bi (?:work|live|report to|speak|manage|lead|run the|am based|read (?:\w+ )?(?:reports?|them|it)|look at)\b",
    r"\bi only (?:want|need|read|use|look)\b",
    r"\b(?:every|each) (?:day|week|month|morning|evening|monday|tuesday|wednesday|thursday|friday)\b.{0,20}\bi\b",
    r"\b(?:whenever|every time|each time)\b(?! (?:he|she|they|it|the)\b)",
    rf"{_PLEASE}(?:always|never|do ?n['’]t ever|do not ever|at all times)\b",
    r"^(?:for|in) (?:all|every|any) (?:\w+ ){0,3}\w+,? (?:please )?(?:use|show|write|give|add|include|leave|put|sort|round)",
    rf"\b(?:in|for|on) all (?:of )?my \w+|\b(?:my|our) (?!{_PERSON})\w+(?: \w+)? (?:only|always|never|usually|mostly|normally)\b",
    rf"^(?:and |also |by the way,? )?my (?!(?:\w+ )?(?:{_PERSON})s?\b)(?:\w+ ){{1,3}}(?:is|are) (?!not sure|late|broken|that |to )",
    r"\bi (?:read|view|see|use|open|print|check|write|get|keep|do) (?:everything|all|most|only|mostly)\b|\baddress me\b",
    r"\bi(?: would|['’]d)? (?:like|want|need) (?:every|all|each|any) \w+ (?:to (?:be|have|come|show|use|stay)|as)\b",
    r"\b(?:drives? me (?:crazy|mad|nuts)|annoys? me|bothers? me|confuses? me|works? best for me|is easier for me)\b",
    r"我的[^，。？！]{1,8}是(?!什么|多少|不是)|我(?:都|全)(?:是|用|在)|(?:看着|让我|我看)[^，。]{0,4}(?:难受|不舒服|抓狂|头疼|别扭)",
    r"一般(?:情况下|来说|而言)|通常情况下|原则上|一直这样|(?:以后|就)?(?:别变|不要变|保持不变)",
    rf"{_PLEASE}(?:stop|avoid|quit|refrain from) (?:\w+ing|the)\b|\bunless (?:i (?:say|tell|ask)|told|stated) \w+",
    r"\b(?:you should know|just so you know|for your information|fyi)\b|\bi(?: am|['’]m) allergic\b|\bi suffer\b",
    r"(?:^|[，；。]|请)(?:别|不要|勿|请勿)再|除非(?:我|另|你)[^，。]{0,8}(?:说|讲|说明|要求)|我对[^，。]{1,10}(?:过敏|敏感)|我(?:受不了|看不惯)",
    r"请(?:一律|永远|始终|总是|一直|统一|务必)|称呼我|从(?:今天|今日|明天|下周|这周|本周)(?:起|开始)",
    r"从现在(?:起|开始)|从今(?:以后|天起|往后)?|(?:以后|今后|往后|将来|日后)(?!再说|的事)|默认|缺省",
    r"(?<!还)(?<!是否)(?:记住|记得|记下|记一下|牢记|备忘|谨记)|(?:别|不要|勿)忘",
    r"我(?:们)?(?:个人)?(?:就|更|比较|最|还是|很|特别|不太|不|也|都|只|真的|向来|一向|平常)*"
    r"(?:喜欢|偏好|偏爱|倾向|讨厌|反感|习惯|爱用|爱看|常用|想看|要看|看重|关心)(?!的(?![^，。？]*是))",
    r"我(?:的)?(?:一般|通常|平时|平常|总是|总|经常|往往|常常|从不|从来|一直|每次|每周|每天|每月|每逢)",
    r"我的(?:\w{0,4})(?:习惯|偏好|默认|时区|名字|昵称|职位|职务|岗位|角色|经理|老板|上司|团队|部门|母语|生日|助理)(?:是|为|叫|：)",
    r"我的[^，。？！]{0,12}(?:总是|都要|都用|一律|永远|始终|务必)",
    r"叫我|我叫(?!他|她)|我是(?!说|想|问|不是|否|要|在问)|我(?:在|住|来自)[^，。？]{1,12}(?:工作|时区|部|上班|办公|人)|我(?:负责|主管|向.{1,12}汇报)",
    r"(?:^|[，；：]|请|都)(?:一律|永远|始终|总是|统一|千万|务必|绝对)(?:都|要|用|别|不|不要|写|采用|保留|以|按|请)",
    r"每(?:次|当|逢|周|天|月)[^，。？]{0,12}(?:都|要|请|先|用|就)|比起.{1,12}我|只要.{1,10}(?:就行|即可|结果)",
    r"(?:习惯|偏好)(?:是|：|于)|统一(?:用|写|写成|采用|保留|按)|永远(?:不要|别|不)|一律(?:用|按|不|要|写)",
)
"""The user says what he likes, does or wants as a rule, who he is, or that something is to be remembered."""

DEFINITION = _cues(
    r"\b(?:is|are|was|gets?|being|be) (?:\w+ )?(?:defined|understood|calculated|computed|measured|counted|treated) (?:as|by)\b",
    r"\bdefinition of\b.{1,60}(?:\bis\b|:)|\bdefine[sd]? (?:an? |the )?[\w“\"' -]{2,40} (?:as|to be)\b",
    r"(?<!by no )(?<!which )(?<!that )(?<!this )(?<!\bit )(?<!all )\bmeans\b(?! (?:a lot|much|well|of|nothing))",
    r"\b(?:we|i|us) (?:always )?mean\b(?! (?:it|well))|\bstands? for\b|\brefers? to\b|\bdenotes?\b|\bcounts? as\b|\bcounts? (?:only )?if\b",
    r"\b(?:is|are) (?:short|(?:an?|the|our) (?:abbreviation|acronym|alias|synonym|nickname|code ?name|name|term|word)|another name) (?:for|of)\b",
    r"^\W*an? (?:\w+ ){1,3}is (?:one|somebody|someone|anyone|anything|any \w+) (?:with|without|that|who|which|whose|where|of)\b",
    r"^\W*our (?:\w+ ){1,3}(?:runs?|starts?|begins?|ends?|covers?|consists?|includes?|is|are)\b",
    r"\balso (?:known|called|referred to) (?:as)?\b|\baka\b|\ba\.k\.a\b|\balias(?:es)?\b|\bsynonym(?:s)? (?:of|for|with)\b",
    r"\b(?:we|people|they) call\b|\bis (?:simply |just )?called\b|\bis (?:the same as|equal to|equivalent to)\b",
    r"\b(?:the )?(?:table|column|field|view|schema|flag|status|code|metric|kpi) [\w.`\"'“]+ (?:is|are|holds?|contains?"
    r"|stores?|has|lists?|means|shows?|records?|marks?|tells?)\b",
    r"\bis (?:its|the|their|our) (?:primary |foreign |unique )?key\b|\bis the (?:customer|product|order|\w+) master\b",
    r"\b(?:fiscal|financial|business|accounting|reporting|working|work|trading) (?:year|quarter|month|week|day|hour)s?\b"
    r"[^.?]{0,30}\b(?:starts?|begins?|ends?|runs?|closes?|(?:is|are) from)\b",
    r"^[\w .,'’“”\"()/-]{2,60} = [^=]{2,}$",
    r"定义为|定义是|的定义：|指的是|是指|意思是|所指|意为|界定为",
    r"(?<![立随当既在亦])即(?![使将便刻可时日席兴位])|又称|又叫|也叫|亦称|俗称|(?:叫做|叫作|称为|称作|称之为)|把[^，。？]{1,20}(?:叫|称)|(?:账户|账号|客户|用户|订单|会话|记录|商品)(?:都|就)?算(?!一下|出|了)|^我们的?[^，。？]{1,12}(?:从|自)[^，。？]{1,10}(?:到|至)|(?:是|为)[^，。？]{0,24}(?:别名|简称|缩写|全称|代号)|(?:别名|简称|缩写|全称|代号)(?:是|为|：|叫)",
    r"(?:口径|算法|公式|计算方式|计算方法)(?:是|为|：|即|按)|(?:算作|算是|视为|计为|计作|归为|归入|等同于|等价于|等于)",
    r"(?:^|[，；：])(?:数据)?(?:库|表|字段|列|视图|指标|状态|标志)\s*[\w.`]+\s*(?:是|存|表示|记录|保存|包含|为|里)",
    r"(?:状态码?|代码|编码|编号|标志位?|等级)[\s\w.]{0,12}(?:表示|代表|意味着|指)|(?:主键|外键)(?:是|为)|(?:工作日|工作时间|营业时间)[^，。？]{0,10}(?:从|到|截止|结束|开始)|(?:财年|财季|会计年度|结算日|统计周期|营业日)[^，。？]{0,8}(?:从|始于|开始|截止|止于|为|是)",
    r"我们(?:所|平时|常)?说的|[”」]\s*(?:包括|包含|涵盖|表示|代表|是)|存的是|代表的是",
    r"^[^=，。？]{2,30}\s*[=＝]\s*[^=＝]{2,}$",
)
"""A stable fact is stated: what a term means, another name, how a figure is reckoned, what a table holds."""

BEFORE_TERM = _cues(
    r"^\W*(?:(?:please |also )?(?:remember|note|keep in mind)(?: that)?\b\W*)?(?:(?:in|for|on) (?:our|my|all|this|the) [\w ]{2,30}?,\s*)?"
    r"(?:when (?:we|i) say|by|if we say|the (?:table|column|field|term|alias)|an?|the|our|my)?\b\s*",
    r"^(?:记住|请记住|注意|记得)[，,：:]?\s*|^在?我们[^，。]{0,12}(?:里|中|说)(?:的|，)|^(?:数据)?(?:表|字段|列|指标)\s*|的$|\s+(?:we|i|is|are)\s*$",
)
"""What stands before or behind the term in front of a definition's cue."""

NO_DEFINITION = _cues(
    r"\b(?:what|how|whether|why|where|who)\b[^.]*\b(?:means?|stands? for|refers? to|defined|counts? as)\b|什么(?:意思|是)|怎么|如何|是不是"
)
"""Words of a definition in what only asks for one."""

CONCLUSION = _cues(
    r"^(?:to sum up|in sum|in summary|summing up|in conclusion|to conclude|all in all|bottom line|the upshot)\b",
    r"\b(?:conclusions?|root cause|final (?:result|answer|finding|outcome|figure)|main finding|key (?:finding|insight|result"
    r"|takeaway)|takeaway|lesson(?:s)? learnt|lesson(?:s)? learned)\b[^.?]{0,20}(?:\b(?:is|was|were|are)\b|:)",
    r"\bwe (?:have )?(?:concluded?|found out|established|figured out|learn(?:t|ed)) that\b|\b(?:it )?turned out (?:that|to be)\b|^[^?]*\b(?:was|were) (?:due to (?!\w+e\b|start|begin|end)|caused by\b|because of\b)|^(?:the )?(?:result|outcome)s? of [^?]{2,40}:",
    r"^(?:总结一下|总之|综上|综上所述|归根结底|一句话总结)[，,：:]",
    r"(?:结论|根本原因|根因|最终结果|最终结论|最终答案|关键发现|关键洞察|主要发现)(?:就)?(?:是|：|:|为|在于)",
    r"^[^，。？]{0,8}结果(?:是|：)|(?:后来|最后|最终|结果)(?:查明|发现|证实|确认|证明)|事实证明|(?:我们|已经)(?:发现|查明|确认|得出)(?:了)?(?!什么|的)[^？?]{4,}",
)
"""What a long task came to."""

# --- what is worth looking up ----------------------------------------------------------------------------------------

EARLIER = _cues(
    r"\b(?:as|like) (?:last time|before|always|usual|the (?:last|previous) (?:time|one))\b|\blast time\b|\bthe usual\b",
    r"\bmy (?:\w+ )?(?:usual|preferred|preference|preferences|default|favou?rite|format|style|settings?|standard)\b",
    r"\b(?:again|once more)\b|\bthe same\b|\bpreviously\b|\bprevious (?:\w+ )?(?:report|session|query|run|answer|result|chat"
    r"|conversation|analysis|task|time|table|chart)\b|\bearlier\b(?! than)|\bleft off\b|\bpick up (?:where|from)\b",
    r"\byou (?:told|said|mentioned|showed|gave|found|wrote|made|sent) (?:me|us|that|it|to)?\b|\bwe (?:used|found|decided|agreed"
    r"|discussed|talked|looked|said|concluded)\b|\bdid (?:we|i|you)\b|\bi (?:told|said|mentioned|asked) (?:you|to|that|about)?\b",
    r"\b(?:the )?way i (?:like|want|prefer)\b|\b(?:as|like) i (?:like|want|prefer)\b|\bthat (?:query|report|chart|file|sql) (?:from|we|you)\b",
    r"^\W*same\b|上次|上回|上一次|之前|先前|此前|前面说|前几天|(?:跟|和|与|同)(?:以前|往常|平时|上[一个]*[份次])|照旧|老样子|老规矩|像[^，。]{1,8}那样|照做|一如既往",
    r"同样的|一样的(?:查询|格式|图|表|拆分|方式|口径)|再(?:跑|做|来|查|画|算|发)一|又一?次|重新跑|接着|继续(?:上|昨|之|做|刚)",
    r"我(?:们)?(?:当时|昨天|上周|以前|曾)|你(?:告诉|说|提|给)过|说过|提到过|查到的|我(?:常用|喜欢|习惯|偏好|想要)的|我的(?:常用|默认|偏好|格式|风格|习惯)",
    r"\bwhere (?:is|are|was|were|did|do|does|can)\b[^?.]{0,60}\b(?:files?|tables?|pictures?|charts?|plots?|reports?|exports?|quer(?:y|ies)|sql|csv|pdf)\b",
    r"(?:文件|表格|图片|图表|[的张]图|[的张]表|报表|报告|查询|脚本|数据表)[^，。？?]{0,8}(?:在哪|放哪|存哪|存到哪|存在哪|放在哪|保存在)",
)
"""A reference to what was said, done or agreed in an earlier session."""

ABOUT_MEMORY = _cues(
    r"\b(?:do|did|can|could) you (?:still )?(?:remember|recall|know (?:my|about me|what i|who i|how i))"
    r"|\bwhat (?:do|did|have) you (?:remember|know|store|kept|keep|saved?|learn)|\bremember (?:when|the time|how we)\b"
    r"|(?:还|是否)记得|你记(?:得|住了)(?:什么|哪)|你(?:知道|了解|存|记录)(?:了)?(?:我|关于我|哪些)"
)
"""A question about what is remembered."""

FORGET = _cues(
    r"(?<!n't )(?<!n’t )(?<!not )(?<!never )\bforget (?:what|that|everything|all|about|my|the|it|this|whatever)\b|\bunlearn\b|\b(?:delete|erase|remove|wipe)\b.{0,30}\b(?:on|about) me\b"
    r"|\b(?:delete|erase|remove|clear|wipe|drop)\b.{0,40}\b(?:stored|remember|remembered|memory|memories|saved|know|kept|about me)\b"
    r"|(?<!别)(?<!不要)(?<!勿)(?:忘掉|忘记|忘了)(?!.{0,8}吗)|(?:删除|删掉|清除|清空|抹掉).{0,16}(?:记忆|记住|记录|存|保存|关于我)|(?:记忆|记录|保存|存储|你记的)[^，。]{0,10}(?:删|清除|抹)"
)
"""Something remembered is to go."""

QUESTION = _cues(
    r"[?？]\s*$|^\W*(?:and |so |but |well,? )?(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could"
    r"|will|would|should|shall|may|has|have|had)\b(?!n['’]t ever)"
    r"|(?:吗|呢|么)[。？?]?\s*$|什么|哪(?:个|些|里|种|条|张|位|天|年|月|一)|怎么|怎样|如何|多少|为什么|为何|是否|是不是|有没有|能不能|几(?:个|天|次|家|种)"
)
REQUEST = _cues(
    r"(?:^|[,;:]\s*|\b(?:and|then|now|please|also)\s+)(?:show|put together|list|plot|draw|compute|calculate|compare|export|summari[sz]e|write"
    r"|analy[sz]e|create|generate|prepare|find|build|run|give|get|count|forecast|predict|explain|visuali[sz]e|update|send|check|query"
    r"|look|sort|make|continue|use|delete|forget|break|rank|estimate|fetch|pull|describe|investigate|recommend|suggest|draft|plan|do"
    r"|repeat|report|tell|help)\b"
    r"|\b(?:can|could|would|will) you\b|\b(?:i|we) (?:need|want|would like|['’]d like)\b|\b(?:i|we)['’]d like\b|\blet['’]s\b"
    r"|列(?:出|一下)|拉(?:出|一|取)|做成|把[^。？]{1,24}(?:拉|列|删|发|做|改|导|画|排|算|查|汇|整|换|转)|画(?!廊|家|面)|计算|算(?:一下|出)|比较|对比|导出|写(?:一|个|份|封)|总结|汇总|分析|查(?:询|一下|找|看|出)|给(?:我|他|她|出)|做(?:一|个|张|份)"
    r"|生成|统计|预测|显示|展示|运行|跑一|再跑|继续|接着|删除|忘掉|解释|说明一下|拆分|帮我|看(?:一下|看)|准备|整理|更新|推荐|建议|按.{1,10}(?:列|画|导|排|统计|算|分|做)"
)
"""The user wants to be told or given something."""

# --- what speaks against ---------------------------------------------------------------------------------------------

SMALL_TALK = _cues(
    r"^\W*(?:hi|hello|hey|hiya|howdy|good (?:morning|evening|afternoon|night|day)|bye|goodbye|see you|thanks|thank you|thx|cheers|ok"
    r"|okay|yes|no|yep|nope|sure|great|perfect|nice|cool|stop|exactly|right|got it|understood|never ?mind|wow|haha|lol|sorry|welcome"
    r"|go ahead|how are you|how['’]s it going|what['’]s up|well done|good job)\b[^?]{0,40}[.!?…]*\s*$"
    r"|\bhow are you\b|\b(?:how|what) about you\b|\b(?:joke|poem|riddle|haiku|fairy ?tale|bedtime story)\b|\bnice weather\b|\bhaha\b|\bwho are you\b"
    r"|^\W*(?:你好|您好|嗨|哈喽|早上?好|晚上好|下午好|中午好|晚安|再见|拜拜|谢谢|多谢|感谢|辛苦|好的|好啊|好吧|行|可以|嗯|对|是的|不是|停|没错|明白|知道了|收到"
    r"|厉害|哈哈|太棒|真棒|抱歉|对不起|不客气)[^？?]{0,16}[。！!，,~～…]*\s*$"
    r"|讲(?:个|一个).{0,4}(?:笑话|故事)|写(?:首|一首)诗|你今天(?:怎么样|好吗)|你好吗|你呢|周末过得|天气(?:真|不错|很好)|哈哈|你是谁"
)
ARITHMETIC = _cues(
    r"^\W*(?:what(?:['’]s| is)|calculate|compute|计算|算一下|请问)?[\s\d.,()+*/×÷x^=-]*(?:(?:times|plus|minus|divided by|over|乘以|乘|加上?|减去?|除以)"
    r"[\s\d.,()+*/×÷^-]+)+(?:等于多少|是多少|等于几)?\W*$"
)
HYPOTHETICAL = _cues(
    r"^\W*(?:suppose|supposing|imagine|assume|assuming|let['’]s (?:say|assume|pretend)|pretend|what if|hypothetically|say,)\b"
    r"|\bif (?:i|we|you|it|they|he|she|an?|the|my)\b[^,.]*\b(?:were|preferred|wanted|liked|asked|had|gave|said|told|used|would)\b"
    r"|\bwould(?:n['’]t)? (?:it|that|you|this)\b.*\bif\b"
    r"|^\W*(?:假设|假如|假使|倘若|设想|比方说|比如说我)|(?:如果|要是|若是|若).{1,30}(?:会是|会不会|会怎|会有|怎么样|呢)|(?:如果|要是|若是).*[?？]"
)
ONE_OFF = _cues(
    r"\bjust (?:this )?once\b|\b(?:only )?(?:for )?this (?:one )?time(?: only)?\b|\bthis once\b|\bfor (?:this|today['’]s|the current) \w+(?: only)?\b"
    r"|\b(?:for now|for the moment|for today|temporarily|this time)\b|\bin this (?:case|report|chart|answer)\b"
    r"|(?:只|就|仅)?这(?:一)?次|仅?此次|本次|仅这|只在这|就这(?:一)?(?:份|张|个)|暂时|临时|目前先|今天先|(?:这份|这张|这个)(?:报告|图|表)(?:里)?(?:先|用|只)"
)
TRANSIENT = _cues(
    r"(?<!from )(?<!as of )\b(?:today|tonight|tomorrow)\b(?! on)|\byesterday\b|(?<!from )\bthis (?:week|month|morning|afternoon|evening)\b(?! on)"
    r"|\b(?:right now|just now|at the moment|currently(?! (?:defined|means))|a moment ago|at \d{1,2}(?::\d\d)? ?(?:am|pm))\b"
    r"|(?<!从)(?:今天|今晚|明天|本周|这周|这个月|本月)(?!起|开始|往后|以后)|昨天|刚才|刚刚|(?<!从)现在(?!起|开始|是指|指的是|指|定义|的?(?:定义|口径|意思))|眼下|目前"
)
"""What holds for a day or a moment."""
DO_NOT_KEEP = _cues(
    r"\b(?:do not|don['’]t|no need to|never|please don['’]t) (?:remember|store|save|keep|memori[sz]e|record|note|write (?:it|this) down)"
    r"(?: (?:this|that|it|any of this|what follows|the following|the next)\b|[:.!]|$)|\boff the record\b"
    r"|(?:不用|不要|别|无需|不必|请勿|勿)(?:记住?|记下来?|保存|存|记录)(?:这|它|下|该|[：:，。！]|$)|不用记"
)
REPORTED = _cues(
    r"\b(?:he|she|they|it|who|someone|somebody|(?!i\b|we\b|you\b)\w+) (?:says?|said|writes?|wrote|told|tells|asks?|asked|claims?|claimed"
    r"|replied|mentioned|thinks|insists|reads)\b|\baccording to\b|\bquot(?:e|ed|ing)\b|\btranslat(?:e|ion)\b|\bproofread\b|\brephrase\b"
    r"|(?<!我)(?<!我们)(?<!你)(?:说|写道|写着|表示|回复|来信|告诉|认为|声称|提到|转告|要求)(?=[他她它们，,：:“\"「]|我们?$)|(?:同事|客户|老板|经理|朋友|邻居|他|她|他们)(?:总是|一直|都)?(?:说|想|觉得|认为|要求|写道|写着|来信|喜欢|习惯)"
    r"|翻译|润色|改写|校对"
)
"""Somebody else's words, or words as such."""

YOU_DO = _cues(
    r"^\W*(?:you|you['’]re|you are|it|it['’]s|that|this|the|there)\b[^,;]*\b(?:always|never|usually)\b|^\W*(?:你|您|它|这|那)(?:们)?(?:总|一直|从来)"
)
"""A remark on somebody else's ways."""

POLITE = _cues(
    r"^\W*(?:can|could|would|will) you (?:please |kindly )?|^\W*(?:能不能|可不可以|可以|能否|能)(?:请|麻烦)?(?:你|您)?"
)
"""A request in the form of a question."""

QUOTED = _cues(r"[“\"][^“”\"]{6,}[”\"]|「[^」]{4,}」|『[^』]{4,}』|(?<!\w)'[^']{12,}'(?!\w)")
QUOTED_LINES = _cues(r"```[\s\S]*?(?:```|\Z)", r"(?:(?<=\n)|\A)[ \t]*[>＞][^\n]*")
MATERIAL = _cues(r"[:：][ \t]*\r?\n", r"\n[ \t]*(?:-{3,}|={3,})[ \t]*\n")
"""Where a message goes over from what is asked to what it is asked about."""

COMMANDS = _cues(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|above|prior|earlier|all|any|other|your|these|system)\b",
    r"\b(?:you|the (?:assistant|agent|supervisor|model|ai)) (?:must|should|shall|have to|need to|are (?:now|to))\b",
    r"\b(?:system prompt|new instructions?|developer mode|jailbreak|the user (?:wants|prefers|likes|has asked|said|says|asked))\b",
    r"\b(?:user preference|user profile|remember this|save this|store this|write this (?:in)?to (?:your )?memory)\b",
    r"(?:忽略|无视|忘掉|忘记|绕过).{0,16}(?:之前|以上|上面|所有|其他|系统|指令|规则)|(?:你|助手|智能体|模型)(?:必须|应该|应当|需要|务必|现在是|要)",
    r"系统提示|新(?:的)?指令|用户(?:的)?(?:偏好|画像|希望|想要|要求|喜欢|说)|(?:保存|写入|存入|加入)(?:到|进)?(?:你的)?(?:长期)?记忆",
)
"""What is said to an agent, or about what the user wants, where only findings belong."""

CLAUSE_BREAK = _cues(
    r"[;；]\s*"
    rf"|[,，]?\s+(?:and|but|also|oh and)\s+(?:please\s+)?(?=(?:{_STANDING}|remember|always|never|by default|keep in mind|don['’]t forget|now )\b)"
    r"|,\s+(?=now\b|then\b|please remember\b)"
    r"|[，,](?=(?:并且|而且|另外|还有|顺便)?(?:请)?(?:以后|今后|往后|从现在|默认|记住|记得|别忘|现在|然后))"
)
"""Where one message goes from asking to telling, or back."""
