"""The fixed words of a team block, English and Chinese."""

from __future__ import annotations

from dataclasses import dataclass

from amb_core.rendering import Language

__all__ = ["WORDS", "TeamWords"]


@dataclass(frozen=True, slots=True)
class TeamWords:
    """The words of one language."""

    question: str
    state: str
    states: dict[str, str]
    hops: str
    hop: str
    found: str
    searched: str
    in_vain: str
    whole: str
    answer: str
    answer_from: str
    next: str
    facts: str
    disputed: str
    about: str
    own: str
    hypothesis: str
    verified: str
    step: str
    evidence: str
    plan: str
    challenge: str
    earlier: str
    worked: str
    failed: str
    insight: str
    skill: str


WORDS: dict[Language, TeamWords] = {
    "en": TeamWords(
        question="Question: {}",
        state="State: {state}, hop {done} of about {all}",
        states={"in_progress": "in progress", "completed": "completed", "failed": "failed"},
        hops="What the team did:",
        hop="{action} → {answer}",
        found="{} fact(s)",
        searched="Already searched, do not repeat: {}",
        in_vain="Found nothing: {}",
        whole="the whole question",
        answer="Answer so far: {}",
        answer_from="{answer} ({confidence}, from {action})",
        next="To ask next: {}",
        facts="What the team knows:",
        disputed=" (disputed)",
        about="{subject}: {fact}",
        own="Your own notes:",
        hypothesis="may be the answer ({confidence}): {}",
        verified="holds: {}",
        step="{premise} → {conclusion}",
        evidence="seen: {}",
        plan="to ask next: {}",
        challenge="caution: {}",
        earlier="From earlier tasks:",
        worked="worked: {task} → {steps} → {answer}",
        failed="failed: {task} → {steps} ({reason})",
        insight="learnt: {}",
        skill="a way that worked {successes} of {uses} times: {pattern}",
    ),
    "zh": TeamWords(
        question="问题：{}",
        state="状态：{state}，第 {done} 跳，预计共 {all} 跳",
        states={"in_progress": "进行中", "completed": "已完成", "failed": "失败"},
        hops="团队已做：",
        hop="{action} → {answer}",
        found="{} 条事实",
        searched="已检索过，勿重复：{}",
        in_vain="无结果：{}",
        whole="整个问题",
        answer="目前的答案：{}",
        answer_from="{answer}（{confidence}，来自 {action}）",
        next="下一步查询：{}",
        facts="团队已知：",
        disputed="（有争议）",
        about="{subject}：{fact}",
        own="你自己的笔记：",
        hypothesis="可能的答案（{confidence}）：{}",
        verified="已证实：{}",
        step="{premise} → {conclusion}",
        evidence="见到：{}",
        plan="下一步查询：{}",
        challenge="注意：{}",
        earlier="以往任务：",
        worked="成功：{task} → {steps} → {answer}",
        failed="失败：{task} → {steps}（{reason}）",
        insight="经验：{}",
        skill="有效做法（{uses} 次中成功 {successes} 次）：{pattern}",
    ),
}
