"""Function words of English and Chinese, as data."""

__all__ = ["CHINESE_CHARS", "CHINESE_WORDS", "ENGLISH", "ENGLISH_STOP", "word_set"]


def word_set(*lines: str) -> frozenset[str]:
    """The words of white-space separated lines."""
    return frozenset(word for line in lines for word in line.split())


ENGLISH = word_set(
    "a about above after again against all also although always am among an and another any anyone anything are as at be",
    "because been before being below between both but by can cannot could did do does doing done down during each either",
    "else even ever every everyone everything few for from further get gets getting go goes going gone got had has have",
    "having he her here hers herself him himself his how however i if in into is it its itself just let like many may me",
    "might mine more most much must my myself neither no nor not now of off often on once one only onto or other others our",
    "ours ourselves out over own per perhaps quite rather really same shall she should since so some someone something still",
    "such than that the their theirs them themselves then there therefore these they this those though through thus to too",
    "toward towards under unless until up upon us very was we well were what whatever when where whether which while who",
    "whom whose why will with within without would yes yet you your yours yourself yourselves",
)
"""Words that carry no topic."""

ENGLISH_STOP = ENGLISH | word_set(
    "s t d ll m o re ve don doesn didn isn aren wasn weren hasn haven hadn wouldn couldn shouldn im ive id youre dont"
)
"""What the index leaves out: the function words and what is left of contractions."""

CHINESE_CHARS = frozenset("的了和是在有也就都而及与或之其于以为被把这那个们着吗呢吧啊呀么很又还将从向到由")
"""Function characters: no index terms by themselves."""

CHINESE_WORDS = word_set(
    "我们 你们 他们 她们 它们 自己 这个 那个 这些 那些 这样 那样 这里 那里 什么 怎么 怎样 如何 为什么 哪里 哪个 多少 因为 所以 但是 然而 不过 虽然 如果 而且 并且 或者 以及 还有 还是",
    "就是 只是 可是 于是 因此 由于 通过 根据 按照 关于 对于 随着 为了 除了 以后 以前 之后 之前 之间 其中 其他 其它 一个 一些 一种 一样 一直 一般 没有 不是 不会 不能 可以 可能 能够",
    "应该 需要 必须 已经 曾经 正在 将会 开始 进行 使用 成为 作为 认为 表示 包括 包含 主要 许多 很多 非常 十分 比较 更加 目前 现在 当时 同时 后来 最后 最终 首先 其次 此外 另外 例如",
)
