"""Abbreviations whose full stop does not end a sentence, as data."""

__all__ = ["ALWAYS_INSIDE", "ENDS_UNLESS_NUMBER", "MAY_END"]

ALWAYS_INSIDE = frozenset(
    word
    for line in (
        "dr mr mrs ms mx prof st mt ft gen col lt sgt capt cmdr adm maj pvt rev hon sen rep gov pres supt messrs",
        "mme mlle mons e.g i.e eg ie viz cf vs ca approx est resp incl excl esp lit op eds trans tr al ibid",
        "dept univ assn bros mss bldg ave blvd hwy rte",
    )
    for word in line.split()
)
"""Something always follows in the same sentence."""

ENDS_UNLESS_NUMBER = frozenset("no nos fig figs eq eqs sec secs art vol vols pp para chap ch p".split(" "))
"""An abbreviation only before a number: "No. 5" against "No. I did not."."""

MAY_END = frozenset(
    word
    for line in (
        "etc inc ltd co corp llc plc jr sr ph.d m.d b.a m.a b.sc m.sc d.c u.s u.k u.n u.s.a e.u a.m p.m pm b.c a.d bc esq",
        "seq sq cu oz hr hrs jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat v c",
    )
    for word in line.split()
)
"""Ends a sentence only when a new one clearly begins."""
