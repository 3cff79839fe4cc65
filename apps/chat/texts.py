"""The words of notices, by code. Whole sentences that say what happened and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise


@dataclass(frozen=True, slots=True)
class NoticeText:
    """What a notice says, and the next step under it. ``names`` is said instead where there is something to name."""

    says: Words
    next_step: Words = ""
    names: Words = ""


TEXTS: dict[str, NoticeText] = {
    "greeting": NoticeText(
        _("Hello! I find answers in the parties' programmes and in our articles."), _("What would you like to know?")
    ),
    "thanks": NoticeText(_("You are welcome."), _("Is there anything else you would like to know?")),
    "goodbye": NoticeText(_("Goodbye!"), _("You can come back to this conversation as long as it is kept.")),
    "how_are_you": NoticeText(
        _("Thank you for asking. I am a program, so every day is the same to me."), _("What would you like to know?")
    ),
    "about": NoticeText(
        _("I am a program, not a person. Each sentence of my answers leads to its place in a source."),
        _("Ask me about positions of the parties or about how to vote."),
    ),
    "abilities": NoticeText(
        _("I look for your question in the parties' programmes and in our articles, and show you the passages."),
        _("Ask me about positions of the parties or about how to vote."),
    ),
    "maker": NoticeText(
        _("I am a program that this newsroom runs. Editors decide which sources I read."),
        _("Ask me about positions of the parties or about how to vote."),
    ),
    "knowledge": NoticeText(
        _("I know only what stands in our sources: the parties' programmes and our articles."),
        _("Every sentence of an answer has a link to its place. Please check it there."),
    ),
    "compliment": NoticeText(
        _("Thank you, that is kind. I am a program, and I am glad to be of use."),
        _("Is there anything else you would like to know?"),
    ),
    "insult": NoticeText(
        _("I am a program and do not take that amiss. I am sorry if an answer did not help you."),
        _("Try it with other words, or name a party and a subject."),
    ),
    "joke": NoticeText(
        _("I am no good at entertaining: I am a program for questions about the election."),
        _("Name a subject, for example pensions or climate."),
    ),
    "personal": NoticeText(
        _("I am a program and have neither a private life nor preferences."),
        _("I know my way around the parties' programmes: which subject interests you?"),
    ),
    "feelings": NoticeText(
        _("Thank you for telling me. I am a program and cannot say anything sensible about that."),
        _("If you have a question about the election, I will look for an answer."),
    ),
    "aside": NoticeText(
        _("I cannot say anything about that: I am a program for questions about the election."),
        _("Ask about the parties, their programmes or how to vote."),
    ),
    "repeat": NoticeText(
        _("Then we have misunderstood each other. I am a program and need the question in full."),
        _("Try it with other words, or name a party and a subject."),
    ),
    "acknowledged": NoticeText(_("All right."), _("Is there anything else you would like to know?")),
    "no_opinion": NoticeText(
        _("I judge neither parties nor people. I can show you what the parties say about a subject."),
        _("Name a subject, for example pensions or climate, and compare the positions."),
    ),
    "no_advice": NoticeText(
        _("I give no voting advice. I can show you what the parties say about a subject."),
        _("Name a subject, for example pensions or climate, and compare the positions."),
    ),
    "off_topic": NoticeText(
        _("Our sources say nothing about this."), _("Ask about the parties, their programmes or how to vote.")
    ),
    "not_enough": NoticeText(
        _("We found passages on the subject, but none that answers this question."),
        _("Try it with other words, or name a party and a subject."),
        _("We found nothing in our sources on: %(names)s."),
    ),
    "not_stated": NoticeText(
        _("We found passages on the subject, but none that answers this question."),
        _("Ask without it, or about the parties, their programmes or how to vote."),
        # It need not be on the sources' subjects at all.
        _("Our sources do not speak of “%(names)s”, at least not where they come closest to your question."),
    ),
    "no_date": NoticeText(
        _("We found passages on the subject, but none that says when."),
        _("Try it with other words, or name a party and a subject."),
    ),
    "no_number": NoticeText(
        _("We found passages on the subject, but not the number you ask for."),
        _("Try it with other words, or name a party and a subject."),
    ),
    "no_person": NoticeText(
        _("We found passages on the subject, but none that says who."),
        _("Try it with other words, or name a party and a subject."),
    ),
    "no_place": NoticeText(
        _("We found passages on the subject, but none that says where."),
        _("Try it with other words, or name a party and a subject."),
    ),
    "no_reason": NoticeText(
        _("We found passages on the subject, but none that says why."),
        _("Try it with other words, or name a party and a subject."),
    ),
    "unknown_party": NoticeText(
        _("Our sources know no party called %(names)s."), _("Ask about another subject or another party.")
    ),
    "premise_value": NoticeText(_("“%(names)s” does not stand in our sources on this. There it says:")),
    "premise_unconfirmed": NoticeText(_("Our sources do not say that this is so. On the subject it says there:")),
    "which_subject": NoticeText(
        _("What is your question about?"), _("Name a party or a subject, for example pensions or postal voting.")
    ),
    "wrong_party": NoticeText(
        _("Our sources hold nothing on this from: %(names)s."), _("Ask about another subject or another party.")
    ),
    "only_the_desk": NoticeText(_("Our sources add nothing to this.")),
    "cut_short": NoticeText(_("This answer may lack something: the rest could not be checked against our sources.")),
    "sources_differ": NoticeText(_("Our sources differ on this. The newer one comes first:")),
    "outdated_source": NoticeText(_("Meanwhile there is something newer than: %(names)s.")),
    "other_time": NoticeText(
        _("Our sources hold nothing from the time you name. These sentences are from another time.")
    ),
    "only_opinion": NoticeText(
        _("Only a commentary speaks of this. It gives its author's opinion, it does not report.")
    ),
    "part_unanswered": NoticeText(_("Our sources do not answer this part of your question: %(names)s")),
    "coverage_low": NoticeText(_("Our sources were found to say nothing on this: %(names)s")),
    "which_party": NoticeText(_("Which party do you mean?"), _("Choose a question or write another.")),
    "which_offer": NoticeText(_("What would you like to know more about?"), _("Choose a question or write another.")),
    "which_reading": NoticeText(_("How do you mean that?"), _("Choose a question or write another.")),
    "which_one": NoticeText(_("Which of these do you mean?"), _("Choose a question or write another.")),
    "cannot_widen": NoticeText(
        _("I only search what is published for readers."), _("Here is what these sources say on your last question.")
    ),
    "party_silent": NoticeText(_("Our sources hold nothing on this from: %(names)s.")),
    "empty_corpus": NoticeText(
        _("There are no documents yet that could be quoted."), _("Please try again in a few minutes.")
    ),
    "search_down": NoticeText(
        _("The search does not answer at the moment."), _("Your question is kept. Please try again in a minute.")
    ),
}
# Above sentences of no party that stand beside a party's: they would be taken for that party's own.
OTHER_SOURCES = _("Other sources")
FALLBACK = NoticeText(_("Our sources do not answer this question."), _("Try it with other words."))
FAILED = NoticeText(
    _("Something broke while we were looking for an answer."), _("Your question is kept. Please try again.")
)
INTERRUPTED = NoticeText(_("The answer was interrupted."), _("You can ask the question again."))


def notice_text(code: str, names: Sequence[str] = ()) -> NoticeText:
    """Return a code's words with the names put in, or an honest general sentence."""
    found = TEXTS.get(code, FALLBACK)
    if found.names and names:
        found = NoticeText(found.names, found.next_step)
    if "%(names)s" not in str(found.says):
        return found
    return NoticeText(str(found.says) % {"names": ", ".join(names)}, found.next_step) if names else FALLBACK
