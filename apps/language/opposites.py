"""Small words and word stems that turn a question round: negations and opposites, German and English."""

from __future__ import annotations

from functools import lru_cache
from typing import Final


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NOT: Final = "not"
_NEGATIONS: Final = _words(
    "nie niemals niemand niemandem niemanden niemandes nirgends nirgendwo weder nein not no never none"
    " nobody nothing nowhere neither nor cannot unless non dont doesnt didnt isnt arent wasnt werent cant"
    " couldnt shouldnt wont wouldnt hasnt havent hadnt mustnt neednt aint"
)
# Prefixes of other languages deny only in words that we know.
_NEGATING_STARTS: Final = _words(
    "kein nicht impossib improbab improper immoral inadmissib ineligib invalid inactiv inaktiv incomplete"
    " incorrect indirek indirec insufficien insecur illegal illegitim irregul irrelevan irrational"
    " disagree disallow disapprov disqualif dissatisf inakzeptab inkompatib instabil intoleran inoffizi"
    " nonvot"
)
# Words that begin with "un" without denying anything ...
_NOT_DENIED: Final = _words(
    "und uns unter uni ungarn ungar unge unfall unfaell unruh unwetter unze until under upon unesco unhcr"
    " unkost unkraut unheil unmut"
)
# ... and those with the same beginning that do.
_DENIED: Final = _words(
    "ungenueg ungerecht ungesund ungesetz ungeeign ungeimpft ungenutz ungenau ungewiss ungewollt"
    " ungewoehn ungeklaer ungebunden ungeteilt ungeboren ungehinder ungelern ungepruef ungeschuetz"
    " ungestoer ungekuerz ungedeck uninteress uninform undemokr undicht undurch undocument undecid unsich"
    " unsozial unsolidar unserioes unsachlich unschaedlich unschuld unstritt unsinn unsafe unsure"
    " unsupport"
)
_SHORTEST_DENIED: Final = 6
# Each line has two sides. A word counts whole, word~ with the endings of an adjective, word* as the start of others.
_PAIRS: Final = (
    ("fuer for pro", "gegen against contra kontra wider"),
    ("mit with", "ohne without"),
    ("vor before bevor vorher", "nach after nachdem nachher"),
    ("mehr more", "weniger less fewer"),
    ("ueber over above oberhalb", "unter under below unterhalb"),
    ("ab seit from since", "bis until till"),
    ("ja yes", "nein"),
    ("links left linkem", "rechts right"),
    ("immer always stets", "selten rarely"),
    ("mindest* minim*", "hoechst* maxim*"),
    ("erhoeh* increas* raise raises raising", "senk* gesenkt decreas* reduc* lower lowering"),
    ("steig* gestiegen rise rising", "sink* gesunken fall falling"),
    ("zunehm* zunahme*", "abnehm* abnahme*"),
    ("abschaff* abgeschafft abolish*", "einfuehr* eingefuehrt introduc*"),
    ("verbiet* verbot* ban banned prohib*", "erlaub* allow* legalis* legaliz*"),
    ("staerk* gestaerkt strengthen*", "schwaech* geschwaecht weaken*"),
    ("vorteil* advantag*", "nachteil* disadvantag*"),
    ("einnahm* income", "ausgab* expens*"),
    ("inland* inner* innen*", "ausland* aussen* ausser*"),
    ("einwander* zuwander* immigra*", "auswander* abwander* emigra*"),
    ("import importe importen imports importier*", "export*"),
    ("oeffn* geoeffnet open opens opened", "schliess* geschloss* close* closing"),
    ("letzt* last vorig* vergangen* previous", "naechst* next kommend* upcoming kuenftig*"),
    ("groesst* groesser* larg*", "kleinst* kleiner* smaller smallest"),
    ("hoch hohe~ hoeher* high higher", "niedrig* low"),
    ("frueh* early earlier", "spaet* late later"),
    ("gewinn* gewonnen win wins won", "verlier* verlor* lose loses lost"),
    ("pflicht* verpflichtend*", "freiwillig*"),
    ("belast*", "entlast*"),
    ("reich~ rich", "arm~ poor"),
    ("alt~ old", "neu~ jung~ new young"),
    ("ost* east*", "west*"),
    ("nord* north*", "sued* south*"),
)
_ADJECTIVAL: Final = ("", "e", "en", "er", "em", "es")


def _sides() -> tuple[dict[str, str], dict[str, str]]:
    words: dict[str, str] = {}
    starts: dict[str, str] = {}
    for pair in _PAIRS:
        for side in pair:
            name = side.split()[0].strip("~*")
            for word in side.split():
                if word.endswith("*"):
                    starts[word[:-1]] = name
                for ending in _ADJECTIVAL if word.endswith("~") else ("",):
                    words[word.strip("~*") + ending] = name
    return words, starts


_WORDS, _STARTS = _sides()
# The ending of "Wähler:innen" is no place.
_WORDS["innen"] = ""
_ANY_START: Final = tuple(_STARTS)
# What a slip of the finger makes of one of the words below, and what is a word of its own all the same.
_REAL_WORDS: Final = _words("one gene genen wider wieder ever unter wenige gegend")
_OFTEN_MISSPELT: Final = "nicht nichts keine keinen keiner niemals niemand ohne gegen weniger without against never"


def _misspelt() -> dict[str, str]:
    """Spellings with two letters swapped, one left out or one doubled, the first letter kept: nciht, nich, keien."""
    found: dict[str, str] = {}
    for word in _OFTEN_MISSPELT.split():
        for at in range(1, len(word)):
            swapped = word[:at] + word[at : at + 2][::-1] + word[at + 2 :]
            for wrong in (word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], swapped):
                found.setdefault(wrong, word)
    return {wrong: word for wrong, word in found.items() if wrong not in _REAL_WORDS}


_MISSPELT: Final = _misspelt()


@lru_cache(maxsize=16_384)
def turning(token: str) -> str:
    """Return what a folded token denies or which side of a pair it takes, "" for most words."""
    token = _MISSPELT.get(token, token)
    if token in _NEGATIONS or token.startswith(_NEGATING_STARTS):
        return NOT
    if token in _WORDS:
        return _WORDS[token]
    if token.startswith(_ANY_START):
        return _STARTS[max((start for start in _ANY_START if token.startswith(start)), key=len)]
    if token.startswith("un") and len(token) >= _SHORTEST_DENIED:
        return NOT if token.startswith(_DENIED) or not token.startswith(_NOT_DENIED) else ""
    return ""
