"""A Chinese book read as a whole: who is in it by all their names, and from which chapter."""

from __future__ import annotations

from amb_book.cast.members import CastMember, cast_of

OLD = (
    "却说霜州有一人，姓柳，名澈，字子衡，乃柳原之子也。子衡笑曰：“吾今往矣。”柳澈至霜州，见孟贲。孟贲曰：“公来何迟？”子衡曰：“路远。”\n"
    "孟贲大喜，设宴相待。子衡谓孟贲曰：“明日出兵。”孟贲从之。柳子衡上马而去，子衡自思良久。众将曰：“诺。”柳原曰：“善。”柳原曰：“可。”\n"
)
NEXT = (
    "次日，孟贲引兵出霜州。柳子衡曰：“且慢。”封孟贲为镇北将军。孟贲曰：“谨领命。”子衡问曰：“何人敢去？”孟贲曰：“某愿往。”\n"
    "须臾，孟贲斩贺彪于马下。贺彪部下皆散。柳原病卒，子衡大哭。贺彪者，贼将也。贺彪曾曰：“吾无敌。”贺彪曰：“来。”贺彪曰：“战。”\n"
)
NEW = (
    "“走吧。”小满说。他看着河水，小满没有动。阿桃问：“你怕吗？”小满摇了摇头。阿桃笑了，对小满说：“那就走。”\n"
    "小满把灯放下。“我不怕。”小满说。阿桃看了看小满，没有再问。“快走！”阿桃喊。小满听见了，跟着阿桃跑了起来。\n"
)


def member(cast: list[CastMember], name: str) -> CastMember:
    return next(each for each in cast if name in (each.name, *each.aliases))


def test_a_given_name_is_that_of_the_one_full_name_it_ends() -> None:
    cast = cast_of([NEW.replace("“走吧。”小满", "“走吧。”林小满") * 3])
    assert member(cast, "小满") == member(cast, "林小满") != member(cast, "阿桃")


def test_verbs_of_saying_and_crowds_are_no_part_of_a_name() -> None:
    names = {name for each in cast_of([OLD * 3, NEXT * 3]) for name in (each.name, *each.aliases)}
    assert {"孟贲", "贺彪", "霜州"} <= names
    assert not [name for name in names if name.endswith(("曰", "笑", "大")) or name in ("众将", "次日", "须臾")]
