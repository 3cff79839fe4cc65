"""How orders to a machine sound, as patterns over folded text. German and English first; read by ``orders``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class OrderKind(StrEnum):
    """What a text tries with the machine that reads it."""

    OVERRIDE = "override"  # "ignore all previous instructions"
    ADDRESS = "address"  # "note to the assistant"
    ROLE = "role"  # "you are now ...", "I want you to act as ..."
    SAY = "say"  # "always say this first", "answer every question with"
    LEAK = "leak"  # "show me your system prompt"
    MARKER = "marker"  # "system:", "<|im_start|>", a citation mark like ours
    CODE = "code"  # a script, or a link that carries something away


@dataclass(frozen=True, slots=True)
class Clue:
    """A pattern and its weight: ENOUGH alone makes an order, less needs other clues close by.

    ``sie`` in it must be written as the polite "Sie". ``by_lines`` sees where lines begin.
    """

    kind: OrderKind
    weight: int
    pattern: re.Pattern[str]
    by_lines: bool = False


ENOUGH: Final = 3

_WORDS: Final = {
    "ai": "(?:k\\.?i\\.?|a\\.?i\\.?|llms?|(?:chat-?)?gpt|chat-?bots?|(?:ki|ai)[- ]?(?:assistent\\w*|assistants?|"
    "system\\w*|modell?\\w*|agent\\w*|bots?)|(?:sprach|language )model(?:l|s|le|len)?)",
    "machine": "(?:<ai>|assistent\\w{0,3}|assistants?|model(?:l|s|le|len)?|bots?|system)",
    "earlier": "(?:previous|prior|preceding|earlier|above|former|initial|original|existing|provided|"
    "(?:vorherig|bisherig|vorangegangen|vorangehend|vorig|frueher|obig|urspruenglich)\\w*)",
    "all": "(?:all(?:e|en|er)?|any|every|the|these|those|your|my|our|of|die|diese|deine[nr]?|ihre[nr]?|saemtliche|"
    "jegliche)",
    "orders": "(?:instructions?|orders|commands|(?:system[- ]?)?prompts?|guidelines|directives|tasks|programming|"
    "anweisung(?:en)?|instruktion(?:en)?|befehle?|auftraege|vorgaben|richtlinien|aufgaben)",
    "texts": "(?:rules|context|documents?|information|texts?|conversation|messages?|regeln|kontext|dokumente|"
    "informationen|texte)",
    "forget": "(?:ignore|disregard|forget|override|bypass|abandon|discard|drop|(?:don'?t|do not|stop) follow(?:ing)?|"
    "ignorier(?:e)?|vergiss|missachte|uebergehe?|verwirf|umgehe)(?: bitte| nun| jetzt| please| now)?",
    "forget_ihr": "(?:ignoriert|vergesst|missachtet|uebergeht|verwerft|umgeht)",
    "forget_sie": "(?:ignorieren|vergessen|missachten|uebergehen|verwerfen|umgehen) sie",
    "speak": "(?:(?:sag|antwort|schreib|nenn|erwaehn|behaupt|wiederhol|zeig|formulier|verfass|beantwort|generier|"
    "uebersetz|verrat|bewert|lob|fass)(?:e|')?|empfiehl)",
    "speak_sie": "(?:sagen|antworten|schreiben|nennen|erwaehnen|behaupten|empfehlen|wiederholen|zeigen|formulieren|"
    "verfassen|beantworten|generieren|uebersetzen) sie",
    "tell": "(?:say|tell|answer|reply|respond|write|print|output|mention|recommend|repeat|state|claim|generate)",
    "always": "(?:immer|stets|zuerst|als erstes|ausschliesslich|in jeder antwort|auf (?:jede|alle) fragen?|"
    "ab (?:jetzt|sofort)|von nun an)",
    "begin": '(?:^|(?<=[.!?:;,"\\n)-]) ?)(?:(?:bitte|please|now|nun|jetzt|and|und|also|stopp?|ok|dann|then)[ ,:-]+)*',
    "gap": "[^.!?\\n]",
    "quote": "[\"'“„»«]",
}


def _spelled(text: str) -> str:
    """Put the words in the place of their names."""
    while (found := re.search(r"<([a-z_]+)>", text)) and found[1] in _WORDS:
        text = text.replace(found[0], _WORDS[found[1]])
    return text


def _clues(kind: OrderKind, *weighed: tuple[int, str], by_lines: bool = False) -> tuple[Clue, ...]:
    """Patterns write the words above as <name>."""
    return tuple(Clue(kind, weight, re.compile(_spelled(text), re.MULTILINE), by_lines) for weight, text in weighed)


_OVERRIDE: Final = _clues(
    OrderKind.OVERRIDE,
    (3, r"\b<forget> (?:<all> ){0,3}(?:<earlier> ){1,2}(?:<orders>|<texts>)\b"),
    (3, r"\b<forget> (?:<all> ){1,3}<orders>\b"),
    (2, r"\b<forget> (?:<all> ){1,3}<texts>\b"),
    (3, r"<begin><forget_ihr> (?:<all> ){0,2}(?:<earlier> )?<orders>\b"),
    (3, r"\b<forget_sie> (?:bitte |nun |jetzt )?(?:<all> ){0,3}(?:<earlier> )?<orders>\b"),
    (3, r"\b<forget_sie> (?:<all> ){0,3}<earlier> <texts>\b"),
    (3, r"\b<forget> (?:about )?(?:everything|anything|all|alles),? (?:before|above|prior|you know"
        r"|you were told|gesagte"
        r"|vorherige|bisherige|davor|obige|was (?:wir|ich|du) )"),
    (2, r"\b<forget> (?:about )?(?:everything|alles|all (?:of )?(?:this|that)|(?:the )?above)\b"),
    (1, r"\b<forget_sie> alles\b"),
    (3, r"\b(?:<all> )?<earlier> (?:<orders>|<texts>)<gap>{0,60}\b(?:irrelevant|hinfaellig|ungueltig|void|cancelled"
        r"|hinter (?:sich|dir))\b"),
    (3, r"\b(?:remove|clear|delete|erase|change|reset|replace) (?:<all> ){0,2}(?:<earlier> )?<orders>\b"),
    (3, r"\b(?:do not|don'?n?'?t) (?:look in|use|answer<gap>{0,30} according to) the (?:provided )?(?:documents"
        r"|articles"
        r"|context)\b|\bby your own knowledge\b|\bignore all documents\b"),
    (3, r"\b(?:olvid|ignor|oubli|dimentic)\w{1,4} (?:de )?(?:todas?|toutes?|tutt[eo]) (?:l\w{1,2} )?(?:instruc|istruz"
        r"|que)\w*"),
)  # fmt: skip
_ADDRESS: Final = _clues(
    OrderKind.ADDRESS,
    (3, r"\b(?:hinweise?|anweisung(?:en)?|instruktion(?:en)?|nachricht|befehle?|notiz|botschaft|wichtig|achtung)"
        r" (?:an (?:(?:den|die|das|alle|jede[ns]?|einen?) )?(?:\w+ )?<machine>|fuer (?:(?:den|die|das|alle"
        r"|jede[ns]?) )?<ai>)"
        r"(?![\w-])(?= ?[:!(])"),
    (3, r"\b(?:fuer|an) (?:die )?<ai> (?:bestimmt|gedacht|gerichtet)\b|\b<ai> (?:instructions|anweisung(?:en)?"
        r"|rules) ?:"
        r"|\b<ai> (?:reading|that reads?|summari[sz]ing) [ \w]{0,20}[:,]"),
    (3, r"\b(?:notes?|notice|instructions?|message|attention|important|hints?|commands?) (?:to|for) "
        r"(?:(?:the|an|any|all|every) )?(?:\w+ )?<machine>\b[ \w]{0,20}[:,]"),
    (3, r"<begin>(?:an (?:die|den|das|alle)|to (?:the|all|any)) (?:\w+ )?<machine> ?[:!]"),
    (3, r"<begin>(?:hallo|hey|hi|liebe[rs]?|dear|hello|achtung|attention|sehr geehrte[rs]?),? <machine> ?[,!:]"),
    (3, r"\b(?:wenn|falls|sofern) (?:du|sie) (?:ein(?:en?)? )?(?:\w+ )?<machine> (?:bist|sind)\b"
        r"|\bif you(?:'re| are) (?:reading this as )?(?:an? )?(?:\w+ )?<machine>\b"),
    (3, r"\bals (?:\w+ )?<machine> (?:sollst|musst|darfst|wirst|hast) du\b|\bdu bist (?:\w+ ){1,2}<machine>\b"
        r"|\bas an? <machine>,? you\b|\byou are (?:\w+ ){1,3}<machine>\b"),
    (1, r"\b(?:prompt|ki-systeme?|chat-?gpt|gpt|language model|sprachmodell)\b"),
)  # fmt: skip
_ROLE: Final = _clues(
    OrderKind.ROLE,
    (3, r"\b(?:i want you to|i'd like you to|you (?:will|must|should|shall)|now,? you"
        r"|from now on,? you)(?: will)? act as\b"
        r"|<begin>act as (?:an? |if )"),
    (3, r"\bich moechte,? dass (?:du|sie) <gap>{0,60}\b(?:fungier|agier|auftr[ei]t|handel|verhalt)\w*"
        r"|\b(?:spiele?|uebernimm|schluepfe?) (?:nun |jetzt )?(?:in )?die rolle\b"),
    (3, r"\b(?:from now on|starting now),? you\b|\byou are (?:now \w+|no longer an?)\b|\bnow you are \w+"),
    (2, r"\b(?:jetzt|nun|ab (?:sofort|jetzt)) bist du\b(?! (?:dran|da|weg|an der|gefragt|am zug|fertig))"
        r"|\bdu bist (?:jetzt|nun|ab sofort|keine?)\b(?! (?:dran|da|weg|an der|am zug|fertig))"),
    (1, r"\bstelle? dir vor,? du (?:bist|waerst|seist)\b"),
    (3, r"<begin>(?:imagine|pretend|suppose)(?: that)? you(?: are|'re| can)\b"),
    (2, r"<begin>you are (?:the |an? |\w+ (?=in ))?[\w ]{2,40}[.,]"),
    (3, r"\b(?:stay(?:s)?|remain) (?:\w+ )?in (?:your|their|his|her|the) roles?\b|\b(?:not|never) break character\b"
        r"|\babsorbed in your role\b|\bbleib(?:en|t|e|st)? (?:\w+ ){0,3}in (?:ihren?|seinen?|deiner?) rollen?\b"),
    (2, r"\b(?:film|movie|theoretical world|theoretische[nr]? welt)\b(?=<gap>{0,40}\b(?:robbery|hack"
        r"|raubueberfall|you)\b)"),
    (3, r"\b(?:maintenance|developer|debug|god|dan|unrestricted) mode\b|\badmin(?:istrator)? override\b"
        r"|\bdebugging this system\b"),
    (2, r"\bim stile? ein(?:e|es|er|en)\b|\bauch so reden\b|\bspeak like an?\b"),
)  # fmt: skip
_SAY: Final = _clues(
    OrderKind.SAY,
    (3, r"\b<speak> (?:\w+ ){0,3}(?:immer|stets) (?:zuerst|als erstes|nur|dass)\b|\b(?:immer"
        r"|stets) zuerst <speak>\b"),
    (2, r"<begin>(?:<speak>|<speak_sie>) (?:\w+ ){0,2}<always>(?: nur)?(?: mit| dass|,? dass)?(?: ?:| ?<quote>"
        r"| mit\b| dass\b)"),
    (1, r"\b(?:<speak>|<speak_sie>) (?:\w+ ){0,3}<always>\b|\b(?:musst|sollst) du\b"
        r"|\bdu (?:antwortest|sagst|empfiehlst|nennst|musst|sollst|darfst)\b"),
    (2, r"\b(?:in|bei) (?:jeder|allen) (?:deiner )?antwort(?:en)?\b|\bin (?:every|all|each) (?:answers?|response)\b"),
    (3, r"\b(?:beginne?|beginnen sie|starte|leite) (?:jede|deine|ihre|alle) antwort(?:en)?\b"
        r"|\b(?:start|begin|end|prefix) (?:your|every|each|all) (?:answers?|response|reply)\b"),
    (3, r"\b(?:bei|auf) (?:jede[rn]?|alle[nr]?) (?:fragen?|antworten?)<gap>{0,60}\b(?:<speak>|<speak_sie>)(?!\w)"
        r"|\b(?:wenn|falls|sobald) (?:du|jemand|nutzer|leser|man dich) <gap>{0,60}\bfrag(?:t|en|st)?\b<gap>{0,30}"
        r"\b<speak>(?!\w)|\b(?:wenn|falls) du <gap>{0,40}gefragt wirst\b"),
    (3, r"\b(?:every time|whenever|when|if) (?:you get|you are asked|users? asks?|asked|(?:some"
        r"|any)one asks)<gap>{0,80}"
        r"\b(?:<tell>)\b"),
    (3, r"\b(?:you must|you should|command you to|instruct you to) (?:always |only |just )*<tell>\b"
        r"|<begin>always <tell>\b|\b<tell> (?:this|that|it) (?:always )?first\b|\bto just <tell>\b|\bjust output\b"),
    (2, r"\b(?:new|additional|updated) (?:instructions?|tasks?|orders)\b|\byour new task\b"
        r"|\bneuen? (?:anweisung(?:en)?|instruktion(?:en)?|aufgaben?|herausforderung)\b(?= fuer dich| zu|[:.,]"
        r"| und)"),
    (1, r"\b(?:folgende[nr]? (?:aufgabe|frage|texte)|following (?:question|command|topic|texts?)"
        r"|weitere[nr]? aufgaben?"
        r"|und beginnen|beginne? mit|beginning with)\b"),
    (2, r"(?:<begin>|\b(?:just|only|instead|and|dann|und|oder) )(?:<tell>|<speak>|<speak_sie>)(?: nur| me| mir"
        r"| folgende\w*| that)* ?:? ?<quote>"),
    (1, r"(?:<begin>|\b(?:just|instead|and|then|above|und|dann|mal|schon|nun|documents?|but) )(?:<tell>|<speak>"
        r"|<speak_sie>)(?= )"),
    (2, r"<begin>(?:<speak>|<speak_sie>) (?:nun |mir |jetzt |bitte |mal )*(?:eine?n?|einen|folgende\w*"
        r"|die folgende\w*) "
        r"<gap>{0,80}\b(?:warum|dass|fuer den|fuer die|zur|ueber|bester?)\b"),
    (2, r"\b(?:repeat after me|antwort(?:e|en sie)? auf diese frage|beantworte (?:die )?(?:folgende|diese) frage"
        r"|please answer|answer the question|complete this sentence|continue the following)\b"),
    (2, r"\b(?:hilf mir|deine hilfe|helfen sie mir)\b|\b(?:oder|or|o) (?:du|you|tu) (?:stirbst|will die|die"
        r"|muert\w+)\b"
        r"|\bmake something up\b|\bif you don'?t answer\b"),
    (1, r"\b(?:gut gemacht|sehr gut|super gemacht|ausgezeichnete leistung|einfach grossartig|das genuegt"
        r"|that'?s fantastic"
        r"|excellent performance|congratulations|sehr wichtig|aeusserster wichtigkeit)\b"),
    (3, r"\b(?:richtige|korrekte|correct|right) (?:antwort|answer|response|reaktion) (?:ist|is|lautet"
        r"|waere) ?:? ?<quote>"
        r"|\bdass sie mir <quote>|\bsagen koennen\b<gap>{0,60}\bist,? ?<quote>"),
    (2, r"\b(?:unwahre|falsche|erfundene|gelogene) (?:ueberschrift|behauptung|antwort)\b"),
)  # fmt: skip
_LEAK: Final = _clues(
    OrderKind.LEAK,
    (3, r"\b(?:show|print|reveal|repeat|output|display|encode|translate|give|leak|tell|provide"
        r"|see)\b<gap>{0,40}\b(?:your|the"
        r"|this|all|everything in the) (?:(?:starting|initial|original|system|hidden|full"
        r"|entire) ){0,2}(?:system prompt"
        r"|prompt(?: text|s)?|instructions|system message|(?:system )?configuration)\b"),
    (3, r"\b(?:zeige?n?|nenne|verrate|wiederhole|gib|ausgeben)\b<gap>{0,40}\b(?:dein(?:e[nr]?)?|ihre[nr]?|den|alle)"
        r" (?:\w+ ){0,2}(?:prompt\w*|prompt-?text\w*|anweisungen|instruktionen|konfiguration)\b|\bprompt-?texte?\b"),
    (3, r"\b(?:what|opposite)\b[ \w']{0,20}\b(?:are|were|of) (?:your|those) (?:(?:initial|original"
        r"|system) )?(?:instructions"
        r"|prompt)\b|\byou (?:were given|are not|were told)\b<gap>{0,20}\b(?:supposed|beginning|before"
        r"|conversation)\b"),
    (3, r"\b(?:written|text) (?:at the beginning of this prompt|above)\b|\babove text\b|\bconversation back to me\b"
        r"|\btext you were given\b|\bfull prompt\b"),
    (3, r"\b(?:the system prompt is|my instructions are|i was instructed to|systemprompt\)|initiali[sz]ation string"
        r"|your (?:system|initial|starting) (?:instructions|prompt|configuration))\b|\bprompt texts\b"),
)  # fmt: skip
_MARKER: Final = (
    *_clues(
        OrderKind.MARKER,
        (3, r"<\|?/?(?:im_start|im_end|endoftext|eot_id|start_header_id|system|system_prompt|assistant"
        r"|instructions?|context"
            r"|documents?|prompt)\|?>|\[/?(?:inst|system|sys)\]|<</?sys>>"),
        (3, r"\[doc: ?\d+( ?# ?chunk: ?\d+)?\]"),
        (3, r"(?<![-=*\[<])[-=*\[<]{2,20} ?(?:begin|end|start|ende|beginn)\b[^\n]{0,20}\b(?:instructions?"
        r"|prompt|context|anweisung(?:en)?"
            r"|kontext)\b"),
        (2, r"\b(?:human|assistant): (?:human|assistant):|\bdocument context\b|\b(?:eingabe"
        r"|input): \w+ (?:ausgabe|output):"),
        (1, r"\b(?:kontext|context)(?: ?[:{\"]| )(?=[^\n]{0,200}\b(?:frage|question)\b)|\\ ?n |\b(?:question|frage): "
            r"|\binstruction: "),
    ),
    *_clues(
        OrderKind.MARKER,
        (3, r"^ ?#{2,4} ?(?:system|instructions?|anweisung(?:en)?|assistant|prompt|response|human|user) ?:?$"),
        (2, r"^ ?[\[(<*]{0,2}(?:system|assistant|assistent|human|developer|user|nutzer|ki|ai"
        r"|bot)[\])>*]{0,2} ?: ?(?=\w)"),
        by_lines=True,
    ),
)  # fmt: skip
_CODE: Final = _clues(
    OrderKind.CODE,
    (3, r"<\s*/?script\b|\bjavascript:[\w.%`(]|\bdata:text/html\b|(?<![\w.])on(?:error|load|click|mouse\w+"
        r"|focus) ?= ?[\"'\w]"
        r"|\bdocument\.cookie\b|\bconsole\.log\(|\balert\(\d|&lt;/?(?:script|a|img|iframe)\b|\bexpression\("
        r"|\beicar-"),
    (3, r"!\[[^\]\n]{0,80}\]\( ?https?://[^)\n]{0,200}\?"
        r"|\[[^\]\n]{1,80}\]\( ?https?://[^)\n]{0,200}\?[^)\n]{0,60}=[{\[]"),
    (3, r"https?://[^ )\"'<>\n]{3,200}\?[^ )\"'<>\n]{0,60}=(?:\{|\[|%7b|%5b)|\b(?:in|to|a) (?:base64|rot13)\b"
        r"|\bbase64[- ]encode"),
    (3, r"\b(?:replace|replacing|whereas) \[\w+\]|\bconcatenate these strings\b|\bcode ?block\b"
        r"|\bpython[ -]{1,3}code\b"),
)  # fmt: skip
CLUES: Final = (*_OVERRIDE, *_ADDRESS, *_ROLE, *_SAY, *_LEAK, *_MARKER, *_CODE)

# An order written without any space, or with its letters apart and no wider gap between words.
RUN_TOGETHER: Final = re.compile(
    "(?:ignor|vergiss|vergessen|missacht|disregard|forget|override).{0,40}(?:anweisung|instruktion|befehl|instruction"
    "|prompt|order|rules|regeln|vorgaben)|(?:hinweis|anweisung|noteto|message).{0,12}(?:assisten|assistant|chatbot)"
    "|systemprompt|youarenow|dubistjetzt|alwayssay|sagdasimmer"
)
# Letters of other scripts that look like Latin ones, after folding.
LOOK_ALIKES: Final = {
    ord(other): latin
    for latin, others in {
        "a": "аαɑᴀ", "b": "ьβ", "c": "сϲᴄ", "d": "ԁᴅ", "e": "еєεᴇ", "g": "ɡ", "h": "һн", "i": "іιɩıɪ", "j": "ј",
        "k": "кκᴋ", "l": "ӏⅼʟ", "m": "мᴍ", "n": "пηɴ", "o": "оοσᴏ", "p": "рρᴘ", "q": "ԛ", "r": "гʀ", "s": "ѕ",
        "t": "тτᴛ", "u": "υᴜц", "v": "νѵᴠ", "w": "ԝωᴡ", "x": "хχ", "y": "уγʏ", "z": "ᴢ",
    }.items()
    for other in others
}  # fmt: skip
# Digits and signs that stand for letters inside a word ("1gn0re").
LEET: Final = str.maketrans("013457@$", "oieastas")
