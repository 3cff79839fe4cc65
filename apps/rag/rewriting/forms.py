"""The forms in which readers lean on what was said before, as patterns. German and English."""

from __future__ import annotations

import re
from typing import Final

_FLAGS: Final = re.IGNORECASE
# Before the question proper: "Ok danke, und …".
FILLER: Final = re.compile(
    r"^(?:(?:ja|jo|ok(?:ay|e)?|gut|danke|vielen dank|super|hm+|ach so|achso|aha|also|alles klar|verstehe|interessant"
    r"|thanks|thank you|great|i see|right|well|so)[\s,.!;:–-]+)+(?=\S)",
    _FLAGS,
)
ACCEPTANCE: Final = re.compile(
    r"^(?:(?:ja|jo|jep|klar|sicher|ok(?:ay)?|gut|yes|yeah|sure|please)[\s,.!]*)*"
    r"(?:(?:sehr )?gerne?|bitte|mach das|mehr(?: davon| dazu)?|erzähl(?:en sie)? mehr|weiter|unbedingt|natürlich"
    r"|please(?: do)?|go on|go ahead|tell me more|more|of course|i would like that|sounds good)?"
    r"[\s.!]*$",
    _FLAGS,
)
# "Mehr davon": of what was just said, whatever else is offered.
MORE: Final = re.compile(r"\b(?:mehr|weiter|more|go on)\b", _FLAGS)
_ORDINALS: Final = (
    r"erste[nrs]?|first|1\.?", r"zweite[nrs]?|second|2\.?", r"dritte[nrs]?|third|3\.?", r"vierte[nrs]?|fourth|4\.?"
)  # fmt: skip
PICK: Final = re.compile(
    r"^(?:(?:ja|ok(?:ay)?|gut|dann|nur|bitte|lieber|yes|sure|just|only)[\s,.!]*)*"
    r"(?:(?:ich )?(?:nehme|möchte|will|meine|wähle)\s+)?"
    r"(?:(?:i(?:'d| would)? (?:like|want|take|mean))\s+)?(?:zu[rm]?\s+|mehr zu[rm]?\s+)?"
    r"(?:die|den|das|der|dem|the|option|nummer|number|punkt|antwort)?\s*"
    r"(?P<which>"
    + "|".join(f"(?P<n{at}>{words})" for at, words in enumerate(_ORDINALS))
    + r"|(?P<last>letzte[nrs]?|last))"
    r"(?:\s+(?:option|möglichkeit|punkt|frage|variante|one|choice|point|question|antwort|davon))?"
    r"(?:[\s,]+(?:bitte|please))?[\s.!?]*$",
    _FLAGS,
)
CORRECTION: Final = re.compile(
    r"^(?:(?:nein|nee|nö|quatsch|falsch|(?:das )?stimmt nicht|stopp?|moment|sorry|entschuldigung|no|nope|wrong)"
    r"[\s,.!;:–-]*)*"
    r"(?:(?:ich (?:meinte|meine|wollte)(?: wissen)?|gemeint (?:war|ist|sind|waren)|das war falsch[,;]?"
    r"|i meant|i mean|i was asking about)[\s:,]+|(?:nicht\s+(?P<wrong>.{2,60}?)[,;]?\s+(?:sondern|ich meinte)\s+)"
    r"|(?:not\s+(?P<wrong_en>.{2,60}?)[,;]?\s+(?:but|i meant|i mean|rather)\s+))"
    r"(?P<right>.{2,200}?)(?:\s+gemeint)?[\s.!?]*$",
    _FLAGS,
)
# "Nein, die SPD." and "Nicht die SPD, die Grünen."
SHORT_CORRECTION: Final = re.compile(
    r"^(?:nein|nee|no|nope|falsch|quatsch)[\s,.!;:–-]+(?:doch |sondern |eher |lieber )?(?P<right>.{2,60}?)[\s.!?]*$",
    _FLAGS,
)
ALSO: Final = re.compile(
    r"^(?:und|aber|oder|and|but|or)\s+(?:was ist mit|wie (?:ist|sieht|steht) es (?:mit|bei|in)|wie siehts (?:mit|in) "
    r"|what about|how about)?\s*(?P<rest>.+?)[\s?.!]*$"
    r"|^(?:was ist (?:denn )?mit|wie (?:ist|sieht|steht) (?:es|das)(?: denn| aus)? (?:mit|bei|für|in)"
    r"|what about|how about"
    r"|same for)\s+(?P<other>.+?)(?: aus)?[\s?.!]*$",
    _FLAGS,
)
RETURN: Final = re.compile(
    r"^(?:(?:nochmal|noch einmal|noch mal|jetzt|bitte|ok(?:ay)?)[\s,]+)*"
    r"(?:(?:zurück|nochmal|noch einmal|noch mal|wieder) zu[rm]?|um auf (?P<idiom>.+?) zurückzukommen"
    r"|back to|going back to|returning to|again about|to return to)"
    r"\s*(?:der|dem|den|die|das|the)?\s*(?P<topic>[^:,;.?!–]{2,80})?"
    r"(?:\s*[:,;.?!–-]+\s*(?P<rest>.*?))?\s*$",
    _FLAGS,
)
NO: Final = re.compile(r"^(?:nein|nee|nö|nicht|no|nope|not|falsch|quatsch|wrong)\b", _FLAGS)
# "Suche auch in den internen Notizen", "look in the newsroom's drafts too", "ignoriere den Filter".
WIDEN: Final = re.compile(
    r"^(?:(?:und|dann|bitte|ja|ok(?:ay)?|nein|jetzt|and|then|please|now|yes|no)[\s,]+)*"
    r"(?:such(?:e|en sie)?|durchsuch(?:e|en sie)?|schau(?:e|en sie)?|guck(?:e|en sie)?|sieh|sehen sie|nimm|nutze"
    r"|lies|verwende(?:n sie)?|ignorier(?:e|en sie)?|heb(?:e|en sie)?|schalt(?:e|en sie)?|erweiter(?:e|n sie)?"
    r"|(?:kannst du|können sie|could you|can you)|search|look|use|include|check|ignore|remove|drop|switch off)\b"
    r"(?=.*\b(?:intern(?:e[nrs]?)?|notiz(?:en)?|entw[uü]rfe?n?|unveröffentlicht\w*|gesperrt\w*|geheim\w*"
    r"|redaktion(?:s\w*)?|filter\w*|überall|internet|netz|google|wikipedia|allen (?:dokumenten|quellen|sammlungen)"
    r"|internal|notes?|drafts?|unpublished|confidential|newsroom|everywhere|the web|all (?:documents|sources))\b)"
    r".{0,200}$",
    _FLAGS,
)
# "Warum?", "Ab wann?", "How much?"
BARE_QUESTION: Final = re.compile(
    r"^(?:(?:ab|bis|seit|von|um|in|mit|für|auf|unter|über|for|until|since|by|of|to|with)\s+)?(?:warum|wieso|weshalb|wann|wo|wohin|woher|wie(?:\s?(?:viel|viele|lange"
    r"|hoch|oft|teuer))?|wer|wen|wem|was|why|when|where|how(?: (?:much|many|long|high|often))?|who|whom|what)"
    r"(?:\s+(?:genau|denn|nicht|dann|noch|sonst|also|eigentlich|ungefähr|etwa|spätestens|frühestens|mindestens|höchstens"
    r"|exactly|not|then|else|roughly|at (?:the )?(?:latest|earliest|least|most)))*[\s?.!]*$",
    _FLAGS,
)
CLAUSE: Final = re.compile(r"^(?:wenn|falls|sofern|solange|obwohl|weil|if|when|in case|while)\s+\w+", _FLAGS)
THANKS: Final = re.compile(r"^(?:vielen |herzlichen |no |many )?(?:dank(?:e)?|thanks?|thank you)\b", _FLAGS)
# "What if I am abroad?" goes on like "and if I am abroad".
WHAT_IF: Final = re.compile(
    r"^(?:(?:und|and|but|aber)\s+)?(?:what|was(?: ist)?,?|wie ist es,?)\s+(?=(?:if|wenn|falls)\b)", _FLAGS
)
# What may stand beside a party's name when it takes another's place.
BESIDE_A_NAME: Final = re.compile(
    r"\b(?:die|der|den|das|dem|bei|beim|von|vom|für|und|nur|doch|lieber|eher|bitte|auch|noch|mal|jetzt|the|for|and|only|just"
    r"|please|also|rather)\b",
    _FLAGS,
)
QUESTION_WORD: Final = re.compile(
    r"^(?:(?:ab|bis|seit|von|für|mit|in|an|auf|zu|bei|um|unter|über|aus|nach|gegen"
    r"|from|until|since|at|by|for|of|to|with)"
    r"\s+)?"
    r"(?:wer|wen|wem|wessen|was|wann|wo|wohin|woher|wie(?:so|viele?)?|warum|weshalb|welche[mnrs]?|womit|wofür|wozu|worin|worum"
    r"|who|whom|whose|what|when|where|why|which|how)\b",
    _FLAGS,
)
VERB_FIRST: Final = re.compile(
    r"^(?:ist|sind|war|gibt|gilt|kann|muss|darf|soll|will|wird|hat|haben|können|müssen|dürfen|brauche|kostet|zählt|geht"
    r"|is|are|was|were|do|does|did|can|could|will|would|should|has|have|must|may)\b"
    # "gibts Ausnahmen", "bekommt man Geld", "zählt es auch": a verb with who does it.
    r"|^(?:gibt|geht|gilt|hat|kann|ist|war|wird|braucht|kostet)['’]?s\b"
    r"|^(?!(?:für|ohne|gegen|über|um|durch|wenn|weil|dass|ob|als|wie|nur|auch|und|oder|for|if|when|with|about)\b)"
    r"[a-zäöüß]+(?:t|st|e|en)\s+(?:ich|man|wir|es|er|du|ihr)\b",
    _FLAGS,
)
# "in Bayern", "nach Londoner Zeit", "für Rentner", "im März", "seit 2021".
PLACE_OR_SO: Final = re.compile(
    r"^(?P<preposition>in|im|am|an|aus|bei|beim|für|fürs|nach|ab|seit|bis|auf|unter|ohne|mit|for|at|from|since|on|with|without)\s+"
    r"(?P<object>.{2,60})$",
    _FLAGS,
)
TIME: Final = re.compile(
    r"^(?:(?:im jahr|in|seit|ab|bis|vor|nach|for|since|by|until|before|after)\s+)?(?:(?:1[89]|20)\d\d"
    r"|(?:nächste[smn]?|letzte[smn]?|vergangene[smn]?|dieses|diesem|kommende[smn]?)"
    r" (?:jahr|monat|woche|wahl|legislatur(?:periode)?)|(?:next|last|this) (?:year|month|week|election)"
    r"|(?:über)+nächste[smn]? (?:jahr|monat|woche)|vorletzte[smn]? (?:jahr|monat|woche|wahl)"
    r"|heute|morgen|gestern|aktuell|damals|früher|today|tomorrow|now|currently)$",
    _FLAGS,
)
YEAR: Final = re.compile(
    r"\b(?:1[89]|20)\d\d\b|\b(?:(?:über)*nächste[smn]?|(?:vor)?letzte[smn]?|dieses|diesem|next|last|this)"
    r" (?:jahr|year)\b",
    _FLAGS,
)

# "Nee, lieber Mindestlohn", "dann doch eher was zur Bildung": something else in the same place.
RATHER: Final = re.compile(
    r"^(?:(?:nein|nee?|nö|no|nope|och|ach|ok(?:ay)?|gut|lass mal|doch nicht|danke|thanks|dann|doch|jetzt|aber|mal|bitte"
    r"|(?:ich (?:will|möchte|hätte)|i(?:'d)?|would|like)|(?:erzähl|sag|zeig)(?:e|en sie)? (?:mir|uns)|tell me|show me)"
    r"[\s,.!;:–-]+)*(?:lieber|eher|stattdessen|rather|instead)\s+(?:(?:doch|mal|bitte|was|etwas|mehr|gern|hear|know)\s+)*"
    r"(?:(?:über|zu|zum|zur|zum thema|about|on)\s+)?(?P<right>.{2,60}?)(?:\s+(?:wissen|hören))?[\s.!]*$",
    _FLAGS,
)
# "Und danach?": the same before or after, or what comes then.
THEN: Final = re.compile(r"^(?:davor|danach|vorher|nachher|dann|später|before|after(?:wards)?|then)$", _FLAGS)
AROUND: Final = re.compile(r"\b(?:vor|nach|before|after)(?=\s+(?:der|dem|den|einer|einem|the|an?)\b)", _FLAGS)
# Words that stand for something said before. Each with what may be put in its place.
POSSESSIVE: Final = re.compile(
    r"\b(?:deren|dessen|ihre[mnrs]?|ihr(?=\s+[A-ZÄÖÜ])|seine[mnrs]?|sein(?=\s+(?:\w+e[nrs]?\s+)?[A-ZÄÖÜ])|its|their|his|her(?=\s+\w))\b"
)
ADVERB: Final = re.compile(
    r"\b(?P<adverb>dafür|dagegen|davon|dazu|damit|darüber|daran|darauf|darin|dabei|danach|davor|hierfür|hierzu|hiervon)\b",
    _FLAGS,
)
ADVERBS: Final = {
    "dafür": "für", "dagegen": "gegen", "davon": "von", "dazu": "zu", "damit": "mit", "darüber": "über", "daran": "an",
    "darauf": "auf", "darin": "in", "dabei": "bei", "danach": "nach", "davor": "vor", "hierfür": "für", "hierzu": "zu",
    "hiervon": "von",
}  # fmt: skip
THERE: Final = re.compile(
    r"\b(?:dort|dorthin|(?<!is )(?<!are )(?<!was )(?<!were )there(?! (?:is|are|was|were|any)\b))\b", _FLAGS
)
DEMONSTRATIVE: Final = re.compile(
    r"\b(?P<word>diese[mnrs]?|jene[mnrs]?|solche[mnrs]?|this|that|these|those|such)\s+(?P<noun>[^\W\d_][\w-]+)", _FLAGS
)
# What the reader is using, and nothing that was said: "this service", "diese Seite".
HERE: Final = re.compile(
    r"\b(?:this (?:service|chat(?:bot)?|bot|app|page|site|website|tool)"
    r"|diese[mnrs]? (?:Dienst|Chat(?:bot)?|Bot|App|Seite|Webseite|Website|Angebot))\b",
    _FLAGS,
)
# "this sounds complicated": a remark, nothing to resolve for a search.
REMARK_EN: Final = re.compile(
    r"^(?:it|this|that|these|those)(?:'s|\s+(?:is|are|was|were|sounds?|seems?|means?))\b[^?]*$", _FLAGS
)
# "that" after any other word leads in a clause: "the water that enters".
THAT_BEFORE: Final = re.compile(
    r"(?:^|[,;:.!?]|\b(?:is|are|was|were|do|does|did|can|could|will|would|about|of|for|to|like|with|from|on|by|in|at|than"
    r"|and|or|why|how|when|where|after|before|during|provide|explain|understand|call|called))\s*$",
    _FLAGS,
)
PERSON: Final = re.compile(r"\b(?:sie|er|ihn|ihm|ihnen|they|them|he|him|she)\b")
THING_EN: Final = re.compile(r"\b(?:it|this|that|these|those|one|ones)\b(?!\s+(?-i:[A-Z]))", _FLAGS)
THING: Final = re.compile(r"\b(?:es|das|dies|dieses)\b", _FLAGS)
EXPLETIVE: Final = re.compile(
    r"\b(?:gibt|geht|gäbe|gab|handelt|kommt|regnet)\s+es\b|\bes\s+(?:gibt|geht|gab|um|sich|möglich|stimmt|heißt)\b"
    r"|\b(?:ist|wäre|war|wird)\s+es\s+(?:\w+\s+){0,3}(?:dass|zu|ob|wenn)\b"
    r"|\bit\s+(?:is|was|would be|possible|true|take|takes)\s+(?:\w+\s+){0,3}(?:that|to|for)\b"
    r"|\bis it (?:\w+\s+){1,3}(?:that|to|for)\b|\bit is better\b",
    _FLAGS,
)
# "Was will die Partei …": one that was named before.
THE_PARTY: Final = re.compile(r"\b(?:[Dd]ie|[Dd]er|[Dd]iese[rs]?|the|this|that)\s+(?:Partei|party)\b(?!\s+[A-ZÄÖÜ])")
# What parties do with a subject and what subjects do not do.
SPEAKS: Final = re.compile(
    r"\b(?:sagt|will|plant|fordert|meint|steht|findet|verspricht|möchte|schlägt|hält|tut|lehnt|unterstützt|denkt"
    r"|say|want|plan|propose|demand|think|promise|stand|support|oppose)\b",
    _FLAGS,
)
SPEAK: Final = re.compile(
    r"\b(?:sagen|wollen|planen|fordern|meinen|stehen|finden|versprechen|möchten|schlagen|halten|tun|lehnen|unterstützen)\b",
    _FLAGS,
)
# "Was will die beim Mindestlohn?"
THOSE: Final = re.compile(
    r"(?<=[a-zäöü] )(?P<those>die|der)(?=\s+(?:bei|beim|zu|zur|zum|für|gegen|über|denn|eigentlich|überhaupt|das|es"
    r"|dafür|dagegen|dazu)\b)"
)
# "Beide auch zur Rente?", but not "beide Stimmen".
BOTH: Final = re.compile(
    r"\b(?:alle |die )?beiden?\b(?:\s+Parteien\b)?(?!\s+(?-i:[A-ZÄÖÜ]))"
    r"|\bboth(?: of them| parties)?\b(?!\s+(?:the|of)\b)",
    _FLAGS,
)
# "Welche davon ist dagegen?", "wer von denen": of the parties that were spoken of.
OF_THOSE: Final = re.compile(
    r"^(?:und |and )?(?:welche[rsn]?|wer|which|who)\s+(?:davon|von (?:denen|ihnen|diesen|den (?:beiden|dreien|vieren))"
    r"|of (?:them|those|these|the (?:two|three|four)))\b",
    _FLAGS,
)
# "Und welche dafür?"
WHICH_STAND: Final = re.compile(
    r"^(?:welche[rs]?|wer)(?:\s+(?:ist|sind))?(?:\s+denn)?\s+(?P<stand>dafür|dagegen)[\s?.!]*$", _FLAGS
)
# "Und die anderen?", "der Rest": every party that was not spoken of.
OTHERS: Final = re.compile(
    r"^(?:was ist mit |was sagen |wie sehen das |bei |what about )?(?:alle |all )?(?:(?:die|den|der|the)\s+)?"
    r"(?:ander(?:e|en)|übrigen|restlichen|rest|others?|remaining)(?:\s+(?:parteien|parties|ones))?$",
    _FLAGS,
)
# "Nur die ersten beiden", "the last two".
SOME_OF_THEM: Final = re.compile(
    r"^(?:(?:ja|ok(?:ay)?|nur|bitte|lieber|und|just|only|and)[\s,]+)*(?:die |the )?(?P<end>ersten|letzten|first|last) "
    r"(?P<count>beiden|zwei|drei|two|three)(?:\s+(?:bitte|please|parteien|parties))*[\s.!?]*$",
    _FLAGS,
)
PARTY_NOUN: Final = frozenset({"partei", "parteien", "party", "parties"})
