"""Whether two statements answer one question in whatever words."""

from amb_core.agents.chinese_claims import chinese_claim_of, chinese_claims_meet
from amb_core.agents.claims import claim_of, claims_meet
from amb_core.agents.statements import Statement

__all__ = ["claims_agree"]


def claims_agree(a: Statement, b: Statement) -> bool:
    """Whether the claims of two statements of one language are on one matter; their values may differ."""
    if a.kind != b.kind or a.chinese != b.chinese:
        return False
    if a.chinese:
        said, other = chinese_claim_of(a), chinese_claim_of(b)
        return said is not None and other is not None and said.said == other.said and chinese_claims_meet(said, other)
    claim, against = claim_of(a), claim_of(b)
    return claim is not None and against is not None and claim.said == against.said and claims_meet(claim, against)
