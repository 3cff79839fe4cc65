"""Abbreviations that end in a full stop, for the sentence splitter; written lower-case, blanks left out."""

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# After these a sentence always goes on.
NEVER_LAST: Final = {
    "de": _words(
        "abb abs abschn abt allg amtl anl anm aufl ausg az bd bde begr betr bez bl bsp bspw bzgl bzw ca d.h dgl dipl dr"
        " dres ebd ed eigtl einschl entspr erg ev evtl exkl fr frl gegr gem ggf ggü hg hj hr hrn hrsg i.d.f i.d.r i.e"
        " i.h.v i.r i.s i.s.d i.s.v i.v i.v.m i.w i.allg inkl insb insbes ing kath kgl lat lfd lic lt m.a.w m.e m.w"
        " mind mrs ms mr n.n nachf nr nrn o.g obj orig phil pkt pol prof rd rel resp s.a s.o s.u sog spez staatl"
        " stellv tel theol u.a u.u u.z univ urspr urt vgl verf verh vors vorm wg wiss z.b z.hd z.t z.z z.zt zit ziff"
        " zw zzgl zzt mtl jährl schriftl verst verw rn ugs dt engl frz ital österr schweiz bayer hess sächs thür europ"
        " öff nördl südl östl westl ew.st hl"
    ),
    "en": _words(
        "adj art cf ch dr e.g ed eds eq esp est et.al fig figs fr gen gov hon i.e incl jan lt maj messrs mr mrs ms mt"
        " no nos op para pp prof pt rep rev sec sen sgt sr st viz vol vols vs approx ave capt cmdr col dept"
    ),
}
# These may close a sentence: it ends only where the next word is one that opens sentences.
MAYBE_LAST: Final = {
    "de": _words(
        "etc usw usf uvm chr v.chr n.chr ff f jh jhd jhdt mio mrd tsd std min sek str pl u.s.w u.v.m u.ä o.ä u.dgl"
        " co gmbh e.v a.d i.l d.j d.ä d.gr s.g jr u.s.a u.s jan feb mär apr jun jul aug sep sept okt nov dez mo di mi"
        " do sa so p.a h.c a.m kg km cm qm kw kwh mwh art st max min mag best span gest kap gez geb abds nachm"
    ),
    "en": _words(
        "etc u.s u.k u.n u.s.a d.c e.u a.m p.m inc ltd co corp jr sr ph.d m.d b.a m.a b.c a.d jan feb mar apr jun jul"
        " aug sep sept oct nov dec mon tue wed thu fri sat sun"
    ),
}
MONTHS: Final = {
    "de": _words(
        "januar jänner februar feber märz april mai juni juli august september oktober november dezember"
        " jan feb mär apr jun jul aug sep sept okt nov dez"
    ),
    "en": _words("january february march april may june july august september october november december"),
}
# A capitalised one of these after a doubtful full stop opens a new sentence.
STARTERS: Final = {
    "de": _words(
        "aber alle allerdings als also am an auch auf aus außerdem bei beim bis bisher da dabei dadurch dafür dagegen"
        " daher damit danach daneben dann darin darum darunter das dass dazu dem den denn der deren des deshalb"
        " dessen die dies diese diesem diesen dieser dieses doch dort durch ein eine einem einen einer eines einige"
        " er erst es für gegen gleichzeitig hier hierbei hierfür hierzu hinzu ich ihm ihn ihnen ihr ihre im in indem"
        " insgesamt ist jede jeder jedes jedoch jetzt kein keine laut man manche mehr mit nach nachdem nicht noch nun"
        " nur ob obwohl oder ohne schon sehr seine seit seitdem sie sind so sobald sofern somit sondern sowohl später"
        " trotz trotzdem um und uns unser unsere unter viele vom von vor wann warum was weder weil weitere welche"
        " wenn wer wie wieso will wir wird wo während zu zudem zuerst zugleich zum zur zuvor zwar zwischen über"
    ),
    "en": _words(
        "a after all also although an and another as at because before both but by during each even every few for"
        " from he her here his how however i if in it its many more most my no nor not of on once one or our over"
        " she since so some such that the their then there these they this those though through thus to under until"
        " we what when where whether which while who why with yet you your"
    ),
}
# A number of one or two digits after one of these, with a full stop, is an ordinal: "der 20. Bundestag".
ORDINAL_CUES: Final = _words(
    "der die das dem den des am vom zum zur im beim ab seit bis und oder als in ins jede jeder jedes jedem jeden"
    " diese dieser dieses diesem diesen ihr ihre ihrem ihren ihrer sein seine seinem seinen seiner unser unsere"
    " unserem unseren unserer mein meine meinem meinen meiner dein deine euer eure ein eine einem einen einer"
    " eines kein keine montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag nach vor zu erste"
    " sowie bzw jährlich spätestens frühestens"
)
# Before one of these a number with a full stop is an ordinal whatever stands before it: "frühen 18. Jahrhundert".
ORDINAL_NOUNS: Final = (
    "jahrhundert", "jahrtausend", "legislatur", "wahlperiode", "lebensjahr", "geburtstag", "jahrestag", "quartal",
    "auflage", "lesung", "schuljahr", "klasse", "bundestag", "stock", "jh", "verordnung", "bundesversammlung",
)  # fmt: skip
# A number after one of these only counts something: "§ 5", "Artikel 38", "Nr. 5".
COUNTED_AFTER: Final = _words(
    "§ §§ art artikel abs absatz nr nummer kap kapitel seite s satz ziffer ziff anlage punkt platz rang tabelle"
    " abbildung abb jahr jahre jahren um auf mit von auf über unter rund etwa circa ca gegen liste teil"
)
