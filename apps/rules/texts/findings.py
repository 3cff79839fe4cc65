"""What the checks found: whole sentences that say what to do."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.rules.checking.types import Code, Finding
from apps.rules.texts.words import LISTS, STAGES, STATUSES

_SENTENCES: Final[dict[Code, str | Promise]] = {
    Code.UID_BAD: _("The short name “%(uid)s” is no short name. Use letters, digits, - and _, at most 80."),
    Code.TITLE_MISSING: _("The rule has no title. Give it one, so that colleagues find it in the list."),
    Code.TEXT_TOO_LONG: _("“%(text)s” has %(length)s characters; at most %(most)s fit. Shorten it."),
    Code.NUMBER_OUT_OF_RANGE: _("%(value)s is out of range. Choose a number from %(least)s to %(most)s."),
    Code.LANGUAGE_BAD: _("“%(language)s” is no language. Write two letters, such as de or en."),
    Code.AUDIENCE_UNKNOWN: _("There is no audience “%(audience)s”. Choose one of the list."),
    Code.CHOICE_BAD: _("“%(choice)s” is no choice of the question builder. Choose one of the list."),
    Code.CHOICE_UNKNOWN: _(
        "The question builder has no choice “%(choice)s”, so nobody can click it. Choose another one or none."
    ),
    Code.OWNER_UNKNOWN: _("There is no account “%(owner)s”. Choose another owner."),
    Code.VALIDITY_REVERSED: _("The rule ends before it begins. Swap the two dates."),
    Code.EXPIRED: _("The rule ended on %(until)s and never matches any more. Archive it or move the date."),
    Code.FUTURE: _("The rule begins on %(since)s. Until then it never matches."),
    Code.THRESHOLD_LOW: _(
        "From %(threshold)s percent on, quite different questions count as similar. Choose %(usual)s or more, or look"
        " at the examples closely."
    ),
    Code.PHRASE_EMPTY: _("The phrase “%(phrase)s” has no word in it, so nobody can ask it. Delete or complete it."),
    Code.PHRASE_TOO_LONG: _(
        "The phrase “%(phrase)s …” is longer than any question (512 characters, 64 words). Shorten it."
    ),
    Code.PHRASE_TWICE: _("The phrase “%(phrase)s” is there twice. Delete one of the two."),
    Code.PHRASE_STOP_WORDS: _(
        "The phrase “%(phrase)s” has no word of its own and could be asked about anything. Make it more exact."
    ),
    Code.PHRASE_IN_OTHER_RULE: _(
        "Rule “%(rule)s” has the phrase “%(phrase)s” too. Change one of them or archive a rule."
    ),
    Code.PHRASE_ELSEWHERE: _(
        "Rule “%(rule)s” has the phrase “%(phrase)s” too. They do not get in each other's way now, but would if both"
        " were in use for the same readers at the same time."
    ),
    Code.PHRASE_GATED: _(
        "The phrase “%(phrase)s” never matches, because rule “%(rule)s” above does not let it through. Give that"
        " rule a word of this phrase, or move this rule."
    ),
    Code.LIST_EMPTY: _("The list of %(list)s is empty. Add a word or remove the list."),
    Code.SLOT_EMPTY: _("“%(word)s” among the %(list)s has no word in it. Delete or complete it."),
    Code.SLOT_TOO_LONG: _("“%(word)s” among the %(list)s is longer than %(most)s characters. Split it."),
    Code.SLOT_TWICE: _("“%(word)s” and “%(other)s” among the %(list)s are the same word. Delete one of them."),
    Code.SLOTS_ALIKE: _(
        "“%(word)s” and “%(other)s” among the %(list)s are forms of one word: a question with one of them has both."
        " Delete one, or set both to “exactly so”."
    ),
    Code.AMOUNT_BAD: _("How many of the %(list)s are needed? Choose a number from %(least)s to %(most)s."),
    Code.NEED_TOO_HIGH: _(
        "The rule needs %(needed)s of the %(list)s, but the list has %(count)s, so it can never match. Ask for fewer or"
        " add words."
    ),
    Code.ENDING_TOO_SHORT: _(
        "“%(word)s” among the %(list)s is too short for a beginning or an ending; it would meet too much. Write at"
        " least %(least)s letters."
    ),
    Code.ENDING_MEETS: _("“%(word)s” among the %(list)s also meets: %(words)s. Add what is wrong to the exclude list."),
    Code.STOP_WORDS_SUFFICE: _(
        "Almost every question meets the %(list)s: %(words)s. Choose words that say what the question is about."
    ),
    Code.EXCLUDE_ONLY: _("The rule only says what it must not match. Add a phrase or words that it must match."),
    Code.EXCLUDES_ITSELF: _(
        "The rule needs what it excludes (%(words)s), so its words can never match. Take it out of one of the lists."
    ),
    Code.NEVER_WINS: _("Nothing makes this rule match, so it never hands anything over. Add a phrase or words."),
    Code.TOO_BROAD: _(
        "The rule would have answered %(share)s percent of the last %(count)s questions; %(most)s is the most. Ask for"
        " more words."
    ),
    Code.SHADOWED: _(
        "The rule never wins: wherever it matches, “%(rule)s” matches too and comes first. Change the"
        " priority, or set “%(rule)s” to let others add theirs."
    ),
    Code.LISTS_SHADOWED: _(
        "The words of this rule never decide: wherever they match, “%(rule)s” matches too and comes first. Its phrases"
        " still win. Change the priority, or set “%(rule)s” to let others add theirs."
    ),
    Code.PARENT_MISSING: _("The rule above, “%(parent)s”, is not there any more. Bring it back or choose another one."),
    Code.PARENT_CYCLE: _("A rule cannot stand below itself: %(path)s. Choose another rule above it."),
    Code.TOO_DEEP: _("The tree would have %(levels)s levels; %(most)s are the most. Choose a rule further up."),
    Code.OUTSIDE_PARENT: _(
        "The rule and “%(parent)s” above never hold for the same reader at the same time, so it can never match. Change"
        " the limits of one of them."
    ),
    Code.NOT_ACTIVE: _("The rule is not active (%(status)s), so it is not part of the release. Activate it first."),
    Code.PARENT_NOT_ACTIVE: _(
        "“%(parent)s” above is not active (%(status)s), so this rule does not count. Activate “%(parent)s” or move the"
        " rule."
    ),
    Code.PARENT_NOT_PUBLISHED: _(
        "“%(parent)s” above is not live and not chosen, so this rule cannot go live. Choose “%(parent)s” too."
    ),
    Code.LEAVES_WITH_PARENT: _(
        "The rule is not part of the release, because “%(parent)s” above is not. Activate “%(parent)s”, or move the"
        " rule."
    ),
    Code.HAS_CHILDREN: _("Rules stand below this one (%(count)s). Move or delete them first."),
    Code.DOCUMENT_BAD: _("“%(uuid)s” is no document. Choose one of the list."),
    Code.DOCUMENT_TWICE: _("“%(document)s” is linked twice with the same passages. Remove one link."),
    Code.DOCUMENT_MISSING: _("“%(document)s” is not in the collection any more. Link another document."),
    Code.DOCUMENT_REJECTED: _("“%(document)s” could not be read. Upload it again or link another document."),
    Code.DOCUMENT_BEING_READ: _("“%(document)s” is still being read; the rule hands over nothing of it until then."),
    Code.DOCUMENT_NOT_READY: _("“%(document)s” is not ready for answers yet. Wait for it, review it, or unlink it."),
    Code.DOCUMENT_DESK_ONLY: _(
        "“%(document)s” is for the desk only and never quoted to readers. Move it to a public collection or unlink it."
    ),
    Code.DOCUMENT_EXPIRED: _("“%(document)s” has expired. Link a newer document or change its validity."),
    Code.DOCUMENT_FUTURE: _("“%(document)s” is not valid yet; until then the rule hands over nothing of it."),
    Code.DOCUMENT_NEWER: _(
        "“%(document)s” has changed since the rule was saved (version %(seen)s, now %(version)s). Look whether it still"
        " fits and save the rule."
    ),
    Code.SCOPE_BAD: _("Say which passages of “%(document)s” the rule uses."),
    Code.SCOPE_EMPTY: _("“%(document)s” has nothing at the place that the rule names. Choose other passages."),
    Code.SCOPE_SHORT: _("“%(document)s” ends with passage %(count)s; the rule asks for passages up to %(last)s."),
    Code.OVER_BUDGET: _(
        "The linked documents have %(tokens)s tokens, but %(budget)s fit. Passages left out: %(left)s, from"
        " “%(document)s” on. Choose fewer passages or another order."
    ),
    Code.HANDS_OVER_NOTHING: _(
        "The rule matches, but has no document, no answer and does not search, so readers get no answer. Link a"
        " document or let it search."
    ),
    Code.LINK_BAD: _("“%(address)s” is no web address. Write it with https:// at the beginning."),
    Code.LINK_TWICE: _("The link %(address)s is there twice. Remove one."),
    Code.LINK_UNKNOWN: _("The link %(address)s is not among the curated links; saving the rule adds it there."),
    Code.LINK_UNTITLED: _("The link %(address)s has no title yet. Give it one among the curated links."),
    Code.LINK_DEAD: _("The link “%(title)s” leads nowhere. Correct it among the curated links or remove it."),
    Code.LINK_EXPIRED: _("The link “%(title)s” was valid until %(until)s. Remove it or change its validity."),
    Code.ANSWER_EMPTY: _("The curated answer has no text. Write one or remove it."),
    Code.ANSWER_UNSIGNED: _("The desk's own text needs a name under it. Say who signs it."),
    Code.ANSWER_EXPIRED: _("The curated answer was shown until %(until)s. Renew or remove it."),
    Code.EXAMPLE_EMPTY: _("Example %(number)s has no question. Delete or complete it."),
    Code.EXAMPLE_LOST: _(
        "The example “%(question)s” fails: “%(rule)s” wins instead. Change one of the rules or the example."
    ),
    Code.EXAMPLE_UNMATCHED: _(
        "The example “%(question)s” fails: the rule does not match it, nor does another one. Change the rule or the"
        " example."
    ),
    Code.EXAMPLE_MATCHES: _(
        "The example “%(question)s” must not match, but does (%(stage)s). Change the rule or the example."
    ),
    Code.EXAMPLE_STAGE: _(
        "The example “%(question)s” matches, but at stage “%(stage)s” instead of “%(wanted)s”. Change the rule or the"
        " example."
    ),
}

_MOMENTS: Final = frozenset({"until", "since"})
_WORDS: Final = {"list": LISTS, "status": STATUSES, "stage": STAGES, "wanted": STAGES}


def finding_text(finding: Finding) -> str:
    """Return what was found as sentences in the current language, moments in the newsroom's time."""
    return str(_SENTENCES[finding.code]) % {name: _param(name, value) for name, value in finding.params.items()}


def _param(name: str, value: str | int) -> str | int:
    if name in _WORDS:
        return str(_WORDS[name].get(str(value), value))
    if name in _MOMENTS and isinstance(value, str):
        if len(value) == len("2027-01-31"):
            return date_format(date.fromisoformat(value), "SHORT_DATE_FORMAT")
        return date_format(timezone.localtime(datetime.fromisoformat(value)), "SHORT_DATETIME_FORMAT")
    return value
