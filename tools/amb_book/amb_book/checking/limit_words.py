"""Words for what captives, sleepers, the wounded, the mute, the blind and the missing do, and for what changes it."""

from __future__ import annotations

import re

__all__ = [
    "BANDAGED",
    "FOUND",
    "FREED",
    "FREE_ACT",
    "HEALED",
    "KNOWN_ASLEEP",
    "LOOKS",
    "SLEEPS_ON",
    "SOUGHT",
    "STRENUOUS",
    "UNSEEING",
    "WOKEN",
]

FREED = {
    "en": re.compile(
        r"\b(?:freed|frees|set free|free (?:again|now|at last|man|woman)|at liberty|escap\w+|released?|"
        r"let (?:him|her|them) (?:out|go)|unlock\w*|unbound|unchained|unshackled|broke(?:n)? (?:out|free|loose)|"
        r"rescued?|ransom\w*|pardon\w*|parole\w*|bail\w*|acquitted|door (?:stood|was|swung) open|"
        r"cut (?:his|her) (?:bonds|ropes)|loosed|slipped (?:his|her|the) (?:chains?|cuffs|bonds|guards?)|"
        r"out of (?:the|his|her) (?:cell|prison|tower|brig|jail|gaol))\b"
    ),
    "zh": re.compile(
        r"释放|放了[他她人出]|放出|放[他她](?:走|出|一)|逃[出走脱离了]|越狱|救出|救了|脱困|获释|赦|"
        r"解开[^，。]{0,3}[绳锁镣捆铐]|松绑|"
        r"劫狱|劫牢|开了锁|打开牢|破牢|出狱|赎|锁落|开锁|押[解送着到来]|带出|脱身|提审|提出来|保释|取保|刑满|解禁|"
        r"解了禁"
    ),
}
FREE_ACT = {
    "en": re.compile(
        r"\b(?:rode|galloped|sailed|marched|strode|strolled|sauntered|came in|walked in(?:to)?|entered|burst in|"
        r"dismounted|"
        r"mounted|swam|led the|arrived|crossed the|hunted|danced|dined|shopped|wandered|climbed aboard|boarded|"
        r"stepped ashore|rowed|drove|parked|ordered (?:a|another|two)|poured (?:him|her|them|himself|herself|the)|"
        r"waited (?:by|at|outside|under)|drifted|hailed|bought|paid|knocked|rang the bell|opened the (?:front )?door|"
        r"let (?:him|her|them) in|took the wheel|joined (?:him|her|them|the))\b"
    ),
    "zh": re.compile(
        r"骑着?马|策马|纵马|翻身上马|走进|推门|闯进|赶到|赶来|登上|率|带着.{0,6}(?:人|兵|队)|领着|上街|进了|"
        r"跨进|踏进|出现在|掀帘|拍马|驾|逛|开车|下了车|上了车|路过|买了|付了|敲门|迎面|踱进|走到|走过来|挤[进到]|赴|"
        r"坐上"
    ),
}
WOKEN = {
    "en": re.compile(
        r"\b(?<!not )(?<!never )(?<!nobody )(?:woke|woken|wakes|waking|awoke\w*|awake|came (?:to|round)|come (?:to|"
        r"round)|"
        r"opened (?:his|her|their) eyes|recover(?:ed|s|ing)|eyes (?:opened|fluttered)|roused|regained|conscious again|"
        r"out of (?:the|his|her) coma|better now)\b"
    ),
    "zh": re.compile(r"(?<![没未不])(?<!没有)(?<!还没)醒(?!木|目)|睁开|苏醒|转醒|恢复了?(?:意识|知觉|神志)|缓过|活转"),
}
KNOWN_ASLEEP = {
    "en": re.compile(
        r"\b(?:unconscious|senseless|comatose|coma|stupor|would not wake|(?:had|has) not (?:woken|stirred)|"
        r"(?:did|does) not (?:wake|stir)|never (?:woke|stirred)|still (?:asleep|under)|asleep)\b"
    ),
    "zh": re.compile(r"昏迷|昏睡|不省人事|人事不省|未醒|不醒|没有?醒|没醒|一动不动"),
}
SLEEPS_ON = {
    "en": re.compile(
        r"^\s+(?:\w+ly\s+)?(?:breathed|moaned|groaned|slept|lay|sighed|turned|muttered|stirred|dreamed|dreamt|"
        r"twitched)\b|"
        r"had not|did not"
    ),
    "zh": re.compile(r"^.{0,4}(?:呼吸|躺|睡|哼|呻吟|没|不|抽搐|呓语)"),
}
HEALED = {
    "en": re.compile(
        r"\b(?:found (?:his|her) (?:voice|tongue)|could speak|heal\w*|cured?|first word|voice (?:had "
        r")?(?:came|come) back|sign(?:ed|s)?|wrote|gestur\w*|mouthed)\b"
    ),
    "zh": re.compile(
        r"用(?:手|眼|笔|树枝|指|嘴)|口型|无声|手势|点头|摇头|写|画|治好|能说话|会说话|开口了|恢复|"
        r"第一次开口|比划|手语|打手势|写道|写下|在心里|心想|心道"
    ),
}
STRENUOUS = {
    "en": re.compile(
        r"^(?:\s+\w+ly)?\s+(?:ran|sprinted|lea[pt]{1,3}ed|leapt|vaulted|galloped|danced|wrestled|climbed|swam|raced|"
        r"dashed|jumped|"
        r"scrambled|bounded|charged|sprang|skipped|tackled|hurdled|cartwheeled|sparred|fenced|duell?ed|wrestled|"
        r"sprang)\b"
    ),
    "zh": re.compile(
        r"^[^，。]{0,12}(?:飞奔|奔跑|狂奔|一跃|跃[上过起下]|翻[过上]墙|翻身上马|纵身|纵马|跳[上过下]|飞身|攀上|"
        r"大步流星|健步如飞|舞剑|翻跟头|疾驰|过招|比剑|比武|交手|对打|厮杀|搏斗|切磋|练剑|练枪|舞刀|步子轻捷)"
    ),
}
BANDAGED = {
    "en": re.compile(
        r"\b(?:wound\w*|bandag\w*|limp\w*|pain\w*|heal\w*|scars?|stitch\w*|sling|crutch\w*|blood\w*|hurt|ached?|"
        r"better)\b"
    ),
    "zh": re.compile(r"伤|痛|疼|血|绷带|纱布|拐|瘸|痊|愈|药|好了"),
}
LOOKS = {
    "en": re.compile(
        r"^(?:\s+\w+ly)?\s+(?:saw|watched|read|spotted|glanced|studied|peered|stared|glimpsed|eyed|examined|squinted|"
        r"winked)\b"
    ),
    "zh": re.compile(r"^[^，。的]{0,6}(?:看见|看清|看到|望见|盯着|读着|瞥见|端详|打量|扫了一眼|看了一眼|望着|瞧见)"),
}
UNSEEING = {
    "en": re.compile(r"\b(?:blind\w*|sight|sightless|unseeing|braille|dark(?:ness)?|fingertips|listen\w*)\b"),
    "zh": re.compile(r"盲|瞎|失明|看不见|复明|摸索|黑暗|眼前一片"),
}
SOUGHT = {
    "en": re.compile(
        r"\b(?:hiding|hidden|secret\w*|missing|vanish\w*|search\w*|nobody knew|no one knew|another name|far from|"
        r"rescu\w*|alive|reward|whereabouts|(?:not|never) found|find (?:him|her|them)|at last|all this time)\b"
    ),
    "zh": re.compile(r"躲|隐姓|化名|改名|无人知|没有人知道|下落|失踪|逃|救|远方|囚|牢|活着|寻了|终于|这些[天日年]"),
}
FOUND = {
    "en": re.compile(r"\b(?:hid|found|return\w*|come back|came back|lost|escap\w*|back)\b"),
    "zh": re.compile(r"藏|隐|回来|归来|找到|寻|关|回了"),
}
