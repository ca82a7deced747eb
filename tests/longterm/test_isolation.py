"""One user's memory is never another's, whatever their ids look like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.errors import InvalidParameter
from amb_longterm import LongTermMemory
from amb_longterm.namespaces import checked_namespace, namespace_of, owner_of

LOOK_ALIKES = [
    *("u1", "u10", "U1", "u%", "u_", "u*", "u?", "ｕ1", "u１", "и1"),
    *("u1%2F", "u-1", "u 1", "[u1]", "u1'", 'u"1', "u\\1", "%", "_", "*"),
]
NO_NAMESPACES = [
    *(None, "", "  ", 7, "a//b", "/a", "a/", "a/../b", "a/.", " a"),
    *("a\nb", "a\u200bb", "a\x00", "x" * 201),
]


def test_users_whose_names_look_alike_see_only_their_own(memory):
    ids = {}
    for user in LOOK_ALIKES:
        ids[user] = memory.write("Likes charts", namespace=namespace_of("user_profile", user)).id

    assert len(set(ids.values())) == len(LOOK_ALIKES)
    for user, own in ids.items():
        namespace = namespace_of("user_profile", user)
        assert [hit.id for hit in memory.search("charts", namespace=namespace)] == [own]
        others = [other for other in ids.values() if other != own]
        assert all(memory.get(other, namespace=namespace) is None for other in others)
        assert sum(memory.delete(other, namespace=namespace).deleted for other in others) == 0


@pytest.mark.parametrize("bad", NO_NAMESPACES)
def test_no_call_goes_without_a_proper_namespace(plain, bad):
    for call in (
        lambda: plain.write("x", namespace=bad),
        lambda: plain.search("x", namespace=bad),
        lambda: plain.update("r1", namespace=bad, content="x"),
        lambda: plain.delete("r1", namespace=bad),
        lambda: plain.records(bad),
        lambda: plain.history("r1", namespace=bad),
    ):
        with pytest.raises(InvalidParameter, match="namespace"):
            call()


names = st.text(
    alphabet=st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp")), min_size=1, max_size=12
).filter(lambda name: name.strip() == name and name not in (".", ".."))


@given(first=names, second=names)
def test_any_two_users_have_two_namespaces(first, second):
    one, other = namespace_of("user_profile", first), namespace_of("user_profile", second)

    assert (one == other) == (first == second)
    assert checked_namespace(one) == one
    assert owner_of(one) == first
    assert one.count("/") == 1


@given(first=names, second=names, word=st.sampled_from(["charts", "图表"]))
def test_what_one_user_wrote_no_other_finds(first, second, word):
    with LongTermMemory(redactor=None) as memory:
        own = memory.write(f"Likes {word}", namespace=namespace_of("p", first)).id
        found = memory.search(word, namespace=namespace_of("p", second))

        assert [hit.id for hit in found] == ([own] if first == second else [])
