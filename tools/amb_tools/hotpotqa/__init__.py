"""HotpotQA as an environment for teams of agents: questions, Search, Lookup and Finish, and the official scores."""

from amb_tools.hotpotqa.hotpot_environment import Environment, PassageSearch, Stepped
from amb_tools.hotpotqa.hotpot_questions import (
    HotpotQuestion,
    Passages,
    bundled_questions,
    exact_match,
    f1_score,
    load_questions,
    normalised_answer,
    read_questions,
    sample_questions,
)

__all__ = [
    "Environment",
    "HotpotQuestion",
    "PassageSearch",
    "Passages",
    "Stepped",
    "bundled_questions",
    "exact_match",
    "f1_score",
    "load_questions",
    "normalised_answer",
    "read_questions",
    "sample_questions",
]
