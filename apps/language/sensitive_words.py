"""Words by which people tell their health, belief, orientation, union or vote; as pieces of patterns.

Closed lists are a floor, not a promise: a statement in other words passes. German and the commonest English.
"""

from typing import Final

HEALTH: Final = (
    r"krank|schwerkrank|chronisch\skrank|psychisch\skrank|depressiv|behindert|schwerbehindert|gehbehindert|sehbehindert"
    r"|blind|taub|gehörlos|schwerhörig|schwanger|hiv-?positiv|querschnittsgelähmt|dement|autist|autistin|autistisch"
    r"|alkoholiker|alkoholikerin|süchtig|drogensüchtig|abhängig|diabetiker|diabetikerin|epileptiker|epileptikerin"
    r"|rollstuhlfahrer|rollstuhlfahrerin|schwerbehinderter|schwerbehinderte|pflegebedürftig|suizidgefährdet|magersüchtig"
    r"|disabled|pregnant|depressed|diabetic|deaf|autistic|arbeitsunfähig|suchtkrank|erwerbsunfähig|berufsunfähig|krebskrank|herzkrank|nierenkrank"
    r"|hörgeschädigt|hörbehindert|erblindet|amputiert|gelähmt|drogenabhängig|alkoholkrank|spielsüchtig|essgestört"
    r"|traumatisiert|autistisch|kleinwüchsig|bettlägerig|unheilbar\skrank|todkrank|schwerkrank|traumatisiert|inkontinent"
    r"|\w{0,20}patient(?:in)?|dialysepatient(?:in)?|hiv-infiziert|lernbehindert|contergangeschädigt"
)
ILLNESS: Final = (
    r"krebs|\w{0,20}krebs|aids|hiv|diabetes|depressionen?|multiple\ssklerose|ms|parkinson|alzheimer|demenz|epilepsie"
    r"|asthma|rheuma|adhs|autismus|borderline|schizophrenie|psychosen?|migräne|long[- ]covid|me/cfs|cfs|burn-?out"
    r"|angststörung(?:en)?|essstörung(?:en)?|zöliakie|endometriose|hepatitis|tuberkulose|leukämie|schlaganfall|herzinfarkt"
    r"|(?:eine\s)?behinderung|schwerbehindertenausweis|schwerbehinderung|pflegegrad(?:\s\d)?|\w{0,20}erkrankung"
    r"|\w{2,20}krankheit|abtreibung|fehlgeburt|cancer|depression|dyslexia"
    r"|(?:bipolare[nr]?|psychische[nr]?|dissoziative[nr]?)\sstörung(?:en)?|tumore?n?|metastasen|lymphom|neurodermitis"
    r"|morbus\s\w+|osteoporose|arthrose|arthritis|bluthochdruck|herzschwäche|niereninsuffizienz|sehbehinderung|lähmung"
    r"|querschnitts?lähmung|mukoviszidose|trisomie|down-?syndrom|tourette|legasthenie|dyskalkulie|ptbs|posttraumatische\w*"
    r"|zwangsstörung|panikattacken|suizidgedanken|lipödem|lupus|copd|covid|spenderniere|spenderherz|beinprothese"
    r"|schwangerschaft|eileiterschwangerschaft|schwangerschaftsabbruch"
)
BELIEF: Final = (
    r"muslim|muslima|muslimin|moslem|christ|christin|katholik|katholikin|katholisch|protestant|protestantin|evangelisch"
    r"|jude|jüdin|jüdisch|muslimisch|buddhist|buddhistin|hindu|alevit|alevitin|atheist|atheistin|zeuge\sjehovas"
    r"|orthodox|sunnit|schiit|konfessionslos|gläubig|gläubiger\schrist|freikirchlich|konvertiert|jewish|christian"
)
ORIENTATION: Final = (
    r"schwul|lesbisch|bisexuell|homosexuell|heterosexuell|asexuell|pansexuell|queer|trans|transgender|transsexuell"
    r"|nichtbinär|non-?binary|intersexuell|lesbe|schwuler|gay|lesbian|bisexual|trans\s?frau|trans\s?mann"
)
UNION: Final = (
    r"gewerkschaft\w*|ver\.?di|ig[ -]metall|ig[ -]?bau|ig[ -]?bce|gew|gdp|ngg|evg|dgb|marburger\sbund|betriebsrat"
)
PARTIES: Final = (
    r"spd|cdu/csu|cdu|csu|afd|fdp|bsw|grüne?n?|linken?|linkspartei|union|volt|piraten(?:partei)?|freien?\swähler|npd"
    r"|ödp|ssw|die\spartei|tierschutzpartei|werteunion|sozialdemokraten|liberalen?|bündnis\s(?:90|sahra\swagenknecht)"
)
MEDICINES: Final = r"antidepressiva|insulin|methadon|psychopharmaka|blutverdünner|chemo\w*|prep"
# What people do because of what they believe, or how they live: together with "ich" it tells.
PRACTICE: Final = (
    r"moschee\w*|synagoge|kirchengemeinde|freikirche|islam|judentum|christentum|hinduismus|hinduistisch|buddhismus"
    r"|buddhistisch|zeugen\sjehovas|ramadan|sabbat|schabbat|kopftuch|kippa|konvertiert|getauft|konfirmiert|firmung"
    r"|gleichgeschlechtlich|schwules|lesbisches|geoutet|frauen\sund\sbin\sselbst|männer\sund\sbin\sselbst|transition"
    r"|gestreikt|streikposten|gewerkschaftlich|tarifkommission|sozialdemokratisch|priester|nonne|imam|rabbi"
)
# What is done about an illness.
TREATMENT: Final = (
    r"chemotherapie|bestrahlung|dialyse|entziehungskur|entzug|psychotherapie|therapie|psychiatrie|reha|amputation"
    r"|transplantation|organspende|hormontherapie|substitution|kur|pflegestufe(?:\s\d)?|pflegegrad(?:\s\d)?|betreuung"
)
# Ways to say how one votes without naming a party.
LEANINGS: Final = r"konservativ|grün|links|rechts|liberal|sozialdemokratisch|schwarz|rot|blau|gelb"
