"""Words that put others in a relation in which they cannot change places, as data: `relation: words`.

`later` is said before what comes later ("run the tests before the commit"), `…-behind` after what it is said of
("提交前"). `but` ends what a denial reaches.
"""

__all__ = ["RELATORS"]

RELATORS = """
later: followed_by and_then afterwards afterward subsequently thereafter only_then after_that before prior_to ahead_of earlier_than 再 然后 之后再 再去 接着
earlier: after following once_the subsequent_to later_than as_soon_as 先 首先 先要
later-behind: 前 之前 以前 前先
earlier-behind: 后 之后 以后 过后
below: divided_by dividing_by divide_by divides_by as_a_share_of relative_to 除以
ratio-behind: 之比 的比值
taken: minus less_the subtract subtracts subtracted subtracting deduct deducts deducted deducting 减去 减 扣减 减掉
by: by_the grouped_by sorted_by ordered_by 按 按照
from: from 从
to: to_the
per: per
over: over
but: but whereas while_the instead 但 但是 而是 改为 改用 却 不过
"""
