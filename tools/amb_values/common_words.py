"""Everyday English words, so that a capital at the start of a sentence is not taken for a name; one stem stands for
all forms of a word."""

from functools import lru_cache

from amb_core.text.english_vocabulary import ENGLISH, word_set
from amb_core.text.index_terms import stem
from amb_core.text.pure_cache import text_cache

__all__ = ["is_common", "is_opener", "topic_weight"]

_OPENERS = """
    accordingly actually additionally afterwards again ago alas alike alright alternatively altogether always
    anyhow anyway apparently approximately arguably away aw awesome aww basically bye certainly cheers clearly
    congrats congratulations consequently conversely currently curiously definitely despite directly downstairs
    each earlier easily elsewhere essentially eventually everywhere evidently exactly except excluding fairly
    finally following formally formerly forth fortunately frankly frequently fully furthermore generally gladly
    glad gosh gotcha gradually greetings ha haha hah hardly haven hello hence hey hi historically hmm honestly
    hopefully hooray huh immediately importantly including incredibly indeed initially instead interestingly
    ironically jointly lastly lately later latter less likely likewise literally lol luckily mainly meanwhile
    merely mm moreover mostly namely naturally nearby nearly necessarily nevertheless nobody none nonetheless
    normally notably nothing nowadays nowhere obviously occasionally oh ok okay oops ordinarily originally
    otherwise ouch partly per perfectly please possibly practically precisely presumably previously primarily
    probably provided purely quickly rarely readily recently regarding regardless regularly relatively
    respectively roughly sadly secondly seemingly seldom separately seriously several shortly significantly
    similarly simply simultaneously slightly slowly somehow sometimes somewhat somewhere soon sorry specifically
    strictly subsequently successfully suddenly supposedly surely thank thankfully thanks theoretically thirdly
    thrice today together tomorrow tonight truly twice typically ultimately undoubtedly unfortunately unless
    unlike unlikely upstairs usually versus via whenever whereas whereby wherever whether whoever wholly whose
    widely woah worldwide wow yay yeah yep yesterday yup i'm i've i'll i'd you're you've you'll it's that's
    there's here's what's who's let's we're we've we'll they're he's she's don't doesn't didn't isn't aren't
    wasn't weren't can't couldn't won't wouldn't shouldn't haven't hasn't hadn't never woohoo bet btw oof yum
    yummy ah aha ahh awww awwww ooh oooh ooo mmm hmmm yea anyways anytime besides bummer ttyl omg fyi imo dang
    kudos tons stuff already almost enough y'all c'mon welp tbh idk thx bravo hurray yikes darn damn nah hahaha
    lmao aside apart upon amid amidst whilst albeit lest hereby thereby therein thereof whereupon meantime
    sincerely regards
"""
_VERBS = """
    accept achieve act add adjust admit advise affect agree aim allow announce answer appear apply approach argue
    arrange arrive ask assume attach attack attempt attend avoid base be bear beat become begin believe belong
    bring build burn buy calculate call cancel care carry catch cause celebrate change charge check choose claim
    clean clear click close collect combine come compare complete compute confirm connect consider consist contact
    contain continue contribute control convert cook copy correct cost count cover create cross cry cut dance deal
    decide declare decrease define delete deliver demonstrate deny depend deploy describe design destroy determine
    develop die disable disappear discover discuss divide do draw dream dress drink drive drop earn eat edit
    eliminate emerge employ enable encourage end enjoy ensure enter establish estimate evaluate examine exist
    expand expect experience explain explore express extend extract face fail fall feed feel fight fill find
    finish fit fix fly focus follow force forget form found gain gather get give go grow guess handle hang happen
    hate have hear help hide hit hold hope hurry identify ignore imagine implement import improve include increase
    indicate influence inform insert install intend introduce invest invite involve join jump keep kick kill know
    label land laugh launch lay lead learn leave lend let lie lift like link listen live load log look lose love
    maintain make manage mark marry matter measure meet mention merge mind miss mix modify monitor move name need
    obtain occur offer open operate order own pack paint park participate pass pay perform pick plan play point
    prefer prepare present press prevent print proceed process produce promise promote protect prove provide
    publish pull push put raise reach read realise realize receive recognise recognize recommend record reduce
    refer reflect refuse relate release rely remain remember remove render repeat replace reply report represent
    request require resolve respond rest restart result retain return reveal review ride ring rise roll run save
    say search see seek seem select sell send separate serve set settle shake share shift shoot show shut sign
    sing sit sleep smell smile solve sort sound speak spend split spread stand start state stay steal stick stop
    store strike struggle study submit succeed suffer suggest supply support suppose surprise survive swim switch
    take talk teach tell tend test thank think throw touch track train transfer travel treat try turn understand
    update upgrade upload use validate vary verify visit vote wait wake walk want warn wash watch wear win wish
    wonder work worry wrap write yield assuming based born built known founded located situated named compared
    created designed developed directed written filmed recorded released produced published owned operated raised
    took made met felt heard seen knew got gave went came saw said told thought brought bought caught taught
    held kept left lost meant paid ran sent sat slept spent stood won wore wrote began broke chose drew drove ate
    fell flew forgot grew hid led rode rang rose sang sank shook shone shot showed spoke stole struck swam swore
    threw tore understood woke
"""
_NOUNS = """
    attendee agenda ability abstract access accident account achievement action activity actor actress addition
    address administration adult advantage adventure advertising advice affair age agency agent agreement aid air
    aircraft airline airport album alcohol algorithm amount analysis ancestor angel anger animal anniversary
    answer apartment appendix application appointment area argument arm army arrangement arrival art article
    artist aspect assembly asset assistance association athlete atmosphere attention attitude audience aunt author
    authority average award baby background bag balance ball band bank bar baseball basketball battery battle
    beach beauty bed beer behavior behaviour benefit bicycle bike bird birth birthday blood board boat body bone
    book border boss bottle bottom box boy brain branch bread break breakfast brother budget bug building bus
    business cake camera camp campaign candidate capacity capital captain car card career cart case cat category
    cell center central centre century ceo chain chair challenge champion championship chance chapter character
    charity chemical chemistry chief child childhood children choice church circle citizen city civil class
    classic client climate clinic clock clothes cloud club coach coal coast code coffee coin collection college
    color colour column combination comedy comment commission committee communication community company
    competition computer concept concern concert conclusion condition conference conflict connection construction
    consumer content contest context contract contrast control conversation cost council country county couple
    course court cousin credit crew crime criticism critic crowd culture cup currency customer cycle dad damage
    danger data database date daughter day death debate debt decade decision deep defense definition degree
    delivery demand density department deputy description desk detail development device diet difference
    difficulty dinner direction director disaster discovery discussion disease dish display distance distribution
    district division doctor document dog dollar door drama dress driver drug duty earth east economy edge edition
    editor education effect effort egg election electricity element emergency emotion employee employer energy
    engine engineer engineering entertainment entrance entry environment episode equipment error event evening
    evidence evolution example exception exchange exercise exhibition expense experiment expert explanation export
    expression extension eye fabric facility fact factor factory failure faith fall family fan fantasy farm farmer
    fashion father fear feature federation fee feedback female festival fiction field figure file film finance
    finding fire firm fish flight floor flow flower folk food foot football foreign forest form format formula
    fortune foundation framework freedom freight friend friendship front fruit fuel fun function fund funding
    future game gang garden gas gate gender gene generation genre gift girl glass goal god gold golf government
    governor grade graduate grandfather grandma grandmother grandpa graph grass ground group growth guard guest
    guide guitar gun guy habit hair hall hand harbor head headline health heart heat height hero highway hill
    history hobby holiday home honor horse hospital host hotel hour house household human husband ice idea
    identity illness image immigration impact implementation incident income industry infection inflation
    information infrastructure injury input insect inspiration instance institute institution instruction
    instrument insurance interest interface internet interview introduction investigation investment investor
    invitation island issue item job journal journalist journey joy judge juice justice key kid king kingdom
    kitchen knowledge lab labor laboratory labour lack lady lake lamp land language laptop law lawyer layer leader
    leadership league learning leg legend length lesson letter level library licence license life light limit line
    list literature loan location logic loss lot lunch machine magazine mail main maintenance majority male mall
    man manager manner manufacturer map marathon margin market marketing marriage mass master match material math
    maximum mayor meal meaning meat media medicine medium meeting member membership memory men menu message metal
    method middle mile military milk minimum mining minister minority minute mirror mission mistake mixture mode
    model moment mom money month mood moon morning mother motion motor mountain mouth movement movie mum museum
    music musician mystery nation nature neighbor neighborhood neighbour network news newspaper night noise north
    notice notion novel nuclear number nurse object objective observation occasion ocean office officer official
    oil operation operator opinion opportunity opposition option orange orchestra organisation organization origin
    outcome output overview owner page pain pair panel paper parameter parent park part participant partner
    partnership party passage passenger password patch path patient pattern peace people percent percentage
    performance period permission person pet phase philosophy phone photo phrase physics piano picture piece pilot
    pizza place planet plant plastic plate platform player playoff plot pocket poem poet poetry police policy
    politician politics pollution pool pop population port portion position possession possibility post potential
    power practice preparation presence president pressure price pride priest principle priority prison prize
    problem procedure product production profession professor profile profit program programme progress project
    promotion proof property proposal protection protein protest province provision psychology pub public
    publication publisher purchase purpose quality quantity quarter queen query question queue race radio rail
    railroad railway rain range rank rate ratio reaction reader reality reason reception recipe recognition
    recommendation red reference reform region registration regulation relation relationship relative relief
    religion rent repair republic reputation research researcher resident resistance resolution resource response
    responsibility restaurant retirement revenue revolution reward rice risk river road robot rock role roof room
    root route routine row rule safety salary sale sales salt sample satellite scale scene schedule scheme school
    science scientist scope score screen script sea season seat secret secretary section sector security seed
    sense sensor sentence sequence series server service session setup sex shape ship shoe shop shore shot
    shoulder side sight signal silver singer singles sister site situation size skill skin sky snow soccer society
    software soil soldier solution son song source south space species speech speed spirit sport spot spring
    square staff stage stamp standard star state statement station statistic status step stock stone storage storm
    story strategy stream street strength stress structure student studio style subject success sugar suggestion
    suit summary summer sun surface surgery survey sweet symbol symptom system table tale talent tank target task
    taste tax tea teacher team teammate technique technology telephone television temperature temple tennis
    tension term territory terror text theater theatre theme theory thing thought threat throat ticket time tip
    tissue title tone tool top topic total tour tourism tourist tower town trade tradition traffic training
    transition transport transportation travel treatment tree trial tribe trick trip trouble truck trust truth
    type uncle union unit university user vacation valley value variable variety vehicle version vessel veteran
    victim victory video view village violence virus visitor voice volume volunteer vote voter wall war warning
    waste water wave way weakness wealth weapon weather web website wedding week weekend weight west wheel white
    wife wildlife wind window wine wing winner winter woman women wood wool word worker workshop world writer
    writing yard year youth zone
"""
_ADJECTIVES = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion
    trillion dozen fourth fifth sixth seventh eighth ninth tenth former latter last new old young many most few
    other another same such certain various numerous countless multiple single double triple entire whole every
    all both either neither cool dear perfect given long nice first second firstly late half next note past sure
    third mean plus least ahead apart aside back outside overall opposite well prior due able absolute academic
    acceptable accurate active actual additional administrative advanced afraid aggressive alive alone alternate
    alternative amazing ancient angry annual anxious appropriate armed artificial asleep attractive automatic
    available aware bad basic beautiful best better big bitter black blind blue bold boring brave brief bright
    broad brown busy calm capable careful cheap clever clinical close cold comfortable commercial common
    competitive complex comprehensive confident conservative considerable consistent constant contemporary
    conventional correct crazy creative critical crucial curious current daily dangerous dark dead deaf decent
    democratic dense dependent detailed difficult digital direct dirty distinct domestic dominant dramatic dry
    dynamic eager early eastern easy economic effective efficient electric electronic elementary emotional empty
    enormous environmental equal essential ethnic everyday exact excellent excited exciting exclusive existing
    expensive experienced experimental expert external extra extreme fair false familiar famous fantastic far fast
    fat favorite favourite federal fellow financial fine flat flexible foreign formal free frequent fresh friendly
    full fundamental funny further general gentle genuine giant global good gradual grand grateful gray great
    green grey gross guilty happy hard harsh healthy heavy helpful hidden high historic historical honest horrible
    hot huge hungry ideal identical ill illegal immediate immense important impossible impressive incredible
    independent indian-style individual industrial inevitable initial inner innocent innovative intelligent
    intense interesting internal international joint junior just key kind large lazy leading left legal liberal
    limited linear little live local lone lonely loose loud lovely low lucky mad magic magnetic major massive
    mature maximum mechanical medical medieval mental mere mild minimal minor missing mobile moderate modern
    modest monthly moral moving musical mutual narrow national native natural neat necessary negative nervous net
    neutral noble normal northern notable noted novel obvious occasional odd ongoing online open optional oral
    ordinary organic original outer outstanding overseas painful pale parallel partial particular passive patient
    peaceful permanent personal physical pink plain pleasant pleased polite political poor popular positive
    possible powerful practical precious precise pregnant preliminary premium present pretty previous primary
    prime principal private probable professional profound prominent proper proud pure quick quiet radical random
    rapid rare raw ready real realistic reasonable recent regional regular related relevant reliable religious
    remarkable remote residential respective responsible revised rich right romantic rough round royal rural sad
    safe satisfied scared scientific secondary secure select senior sensitive separate serious severe sexual
    shallow sharp short shy sick significant silent silly similar simple slight slow small smart smooth social
    soft solar sole solid sophisticated southern spare special specialized specific spectacular stable steady
    steep strange strategic strict strong structural stupid subsequent substantial successful sudden sufficient
    suitable super superior sustainable sweet swift symbolic tall technical temporary terrible thick thin thorough
    tight tiny tired top tough toxic traditional tropical true typical ultimate unable unique universal unknown
    unusual upcoming upper urban urgent useful usual valid valuable vast verbal vertical veteran violent virtual
    visible visual vital vocal vulnerable warm weak wealthy weekly weird western wet wide wild willing wise
    wonderful wooden worried worse worst worth wrong yearly yellow
"""


_SLANG = "according gonna wanna gotta kinda sorta lemme dunno cuz cause til thanx thx pls plz lots ya nah yeah ugh whoa woo phew"


@lru_cache(maxsize=1)
def _openers() -> frozenset[str]:
    return ENGLISH | word_set(_OPENERS, _SLANG)


@lru_cache(maxsize=1)
def _nouns() -> frozenset[str]:
    return word_set(_NOUNS) | frozenset(map(stem, _NOUNS.split()))


@lru_cache(maxsize=1)
def _others() -> frozenset[str]:
    words = word_set(_VERBS, _ADJECTIVES)
    return words | frozenset(map(stem, words))


@text_cache(most=32_768)
def is_opener(word: str) -> bool:
    """True for words that open a sentence and are never the first word of a name: "During", "However", "You'd"."""
    lower = word.lower().replace("’", "'")
    base, mark, _ = lower.partition("'")
    return lower in _openers() or bool(mark and base in _openers()) or lower.endswith("n't")


@text_cache(most=32_768)
def is_common(word: str) -> bool:
    """True when `word` (any case) is an everyday English word or one of its forms, so that a capital says little."""
    lower = word.lower().replace("’", "'")
    root = stem(lower)
    return (
        is_opener(lower)
        or not {lower, root}.isdisjoint(_nouns())
        or not {lower, root}.isdisjoint(_others())
        or (lower.endswith(("ally", "ingly", "edly", "ously")) and len(lower) > 7)
    )


@text_cache(most=32_768)
def topic_weight(word: str) -> float:
    """How much an English word says about a topic: 0 function word, ½ common verb or adjective, 1 common noun, 2 rare."""
    lower = word.lower()
    if is_opener(lower):
        return 0.0
    root = stem(lower)
    if lower in _nouns() or root in _nouns():
        return 1.0
    if lower in _others() or root in _others() or lower.endswith("ly"):
        return 0.5
    return 2.0
