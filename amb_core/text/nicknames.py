"""Usual short forms of English first names, as data."""

__all__ = ["NICKNAMES"]

_PAIRS = (
    "Abigail:Abby Abraham:Abe Albert:Al Alexander:Alex Alexandra:Alex Alfred:Alf Andrew:Andy Anthony:Tony "
    "Arthur:Art Barbara:Barb Benjamin:Ben Bernard:Bernie Catherine:Cathy Charles:Charlie Christopher:Chris "
    "Clifford:Cliff Daniel:Dan David:Dave Deborah:Debbie Dominic:Dom Donald:Don Douglas:Doug Edgar:Ed "
    "Edmund:Eddie Edward:Ed Elizabeth:Liz Eugene:Gene Francis:Frank Franklin:Frank Frederick:Fred Gerald:Gerry "
    "Gregory:Greg Harold:Harry Henry:Harry Jacob:Jake James:Jim Jeffrey:Jeff Jennifer:Jenny Jerome:Jerry "
    "Jessica:Jess Joel:Joe John:Jack Jonathan:Jon Joseph:Joe Joshua:Josh Katherine:Kate Kenneth:Ken Kimberly:Kim "
    "Lawrence:Larry Leonard:Len Margaret:Maggie Martin:Marty Matthew:Matt Michael:Mike Mitchell:Mitch "
    "Nathaniel:Nate Nicholas:Nick Pamela:Pam Patricia:Pat Patrick:Pat Peter:Pete Philip:Phil Phillip:Phil "
    "Raymond:Ray Rebecca:Becky Richard:Dick Robert:Bob Rodney:Rod Ronald:Ron Rudolph:Rudy Samuel:Sam Sidney:Sid "
    "Stanley:Stan Stephen:Steve Steven:Steve Susan:Sue Terence:Terry Theodore:Ted Thomas:Tom Timothy:Tim "
    "Victoria:Vicky Vincent:Vince Walter:Walt William:Bill Zachary:Zach "
)

NICKNAMES: dict[str, str] = {pair.partition(":")[0]: pair.partition(":")[2] for pair in _PAIRS.split()}
