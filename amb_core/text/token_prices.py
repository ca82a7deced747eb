"""What the letters of a word, and those of other scripts, cost in tokens of o200k; fitted, not written (decision 0098).

All prices are in thousandths of a token.
"""

from __future__ import annotations

__all__ = ["script_price", "word_price"]

from bisect import bisect_right
from functools import lru_cache

_FEWEST_PER_LETTER, _PER_ACCENT = 125, 80
_LONGEST, _PER_LETTER = 60, 450
"""A word that is longer is no word of a language, and is priced by its length."""
_STARTS = (519, 522, 774, 383, 461, 705, 791, 1094, 1139)
"""By what stands before the first letter (nothing, a space, a mark), then by case (lower, Capitalised, CAPITALS)."""
_LENGTHS = (
    0,
    -141,
    -220,
    -246,
    -299,
    -268,
    -275,
    -245,
    -180,
    -149,
    -105,
    -8,
    39,
    82,
    262,
    315,
    515,
    494,
    552,
    892,
    787,
    1213,
    915,
    1133,
    1244,
)
_STEP, _MIDDLE = 57, 63
_PAIRS, _TRIPLES = 28 * 28, 4_096
_LETTERS = (
    "ID><EDAGH?E>BAF;FADJGHHA@GHA?BFJDQINC<JCFB>GL?FA?HHKJPKDEL>I?II?;HFGGMBJGFK@=@IIHAH>EGHHAHBJBEEAGFADC@GK?MIHK=BBCD"
    "BHBA?GKCC=@7@BK:@@D@??DGJB=IKJ=ALMEP@?GFCLPAK?@FCJOTIBEFELAFE:?@G@KKBIL=KC?IDLGHHG@APHHJHDDH@B@A@?PGI@AEJKH>EEDF@C"
    "EECLND@C>BAAFJE@EAJ;FBGGCLEECJ?FSNBLFHM=GHCH??@NNLFEFCDBE;=DCAGJDAIIGHEFHOIWJCGD=BIKEIDC=HHE9AB;NFIGBBEU@HBBBFEB>F"
    "AJBIFJFHD@L?@EEHGPHCDBIIA<@C@@AIDGLGC>HC?CB?HPGCCC?>>BBFGK@FC?AE@HN?BBAP:@?KAECGJ?>IICDAJBCE=AJGDADJ=GMMI?JOEOILGF"
    "?MXMN@MKF@BG:EPWJSJ?>ECJ>=@CAJ@DH>@JIMJJBHKC>HKADLH<<DNDGOBCHIE>CJAFDJCMBC@>BKFE?AB8?LDDFG?J9?DIFMIEDBNCE=@?=D=JCA"
    "ABBDHALCB<FEMCCDAHAGIKDXJV?KE?BD@NSIEBJHBL?EFCAJOJFIJ;AF=KJCDLKDDFFFJJILGDI;=DHPMGLALHIILIKLLDKNPEGHOBBFIEAIL@GNKH"
    "?F;@RKBFGLFDAAKBIOGHFNG?DELEE;EDFUGJBGIK@?CEMMDAGCJAFHKHOC@LGAGGCJP;HHNIB@B>C@BFFFGFBEEBCB?BDD@DBCG?7BFDDCDFGHBF?;"
    "EHC<B;@@BBD=6?;ED?BD8GDEK9BI=<=B<:ED;@<=??D=A<=;<;B59=F@GA?5L<C@=A:BBF?F@>?>BAB9HI==C:AH?DG>@CDJBCHGAAICAKEKF>@MRL"
    "FH?ABJI?BEFDE?GDGB?DDEBGDG<;E:>A:.B<@=>D=OH<>BBJC?ACE;?<?C9FBBL=;RB<BE@9=8;;=E78@>@<;?E?<C;;=<>6=@<:A@>9A;A7<5<A93"
    "8<==0?<B96CE7F@@NF8??CBG9:DCC<A>A5D2EB=EDB@=QCB8:A=J@=@?E=CN<3ED>@D@>BCEAAB@?=F:>>?6:B>DAC6FA?A>GF>EL<@=B>>M?@>GA:"
    "BJ>HFFG@?F=ADHG>A?@B@<CFHA>?BCE@>?BC=EG?K<C?CEDDDG@E@L>CKB?H;:=?AI5QFB=>BIGJD=GDGDDEFKFEABFGGDDDD@IC@ACJ;)9=FLJFED"
    "AJ<FBDB;?5AN<C>C>?<FB;E9:9?BB?;A7C;<;?<B@=716A??:B;E9:9<L;:89B897?915>79<98B;9?>>38>?A=C9:5@<>>;=>?:>;76B3>=6>?3>9"
    "5C<;<545:O=4=A@7B;9>E8IEB@BD?@<?=F>@9:D;><C8@;?;A=4C@FAB9I9<=76@@AH:;C@@AD?=DCD8@>DDDDGED>@AEACMF6DC<8I.?>CB?;CEAH"
    "=AA?CA<@B>=<<@B=>FCDAAD;<@BD=>?EDB@D;FB@=>>==D>?D=?6>=HB8?;7=D:7?C?P>@A@?HBBGCDENBA;FOBAEHEDEBHB@CA@FHBCBAE?FDB??D"
    "@F?:>GCE?CB;=GACCD=CGJ?E@BD?C@FCF>EE@A=CA?BFD?C@AHGJ@GME6BC>=C>@E?JIB8>??@@:;?=D8;C=;C<>=;82:<><:B<<A==:D>?@<:A><;"
    "=?G<9@A>CAA@;==CFC7=DG:@<9D=9C?=:H=CF><C<><@B9=BC:;7=@=?=;<<:<;>9:<?;==>><?EA@;?A>CB;DE=<AC?F<G=>B;;A>@AFAB@B=@@=A"
    "=?BC=<?@>C>B=<?A>BD:A@;@=C?F=JHB=D@?@A??8?9@B9>>AE:@BAF<<@C@?=D8I9??@@@GE?A>?F@E<<CI?;GD<BF:9@BFC?C>CA<;LA:=BG=>BG"
    "DCEBA<GBBIDJE@?LBECFGE?BDBC=CBBC?DCFBDADBCFFEB@>?D@9BFCBFABBB:CBGI@=E>CE@D???H=BB?DCE@E:BD@IAC:ECF@EJC?G@DA<C=?9=>"
    "@A>AG>B9@@B=@=>@@;EBA<>C>DB@9?FF@C9@CG>;BDFEALKE?K@7E<@L@><AEACD@BG=A9=EDE>>HCBA@C@EAB@CA?8AA@<@CFBLCAG@B>EB;;A>AH"
    "BA?MCFBEDFC>FE=FBE>FAA@;FA>>??C>@A>;DHID?A@DHCCDA@@@?>I>=;F@8=A@?:<9A=>;@?B79=<C5@E5>@@8B9;J7:51@F9<4>A>EG?E9HD=E<"
    "I?;>@?:C9C9:=NK=<@C@<D6I;==?;D?B;G;@=:?:@9D>=?<<9C<AA3D>93=EA09CAG6;>C;HE4>A=;8KD@8>=;@>?>?9;E?A;D9CBH:=AA<E@EF:=@"
    "A@;97:<E=G@?;:@AC@@=B6C6:@?@?FEAE@;CK<9<?D>9AD?DD?=5AB.@?F@D?BG#7<QFF>H<GBEDL:I>DDCH=>LAAGDEOID=L@DHG?KJBECF9DJFDG"
    "HH<JDFHC<EAHBEFBF8AIDF>BCNGGFJE@AAJBGC<>BLBH@A:F@=A>A9C=<?@BD=>>=9B@>C=A?@??6>C>A?C?D=ABBB:<O@8BE@G?==AF<<?EA;@D@A"
    "AE?C?<@==BA<>C?H5A@E4>@A<517>A?F9D837=:D@::B<@::85DA6=>78A9-;:BBI?E3=ABJH@JEV>IM@GCNH?BEEJDBME@<JEC<FCHFD@D:AEEIC@"
    "CEECAGG=DI@AAA;CFK=A<=A=7>DFC@F=96GA<6A@=,;)<;I676B:749?;B::6:A=H<?3;58989:?;B><F@=<?JZA?8DQGFE:A:9;@BAEFHCC=?<BD>"
    ":<<:>H=:C>DEL<>A?IB<CCB>8<A/FHFEE=NE@EFSASE:JFCECBD@E@?C@BFK?B?ECB?CB?@IGB=K=DDD<B7R?BDI?F@=F@9>@@G@?AA9;A=?;?B<@B"
    "J>@EBF8<A:8D<A=8CCDGGHC?CB<@?8D=<K=6?HA=C;AG=:=>=<A8<>AEB<CBE=<<?=CBB4>?>1G@=KBF9@>:><=;@?BI@DCACD<7CLD;BNHAAC;:G8"
    "BH;8:;C@/E?@8=>@6:;J>><CF8BA?<5I?B:4I;@<A>9;F@/M??@:F>@B<B:EBD:3C<?E<?;?8=<;A:?=?@?;=B>J9<=@:C<>?B?FF==>@:F?@F@<B>"
    "5?B<?8E7<97=H7<BA0A1@IQC69I@<?:?;C>@9<@??CBBH79?@>EBB<A>BF@?F<AKB@B@AE;=BC@A=@J8>E;B>B<;FGB8BA7?=<BBE;A><@BFCJB@CC"
    "F?>:DFDEDH@G<ABCDE?<=B<>><CB??AACAGG>>>@ACCCICHEAA?@<?=BAAC:C8E=E>A@:GB<;A<=;G=CCD@BH?ACD>DAAC>B;@==AD<?D=?BA;AC>D"
    "3O:<C;AB<B?9F5;H?8:9=AD<@9=6:>>A>558@?>:=@A??<==C>@><CC@>??F:=?==FDJAC>HB><FCJ<F><?@BAA=CJB>B:>D<F>@C??A=C?=B@?>AD"
    ";GAA>@:@F;C>ADC@>E@4:>DDQ>HCCFDCDJCBCBL9ED?CFDAA6DBFC=EG9O@C=K?KF<?PAG@D@C<E@HC?>AA@<CCAC@BAGEB@<CC?<CJ:@IA=AEAEB@"
    "DJBJAB=A<FIHCFKM?DE@E?;B@B@>=CHBB?MAGECEI8>F=MB<;N?@A=E::MEA>>C<;@@>::5DGJ@@:A@:9;CD<0KDB@A7BH5CAAB@F:@:?=;:>91;9G"
    "B;A2D8?9YBA;;BB0=>>A>>ADB<?F:@@J>B=>@9@<C?D>E?D9?B;>>L5BEB?5ED9IFI5<9=5C?5J?B?F?L=@K4CAFHHB?A=FQA>BMCHI@CI@HCB@IGD"
    "@AK=C>@GBG:=??>C@<<C=?EK@DDC=>?I?7VFC=<=<G<BD>C?=BB?=E9B;<=>:;=;>:>8:;@AB>:8<95:=B?;DB;=>:77:95>8C;@;?A<:<B:@::=B>"
    ":G=6>69DA@4;AA>6:<:<8A477>8;A7EA3<8?6?;G?7GMK=DEI?>;5@DB>7BC;?>H<66CJ=?<;7G@=?=>AC<<>0?>H<;@ED:9?C>3D;@5BHAE?B?A?B"
    "BDDBB@@<>FA=CJA<:>2?<@C><?==3=85788<<8::8<3:>:49@?;;96;020353+=;::46F7?HC<LADB07DAB=?=FID=C7I>GBCJ?CFF6EC:ECODC:=H"
    "F@DM:CACBDFF=?AABAC;>?HJ@>HE>EF>G=?DFC==@J?C<DAAAEAJ=@L@?CBA;C=CCAEH<AAOC@H8DDIEDFDIB>BECFHBECCLHAC<HEO8AGDGK=EHDC"
    "@<=D>?NB@<A@C19<>I<G@<BAC=@??CCC@=ED?<B=DF>E?GBA:E0<ABDJ;GD?AM=<EDA<CAD8A8EB<DD>A;;<E8@<C9?CB@::CEB<:?>>>D=>>2<<AI"
    "@O;EDC@;<@BBMBBD<C?@D>AAC=AG=GAD>?:AC?;@E<;DBAE?>;G7@B8=;8CAH?C@BB<;?E?:F@GFA=<?DEABDFA=8@B6<?>7=?B?>;?G@=@=:?;@<9"
    "?F9??DBBG<@=><>@EAA>AKN>@IK@C>ADJ3>>GGA?H8D9GI@D9BCDGL=@DAM@;A>E;H57>B:G?E=09?;E=CC<AA@8?;5@>?6;;A@<:>==9;G<@388A6"
    ":=C4@B:8EHE=AA;GBC@KFIK5>?AEFEIBGHBBA@EFHE@@KHDEC>A=F@E:JG@EEEG@DEELECCN>CLH;E@A>DB<H<IAA@E;F<B?BAEHAI@>@<:GA?EC;>"
    ">8@A<>9;77@BD<=<F?GHA;=8;8R;?=@B>K>=LJ?DAHLD=?AA>DFE9S;><AA@CA=@?99AE5@E?H?8>G<C>F;@FE;<@BG3"
)
"""Prices of pairs of letters, then of hashed triples: the character `?` is 0, each character further one step more."""

_SCRIPTS = (
    (0x80, 0, 1300),
    (0x2B0, 0, 1950),
    (0x370, 260, 385),
    (0x400, 590, 700),
    (0x410, 600, 300),
    (0x450, 0, 300),
    (0x530, 1120, 235),
    (0x590, 340, 435),
    (0x600, 60, 475),
    (0x6B0, 0, 800),
    (0x6CC, 0, 475),
    (0x6CD, 0, 900),
    (0x700, 0, 2100),
    (0x780, 500, 2100),
    (0x7C0, 0, 3000),
    (0x900, 200, 405),
    (0x980, 230, 400),
    (0xA00, 0, 690),
    (0xA80, 80, 460),
    (0xB00, 660, 1080),
    (0xB80, 1120, 270),
    (0xC00, 570, 445),
    (0xC80, 870, 355),
    (0xD00, 1080, 275),
    (0xD80, 0, 670),
    (0xE00, 330, 425),
    (0xE80, 1850, 1850),
    (0xF00, 1350, 1530),
    (0x1000, 770, 520),
    (0x10A0, 590, 305),
    (0x1100, 0, 3000),
    (0x1200, 950, 2050),
    (0x13A0, 900, 3000),
    (0x1780, 810, 610),
    (0x1800, 0, 3000),
    (0x2000, 0, 1300),
    (0x2030, 0, 1900),
    (0x2190, 0, 1950),
    (0x2500, 1350, 250),
    (0x2580, 500, 1300),
    (0x2600, 0, 2100),
    (0x27C0, 0, 3000),
    (0x3040, 170, 640),
    (0x3100, 0, 2600),
    (0x3400, 0, 3000),
    (0xAC00, 550, 535),
    (0xD7B0, 0, 3000),
    (0x10000, 0, 4000),
    (0x1F000, 0, 2700),
    (0x1FB00, 0, 4000),
)
"""The first character of a script, what a run of it costs, and each character of it."""
_FIRST = [first for first, _, _ in _SCRIPTS]
_EDGE, _ACCENTED = 27, 26
_place_of = {chr(97 + place): place for place in range(26)}


@lru_cache(maxsize=4_096)
def _script_of(char: str) -> int:
    return bisect_right(_FIRST, ord(char)) - 1


def word_price(word: str) -> int:
    """The price of letters of the Latin alphabet, with the one space or mark that a vocabulary joins to them."""
    letters = word if word[0].isalpha() else word[1:]
    before = 0 if letters is word else 1 if word[0] == " " else 2
    case = 0 if letters[0].islower() else 2 if letters[1:2].isupper() else 1
    length = len(letters)
    if length > _LONGEST:
        return _PER_LETTER * length
    places = [_EDGE, *(_place_of.get(letter, _ACCENTED) for letter in letters.lower()), _EDGE]
    steps = 0
    for first, second, third in zip(places, places[1:], [*places[2:], None], strict=False):
        pair = first * 28 + second
        steps += ord(_LETTERS[pair]) - _MIDDLE
        if third is not None:
            steps += ord(_LETTERS[_PAIRS + (pair * 28 + third) % _TRIPLES]) - _MIDDLE
    price = _STARTS[3 * before + case] + _LENGTHS[min(length, len(_LENGTHS) - 1)]
    price += steps * _STEP + _PER_ACCENT * places.count(_ACCENTED)
    return max(1_000, _FEWEST_PER_LETTER * length, price)


def script_price(run: str) -> int:
    """The price of a run of other characters, with the one space before it; of several scripts, each has its own."""
    price, latest = 0, -1
    for char in run.lstrip():
        script = _script_of(char)
        price += _SCRIPTS[script][2] + (_SCRIPTS[script][1] if script != latest else 0)
        latest = script
    return max(1_000, price)
