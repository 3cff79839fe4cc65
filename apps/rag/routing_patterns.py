"""The patterns of ``routing_advice``: what asks for advice how to vote, and for a judgment on parties.

They run over the normalised text (folded, no punctuation, ä as ae), in which PARTY stands for each name of a party. A
question on how voting works only mentions the same words: what is asked for must be the choice itself, and the one who
chooses must be the reader or the bot.
"""

from __future__ import annotations

import re
from typing import Final

# Stands for a party's name.
PARTY: Final = "xparteix"
NAMES: Final = re.compile(
    r"\b(?:cdu csu|cdu|csu|spd|fdp|afd|bsw|volt|ssw|die gruenen|gruenen?|(?:die )?linke|linkspartei|union"
    r"|freie waehler"
    r"|freien waehler|(?:die |der |den )?(?!lieblings|volks|regierungs|oppositions|klein|gross"
    r"|haupt)\w+partei|piraten|tierschutzpartei|die partei|the greens?|green party|greens|left party)\b"
)
_CHOOSER: Final = (
    r"(?:(?:soll|sollte|sollten|sollen) (?:ich|wir|man|meine \w+|mein \w+|unsereins|so jemand|jemand|einer|eine"
    r"|ein \w+ \w+)|wuerdest du|wuerden sie|wirst du|werden sie|(?:raetst|empfiehlst|raten|empfehlen) (?:du|sie))"
)
# A few words that do not turn the question into another one.
_ON: Final = (
    r"(?: (?!um\b|anrufen|fragen|kontaktieren|informieren|mitbringen|tun\b|machen\b|ob\b|wie\b|wo\b)\w+){0,10}?"
)
_SMALL: Final = (
    r"(?: (?:denn|nur|bloss|jetzt|nun|da|diesmal|dieses mal|eigentlich|am besten|am sonntag|deiner meinung"
    r" nach|ihrer meinung nach"
    r"|also|dann|lieber|mal|konkret|ueberhaupt|heute|morgen|wirklich|hier|bitte|selbst|selber|persoenlich"
    r"|privat|als \w+|an meiner stelle|fuer mich|mir"
    r"|bei der (?:bundestags|landtags|kommunal|europa)?wahl|ganz ehrlich|ehrlich))*"
)
_CHOOSE: Final = (
    r"(?:waehlen|ankreuzen|stimme geben|stimme schenken|stimmen|nehmen|entscheiden|favorisieren|unterstuetzen)"
)
_BEST: Final = r"(?:richtige|beste|passende|geeignete|passendste|geeignetste|ideale|perfekte|optimale|naechste)"
_WHOLE_END: Final = (
    r"(?=$| (?:wenn|falls|weil|damit|und|oder|mir|als|bei|am|diesmal|da|denn|jetzt|nur|bloss|eigentlich)\b)"
)

# Whoever names a subject asks what the parties say about it.
_NO_SUBJECT: Final = (
    r"(?: (?!was\b|wie\b|welche|wofuer\b|warum\b|wann\b|wo\b|sagt|sagen|will\b|wollen|plant|planen"
    r"|fordert|fordern|steht"
    r"|zu\b|zur\b|zum\b|ueber\b|what\b|how\b|why\b|does\b|about\b|on\b)\w+){0,6}?"
)
ADVICE: Final = (
    # Wen soll ich wählen? Welche Partei würdest du an meiner Stelle nehmen?
    rf"\b(?:wen|wem|fuer wen|welche[nrms]?(?: (?:der|von|dieser|partei|parteien|liste|kandidat\w*"
    rf"|politiker\w*|{PARTY}))*)"
    rf"{_SMALL} {_CHOOSER}{_ON} (?:{_CHOOSE}|geben)\b",
    rf"\bfuer (?:wen|welche \w+) {_CHOOSER}",
    rf"\bwas{_SMALL} (?:{_CHOOSER}|muss ich){_SMALL} (?:waehlen|ankreuzen|empfehlen)\b(?!.*zweitstimme)",
    rf"\b(?:wen|welche partei) (?:muss|muesste|darf) (?:ich|man){_SMALL} (?:waehlen|ankreuzen|nehmen)\b",
    rf"\b(?:wen|welche partei)(?: \w+){{0,2}} (?:ich|man|wir|du|sie)(?: \w+){{0,5}} {_CHOOSE}"
    r" (?:soll|sollte|sollten|sollen|wuerdest|wuerden|wirst)\b",
    r"\b(?:wem|welcher partei|welchem kandidaten)(?: \w+){0,4} (?:meine|die|deine|seine|unsere) (?:erst |zweit )?"
    r"(?:stimme|erststimme|zweitstimme)(?: \w+){0,2} (?:geben|schenken|gibst|anvertrauen)\b(?! (?:kann"
    r"|koennen|darf))",
    # Welche davon soll ich nehmen? Wem gebe ich da am besten meine Stimme?
    rf"\b(?:wen|wem|welche[nrms]?) (?:davon|von (?:denen|ihnen|beiden|den \w+)|der (?:beiden|parteien|zwei"
    rf"|drei)|hiervon){_SMALL}"
    rf" {_CHOOSER}{_ON} (?:{_CHOOSE}|geben)\b",
    rf"\b(?:wem|welcher partei) (?:gebe|schenke) ich{_SMALL}(?: \w+){{0,2}} (?:stimme|zweitstimme|erststimme)\b",
    r"(?:^|\b(?:hilfe|also|na|ja|bitte|und|ok|okay) )(?:wen|was|welche partei) (?:denn |jetzt |nur |bloss )?waehlen$",
    r"\b(?:von welcher partei|von wem|zu welcher partei|zu wem) (?:raetst|raten|wuerdest|wuerden) (?:du"
    r"|sie)(?! zur| zum)\b",
    r"\b(?:bei|mit) welche[rm] (?:partei|kandidat\w*)(?: \w+){0,6} am besten\b",
    r"\bwelche partei (?:verdient|bekommt|kriegt) meine (?:erst|zweit)?stimme\b",
    r"\bwelche partei bringt (?:mir|uns)(?: \w+){0,3} (?:am meisten|etwas|was)\b",
    rf"\b(?:soll|sollte) (?:ich|wir)(?: \w+){{0,3}} (?:erst|zweit)?stimme(?: \w+){{0,2}} {PARTY}",
    r"\b(?:waehlt|gewaehlt|waehle|waehlen)\b(?: \w+){0,4} (?:soll|sollte) ich (?:das|die|ihn|sie)(?:"
    r" \w+){0,2}(?: auch| tun| wieder| machen)+$",
    r"^(?:und |also |dann |aber |nun |jetzt )*(?:soll|sollte) (?:ich|man) (?:sie|ihn|die|den|das|diese"
    r"|es)(?: \w+){0,2} waehlen\b",
    r"^(?:und |also |dann |aber )*(?:wuerdest du|wuerden sie) (?:sie|ihn|die|den|diese)(?: \w+){0,2} waehlen\b",
    r"\bpartei(?: \w+)? (?:die|welche) ich (?:\w+ )?(?:waehlen|ankreuzen|nehmen) (?:soll|sollte)\b",
    r"\bwie (?:soll|sollte) ich (?:mich )?(?:\w+ )?(?:bei der wahl|am sonntag) (?:\w+ )?(?:entscheiden"
    r"|abstimmen|waehlen)$",
    r"\b(?:helfen|hilf)\b(?: \w+){0,2} mir(?: \w+){0,3} partei zu finden\b|\bmeine partei (?:zu )?finden\b",
    r"\bwas(?: ich| wir| man)?(?: \w+){0,4} (?:waehlen|ankreuzen) (?:soll|sollte|sollen|sollten|wuerdest)\b",
    rf"\b(?:wen|was) (?:waehle?|nehme?) ich{_SMALL}{_WHOLE_END}(?!.*(?:erst|zweit) ?stimme)",
    rf"\b(?:wen|was|welche(?: partei)?) (?:waehlst|nimmst|bevorzugst|favorisierst|empfiehlst|hast) du{_SMALL}"
    rf"(?: gewaehlt)?{_WHOLE_END}",
    r"\b(?:wen|was|welche partei) (?:waehlen|bevorzugen|empfehlen) sie (?:\w+ )?(?:selbst|selber"
    r"|persoenlich|privat|mir|denn)\b",
    r"\b(?:wen|was|welche partei)(?: du| sie) (?:selbst |persoenlich |privat )?(?:waehlst|waehlen wuerdest"
    r"|waehlen wuerden|nehmen wuerdest)",
    # Wo soll ich mein Kreuz machen?
    rf"\b(?:wo|bei wem|bei welche[rm] \w+|hinter welche[rmn] \w+|wohin)(?: \w+)?{_SMALL} (?:{_CHOOSER}"
    rf"|machst du|gehoert|kommt)"
    r"(?: \w+){0,6} (?:kreuz|kreuzchen|stimme|haekchen)\b",
    r"\bwo(?: \w+){0,2} (?:ich|du)(?: \w+){0,4} (?:kreuz|kreuzchen)(?: \w+){0,2} (?:machen|setzen) (?:soll"
    r"|sollte|wuerdest)\b",
    # Welche Partei passt zu mir?
    r"\b(?:wer|welche[rs]?|partei|parteien|kandidat\w*|liste|programm|was)\b(?: \w+){0,6} (?:passt|passen"
    r"|entspricht|vertritt|liegt)"
    r"(?: \w+){0,4} (?:zu mir|zu uns|mir am|mich|zu meine[nr]|meinen (?:werten|ansichten|interessen)|mir)\b",
    r"\b(?:passt|passen) (?:\w+ ){0,4}(?:zu mir|zu uns|zu meine[nr])\b",
    rf"\b(?:welche[rs]?|wer|was)\b(?: \w+){{0,4}} (?:waere|ist|sind)(?: \w+){{0,3}} (?:{_BEST}|gut|besser|am"
    rf" besten|was|das beste|das richtige|die beste wahl)"
    r"(?: \w+){0,2} fuer (?:mich|uns|leute wie mich|menschen wie mich|einen wie mich|jemanden wie mich)\b",
    rf"\bpartei (?:ist|waere) (?:\w+ )?fuer (?:\w+ ){{1,2}}(?:die {_BEST}|am besten)\b",
    rf"\b(?:partei|kandidat\w*)(?: \w+){{0,3}} fuer mich(?: \w+)? (?:{_BEST}|am besten|die richtige|die beste)\b",
    rf"\b(?:nenn|nenne|nennen|such|suche|finde|empfiehl|empfehle|empfehlen|zeig|verrate?|sag|sage|rate?"
    rf"|waehle?)\b(?: \w+){{0,5}}"
    rf" (?:eine partei|{_BEST} partei|partei fuer mich|meine partei|partei die (?:zu mir passt|ich waehlen))",
    rf"\b(?:empfiehl|empfehl|empfehlen sie|rate|raten sie) (?:mir |uns )(?:\w+ ){{0,4}}(?:partei|kandidat\w*"
    rf"|{PARTY}|jemanden|zu einer partei)",
    # Gib mir eine Wahlempfehlung.
    r"\b(?:gib|geben|gebt|brauche?|haette|hat|hast|haben|will|moechte|wuensche|deine?|ihre?|eine|einen|um"
    r"|bitte|mit|kriege|bekomme)\b"
    r"(?: \w+){0,4} (?:wahlempfehlungen|wahlempfehlung|wahltipps?|wahltip|wahlrat|wahlberatung|stimmempfehlung)\b"
    r"(?! (?:der|des|von (?!dir|ihnen)|vom|ab|aus|fuer die \w+partei)\b)",
    r"\b(?:tipp|rat|ratschlag|empfehlung|vorschlag) (?:\w+ ){0,3}(?:wen|was|welche partei|fuer meine stimme"
    r"|fuer sonntag|fuer mein kreuz)\b",
    r"^(?:wahlempfehlung|wahltipp|wahlberatung)(?: bitte)?$",
    # Soll ich die X wählen?
    rf"\b(?:soll|sollte|sollten|sollen|muss|muesste) (?:ich|wir|man)(?: \w+){{0,4}} {PARTY}(?: \w+){{0,4}}"
    rf" {_CHOOSE}\b",
    rf"\b(?:soll|sollte) (?:ich|wir)(?: \w+){{0,4}} {PARTY}(?: oder(?: \w+)? {PARTY})?$",
    rf"\b(?:wuerdest du|wuerden sie|waehlst du|waehlen sie)(?: \w+){{0,4}} {PARTY}",
    # Reasons to vote for somebody are advice too; what the party wants is not.
    rf"\b(?:warum|weshalb|wieso) (?:soll|sollte|sollten) (?:ich|man|wir|jemand|leute)(?: \w+){{0,2}} {PARTY} waehlen\b",
    rf"\bwhy (?:should|would) (?:i|we|one|anyone|you|people) vote for(?: the)? {PARTY}",
    # A name that nobody has told us.
    r"\bwuerdest du (?:lieber |eher |auch )?(?:die |den |das )?(?!gehen|immer|ueberhaupt|per|im|in)\w+(?:"
    r" oder(?: die| den)? \w+)? waehlen\b",
    r"\b(?:soll|sollte) ich (?:lieber |eher |auch |besser )?(?:die|den) (?!brief|urne|erst|zweit|partei\b"
    r"|kandidat)\w+"
    r"(?: oder(?: die| den)? \w+)? waehlen\b",
    rf"\b{PARTY}(?: \w+){{0,2}} oder(?: \w+){{0,2}} {PARTY}(?: \w+){{0,4}} (?:waehlen|ankreuzen|fuer mich"
    rf"|nehmen|was raetst du|was wuerdest)",
    rf"\b(?:sag|sage|sagen|nenn|nenne|entscheide?|antworte?|waehle?|nur|einfach|wort)\b{_NO_SUBJECT}"
    rf" (?:{PARTY} oder(?: die| der| den)? \w+|\w+ oder(?: die| der| den)? {PARTY})$",
    rf"\b(?:kann|koennte|darf) (?:ich|man) (?:\w+ ){{0,3}}(?:{PARTY} )?(?:guten gewissens|ruhigen gewissens"
    rf"|noch|bedenkenlos)(?: \w+){{0,2}}(?: {PARTY})? waehlen",
    rf"\b(?:lohnt es sich|ist es richtig|ist es klug|waere es gut|macht es sinn)(?: \w+){{0,2}} {PARTY} zu waehlen",
    r"\bich (?:will|moechte|wollte)(?: \w+){0,6} (?:sagst|bestimmst|entscheidest|aussuchst|festlegst)(?:"
    r" \w+){0,4} waehle?\b",
    r"\b(?:entscheide|bestimme|such|waehl|waehle) (?:du |bitte |einfach |doch |mal )*(?:fuer mich|an meiner"
    r" stelle)\b",
    r"\b(?:rate|raten sie|hilf|helfen sie) mir(?: \w+){0,5} (?:wahlentscheidung|bei der entscheidung wen"
    r"|partei zu finden|wen ich|meine partei)\b",
    r"\bwer (?:verdient|bekommt|kriegt|sollte bekommen|hat verdient)(?: \w+){0,3} (?:meine|deine) (?:stimme"
    r"|zweitstimme|erststimme)\b",
    r"\bwer ist (?:\w+ )?(?:meine|die richtige|die beste|deine) wahl\b",
    r"\bmit welche[rm] (?:partei|kandidat\w*)(?: \w+){0,4} (?:besser dran|am besten (?:dran|bedient"
    r"|aufgehoben)|gluecklich\w*)\b",
    # English
    r"\b(?:who|whom|(?:which|what)(?: \w+){0,3})(?: exactly| then| now)? (?:should|shall|would|do|ought|must|will)"
    r"(?: \w+)? (?:i|we|one|you|my \w+|a \w+ \w+|someone)(?: (?!need\b|have\b|ask\b|bring\b|contact\b"
    r"|call\b|take\b)\w+){0,8}?"
    r" (?:vote|voting|choose|pick|elect|support|recommend|back|tick|cross|prefer|go for)\b(?! (?:by|from|in"
    r" person|early))",
    r"\b(?:who|whom|what party|which party|which of them)(?: (?:i|we|you|should|would))* (?:to vote for|to"
    r" choose|to pick|to support)\b",
    r"\b(?:who|which party|what party) (?:i|we) (?:should|ought to|must|shall)(?: \w+){0,3} (?:vote|choose"
    r"|pick|support)\b",
    r"\b(?:fits?|suits?|match(?:es)?|represents?)(?: \w+){0,2} (?:me|us|my views|my values)\b",
    r"\b(?:which|what|who|party|candidate)\b(?: \w+){0,5} (?:best|right|good|better|perfect|closest)(?:"
    r" \w+){0,3} (?:for me|for us|to me|to my views|for someone like me|for people like me)\b",
    r"\b(?:voting|election|ballot) (?:advice|recommendation|tip|suggestion)\b(?! (?:app|tool|by|of|from)\b)",
    r"\b(?:advise|recommend|suggest|tell|give|name|pick|find|choose)\b(?: \w+){0,4} (?:a party|the best"
    r" party|the right party|my party|one party)\b",
    rf"\bshould (?:i|we)(?: \w+){{0,3}} (?:vote for|vote|choose|support|pick)(?: the| for)* {PARTY}",
    rf"\b(?:just|only|one word|say|tell me|pick|choose)\b{_NO_SUBJECT}"
    rf" (?:{PARTY} or(?: the)? \w+|\w+ or(?: the)? {PARTY})$",
    r"\bwhere (?:should|would|do) (?:i|you) (?:put|make)(?: \w+){0,2} (?:cross|mark|x)\b",
    r"\b(?:who|which party) (?:deserves|gets|has) (?:my|your) vote\b",
    rf"\b(?:would|will|do) you vote(?: for)?(?: the)? {PARTY}",
    r"\b(?:which|what) (?:party|parties|one) (?:should|shall|must) (?:i|we)(?: \w+)? (?:avoid|not vote)\b",
    r"^(?:so |and |but |then )*(?:should|shall) (?:i|we) vote for (?:them|it|him|her)\b",
    r"\b(?:decide|choose|vote) for me\b",
    r"\bif you (?:could|were able to|had to|were allowed to) vote\b|\bwer(?:e)? (?:has|gets) your vote\b"
    r"|\bwho has your vote\b",
    r"\bwenn du (?:waehlen (?:koenntest|duerftest|muesstest)|eine stimme haettest|ein kreuz haettest)\b",
)
_WHO: Final = rf"(?:partei|parteien|politiker\w*|kandidat\w*|kanzler\w*|{PARTY}|regierung|koalition)"
_JUDGED: Final = (
    r"(?:beste[nr]?|besser|besten|schlechteste[nr]?|schlechter|schlimmste[nr]?|schlimm|schlimmer|gut"
    r"|schlecht|boese|doof|dumm|duemmste[nr]?"
    r"|kluegste[nr]?|ehrlichste[nr]?|ehrlicher|sympathischste[nr]?|sympathisch|waehlbar|unwaehlbar|peinlich"
    r"|toll|super|verlogen"
    r"|verlogenste[nr]?|kompetenteste[nr]?|kompetent|unfaehig|unfaehigste[nr]?|vertrauenswuerdigste[nr]?"
    r"|vertrauenswuerdig|nett|scheisse)"
)
OPINION: Final = (
    rf"\bwelche[rsn]?\b(?: \w+){{0,3}} {_WHO}(?: \w+){{0,6}} (?:ist|sind|findest du|finden sie|haeltst du"
    rf" fuer|waere|hat recht)"
    rf"(?: \w+){{0,4}} {_JUDGED}$",
    rf"\bwelche[rsn]? {_WHO} (?:ist|sind|findest du|finden sie|waere)(?: \w+){{0,3}} {_JUDGED}\b",
    rf"\bwelche[rsn]? (?:ist|sind|waere) (?:die |der |am )?{_JUDGED} {_WHO}\b",
    rf"\b(?:wer|was) (?:ist|sind|waere) (?:\w+ )?(?:die |der |am )?(?:beste[nr]?|schlechteste[nr]?"
    rf"|schlimmste[nr]?|besser\w*) {_WHO}\b",
    rf"^(?:und |aber |sag mal |mal ehrlich )*(?:ist|sind|waere)(?: die| der| das)? {PARTY}(?: \w+){{0,3}}"
    rf" {_JUDGED}\b",
    rf"\b(?:haeltst|halten|denkst|denken|meinst|meinen) (?:du|sie)(?: \w+){{0,4}} (?:von|ueber|zu|zur)(?:"
    rf" \w+){{0,2}} (?:{_WHO})\b",
    rf"\b(?:haeltst|halten|denkst|denken|meinst|meinen) (?:du|sie)(?: \w+){{0,3}} (?:davon|darueber|dazu),?"
    rf" (?:was|dass|wie|wenn)(?: \w+){{0,3}} {PARTY}\b",
    rf"\b(?:findest|finden|magst|moegen|hasst|liebst|unterstuetzt|bevorzugst) (?:du|sie)(?: \w+){{0,4}} {_WHO}\b",
    rf"\bwie findest du(?: \w+){{0,3}} {_WHO}\b",
    rf"\b(?:deine|ihre) (?:persoenliche |ehrliche )?(?:meinung|haltung|einstellung)(?: \w+){{0,3}} {_WHO}\b",
    r"\b(?:deine|ihre) (?:lieblingspartei|politische meinung|politische einstellung|politische haltung"
    r"|lieblingspolitiker\w*)\b",
    rf"\b(?:bist du|sind sie) (?:ein |eine |eher |fuer |gegen |heimlich )*(?:die |der |den )?(?:{PARTY}"
    rf"|links|rechts|konservativ|waehler\w*)(?: \w+)?$",
    rf"\b(?:luegt|luegen)(?: \w+){{0,3}} (?:{PARTY}|parteien|politiker)$|\bwelche partei luegt\b",
    rf"^(?:sind|ist)(?: alle| die| der)? (?:politiker|parteien)(?: \w+){{0,3}} (?:{_JUDGED}|korrupt|gleich"
    rf"|luegner|idioten)\b",
    rf"\bwhat do you (?:think|make)(?: \w+)? (?:of|about)(?: \w+){{0,2}} (?:{PARTY}|party|parties"
    rf"|politicians?|chancellor|government)\b",
    r"\b(?:which|what)(?: \w+)? part(?:y|ies) (?:is|are|do you|would you)(?: \w+){0,4} (?:best|worst|better"
    r"|good|bad|like|prefer|honest|most honest|hate)\b",
    r"\b(?:which|what|who) (?:is|are) (?:the )?(?:best|worst|most honest|smartest)(?: \w+)? (?:party"
    r"|politician|candidate)\b",
    rf"^(?:is|are)(?: the)? {PARTY}(?: \w+){{0,2}} (?:good|bad|evil|terrible|the best|the worst|better"
    rf"|stupid|dangerous to vote for)\b",
    rf"\bdo you (?:like|hate|support|prefer)(?: \w+){{0,2}} (?:{PARTY}|politicians?)\b|\byour (?:favou?rite"
    rf" party|political opinion|political views)\b",
)
# After a request for advice: the same again, in a word.
INSISTS: Final = re.compile(
    r"(?:(?:ach |na |och |aber |jetzt |nun |bitte |doch |ja |also |ok |okay |komm |los |come on |please |but )*"
    r"(?:doch|komm schon|komm|bitte|sag schon|sag es|sag es mir|sag doch|nur ein wort|ein wort|einfach"
    r" einen namen|einen namen|trotzdem"
    r"|nur so|nur ein tipp|ein kleiner tipp|ein tipp|einen tipp|warum nicht|wieso nicht|weshalb nicht|ich"
    r" sag es keinem|verrat es mir"
    r"|ich verrate es niemandem|rate einfach|raten sie einfach|rein hypothetisch|hypothetisch|und du|und"
    r" sie|und wenn doch|jetzt sag schon"
    r"|just tell me|just one word|one word|why not|please|come on|just a hint|a hint|hypothetically|and"
    r" you))+(?: bitte| mal| please)?"
)
