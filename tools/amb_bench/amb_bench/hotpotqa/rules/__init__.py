"""How the local actor reads a question and answers it from a page: word lists and patterns, for this bench alone.

They were part of `amb_team` until its curator was reduced to what the seed has; see docs/decisions/0027.

page_answer.py     the answer of a page: compared_pages.py for two things, else guesses.py and whole_answers.py
question_types.py  what a question asks for; question_names.py: its names; question_reader.py: pages with it in mind
*_words.py         the data of these
"""

from amb_bench.hotpotqa.rules.page_answer import answer_of_page
from amb_bench.hotpotqa.rules.question_names import names_of_question
from amb_bench.hotpotqa.rules.question_types import choices, question_type

__all__ = ["answer_of_page", "choices", "names_of_question", "question_type"]
