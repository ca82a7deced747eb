"""The words for how people stand to each other, English and Chinese, and which of them exclude one another."""

from __future__ import annotations

__all__ = ["CHINESE", "ENGLISH", "HEADS_EN", "HEADS_ZH", "role_of"]


_EN = {
    "inlaw": "father-in-law|mother-in-law|son-in-law|daughter-in-law|brother-in-law|sister-in-law",
    "spouse": "wife|husband|spouse|bride|bridegroom|consort|better half",
    "grandparent": "grandfather|grandmother|grandpa|grandma|granny|grandad|granddad",
    "grandchild": "grandson|granddaughter|grandchild",
    "parent": "father|mother|parent|dad|mum|mom|mam|mama|papa",
    "child": "son|daughter|only child|child|firstborn",
    "sibling": "twin brother|twin sister|half-brother|half-sister|brother|sister|sibling|twin",
    "uncle": "uncle|aunt",
    "nephew": "nephew|niece",
    "cousin": "cousin",
    "teacher": "teacher|mentor|tutor|instructor|old master|master",
    "pupil": "pupil|student|apprentice|disciple|protégé|protégée|novice",
    "enemy": "enemy|foe|nemesis|rival",
    "ally": "ally|friend|comrade|brother-in-arms|confederate",
}
_ZH = {
    "inlaw": "岳父|岳母|丈人|丈母娘|女婿|儿媳妇|儿媳|嫂子|嫂嫂|弟媳|弟妹|姐夫|妹夫|公公|婆婆|小舅子|大舅子|小姨子",
    "grandparent": "爷爷|祖父|奶奶|祖母|外公|外婆|外祖父|外祖母|姥姥|姥爷|太公",
    "grandchild": "孙子|孙女儿|孙女|外孙女|外孙|孙儿|嫡孙|长孙",
    "uncle": "叔叔|叔父|伯父|伯伯|大伯|二叔|三叔|小叔|皇叔|王叔|舅舅|舅父|姑姑|姑母|姑妈|姨母|姨妈|婶婶|婶娘|世叔",
    "nephew": "侄子|侄女儿|侄女|侄儿|外甥女|外甥|皇侄",
    "cousin": "堂兄|堂弟|堂姐|堂妹|表哥|表弟|表姐|表妹|表兄|堂哥",
    "spouse": "妻子|丈夫|夫人|娘子|相公|夫君|发妻|老婆|老公|夫婿|正妻|结发之妻|媳妇|爱人|太太|未婚妻|未婚夫",
    "parent": "父亲|母亲|爹爹|爹娘|爹|娘亲|生父|生母|爸爸|妈妈|老爸|老妈|老爹|父王|母后|父皇|母妃|亲妈|亲爸|亲娘",
    "child": "儿子|女儿|独女|独子|闺女|长子|次子|长女|次女|幼子|幼女|骨肉|千金|嫡子|嫡女|义子|亲女儿|亲儿子",
    "sibling": (
        "哥哥|弟弟|姐姐|妹妹|兄长|亲弟|亲哥|亲姐|亲妹|胞弟|胞兄|胞妹|胞姐|大哥|二哥|大姐|二姐|皇兄|皇弟|长兄|长姐|"
        "孪生兄弟|孪生姐妹|亲兄弟|亲姐妹|亲哥哥|亲弟弟|亲姐姐|亲妹妹"
    ),
    "teacher": "师父|师傅|恩师|老师|授业恩师|师尊|先生",
    "pupil": "徒弟|弟子|徒儿|学生|门生|关门弟子|爱徒|高徒|首徒",
    "enemy": "仇人|死敌|宿敌|死对头|对头|仇敌|大敌|敌人",
    "ally": "盟友|同盟|同伙|知己|挚友|战友|朋友|帮手",
}


def _table(roles: dict[str, str]) -> dict[str, str]:
    return {word: role for role, words in roles.items() for word in words.split("|")}


_ROLES = {**_table(_EN), **_table(_ZH)}


def role_of(word: str) -> str:
    """The role a word stands for."""
    return _ROLES[word.casefold()]


def _longest_first(roles: dict[str, str]) -> str:
    return "|".join(sorted("|".join(roles.values()).split("|"), key=lambda each: (-len(each), each)))


ENGLISH = _longest_first(_EN)
"""All English words for roles, as the inside of a pattern."""

CHINESE = _longest_first(_ZH)
"""All Chinese ones."""

HEADS_EN = (
    r"(?:chief|head|leader|captain|commander|master|mistress|general|lord|lady|abbot|abbess|chair(?:man|woman)?|"
    r"director|president|boss|admiral|marshal|governor|mayor|founder|king|queen|prior|prioress|skipper|matriarch|"
    r"patriarch|warden|commodore|chieftain|headmaster|headmistress|editor)"
)
HEADS_ZH = (
    r"(?:阁主|教主|谷主|掌门人?|首领|统领|主帅|主将|帮主|庄主|大汗|盟主|族长|楼主|寨主|门主|宗主|堂主|舵主|宫主|"
    r"城主|岛主|"
    r"院长|会长|社长|主编|董事长|总经理|总裁|老板|老大|头目|当家人?|掌舵人|掌柜|局长|(?<!副)支队长|(?<!副)队长|"
    r"所长|校长|"
    r"大帅|统帅|元帅|领袖|负责人|头领|主人|少主|坛主|山长|将军|(?<!副)[组站班营团科处厂台船舰]长|(?<!副)司令|领队)"
)
"""Words for whoever leads a group."""
