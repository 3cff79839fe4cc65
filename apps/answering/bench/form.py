"""What the bench asks for: the question, the conversation before it, and who asks when of which settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import get_language, gettext, gettext_lazy
from unfold.widgets import TEXTAREA_CLASSES

from apps.answering.bench.running import BenchQuestion, RulesAsked
from apps.answering.live_settings import settings_of
from apps.answering.models import AnswerSettings
from apps.answering.settings_versions import SHIPPED, AnswerSettingsVersion
from apps.core.cleaning import clean_line
from apps.documents.models import Party
from apps.rag.rewriting.types import MOST_EARLIER, MOST_TURNS
from apps.rag.types import AnswerContext
from apps.rules.forms.fields import ChoiceField, LineField, LinesField, MomentField, WordsField
from apps.rules.models import Rule

# As many as the pipeline looks back.
MOST_TURNS_BEFORE: Final = MOST_TURNS + MOST_EARLIER
_MOST_VERSIONS: Final = 20
# Choices that are no stored version.
_LIVE: Final = "live"
_AREA: Final = " ".join(TEXTAREA_CLASSES).replace("!max-w-2xl", "max-w-none")


class BenchForm(forms.Form):
    """A question as a reader would send it. Nothing of it is stored."""

    question = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("A reader's question"),
        help_text=gettext_lazy("For example: How do I vote by post? Nothing of it is stored."),
        widget=forms.Textarea(attrs={"rows": 2, "class": _AREA, "autocomplete": "off"}),
    )
    earlier = LinesField(
        max_length=MOST_TURNS_BEFORE * (settings.QUESTION_MAX_CHARACTERS + 1),
        line_length=settings.QUESTION_MAX_CHARACTERS,
        most_lines=MOST_TURNS_BEFORE,
        label=gettext_lazy("Questions before this one"),
        help_text=gettext_lazy("One in each line, the oldest first. They are answered first, as in a conversation."),
    )
    page_language = ChoiceField(choices=settings.LANGUAGES, label=gettext_lazy("Language of the page"), required=False)
    language = LineField(
        max_length=8,
        label=gettext_lazy("Language of the question"),
        help_text=gettext_lazy("Two letters, for example en. Empty: told from the question."),
    )
    audience = ChoiceField(choices=Rule.Audience.choices, label=gettext_lazy("Who asks"), required=False)
    moment = MomentField(
        label=gettext_lazy("Moment"), help_text=gettext_lazy("For example the evening of election day. Empty: now.")
    )
    choices = WordsField(
        word_length=80,
        label=gettext_lazy("Clicked in the question builder"),
        help_text=gettext_lazy("For example: housing, rent."),
    )
    parties = forms.MultipleChoiceField(
        required=False,
        label=gettext_lazy("Only these parties"),
        help_text=gettext_lazy("Nothing ticked: no limit."),
        widget=forms.CheckboxSelectMultiple,
    )
    rules = ChoiceField(
        choices=[
            (RulesAsked.LIVE.value, gettext_lazy("the live release, as readers get it now")),
            (RulesAsked.DRAFT.value, gettext_lazy("the draft, as the next release would have it")),
        ],
        label=gettext_lazy("Which rules to ask"),
        required=False,
    )
    version = ChoiceField(
        label=gettext_lazy("Settings of answers"),
        help_text=gettext_lazy("Drafts can be tried before they are activated."),
        required=False,
    )
    other = ChoiceField(
        label=gettext_lazy("Beside it, for comparison"),
        help_text=gettext_lazy(
            "A second answer with other settings stands beside the first, and what differs is named."
        ),
        required=False,
    )

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"page_language": get_language() or "de"})
        self.fields["question"].widget.attrs["maxlength"] = settings.QUESTION_MAX_CHARACTERS
        parties = self.fields["parties"]
        assert isinstance(parties, forms.MultipleChoiceField)
        parties.choices = list(Party.objects.order_by("order", "slug").values_list("slug", "short_name"))
        self._versions = {str(row.pk): row for row in offered_versions()}
        versions = [(key, version_name(row)) for key, row in self._versions.items()]
        self._offer(
            "version", [("", gettext("what readers get now")), (SHIPPED, gettext("what the product ships")), *versions]
        )
        self._offer(
            "other",
            [
                ("", gettext("nothing")),
                (_LIVE, gettext("what readers get now")),
                (SHIPPED, gettext("what the product ships")),
                *versions,
            ],
        )

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def has_own_reader(self) -> bool:
        """Say whether somebody else than a reader on our page asks, or at another moment: then the page shows it."""
        names = ("audience", "moment", "language", "choices", "parties")
        given = [self[name].value() for name in names] if self.is_bound else []
        return any(value not in (None, "", [], Rule.Audience.READERS.value) for value in given)

    def clean_question(self) -> str:
        """Return the question on one line; a longer one is refused, as readers' are."""
        limit = settings.QUESTION_MAX_CHARACTERS
        text = clean_line(self.cleaned_data["question"], limit=limit + 1)
        if not text:
            raise forms.ValidationError(gettext("Please type a question first."))
        if len(text) > limit:
            raise forms.ValidationError(
                gettext("Please shorten your question to %(limit)d characters.") % {"limit": limit}
            )
        return text

    def clean_language(self) -> str:
        """Return the two letters in lower case, or nothing."""
        language = str(self.cleaned_data["language"]).lower()
        if language and not (len(language) == 2 and language.isascii() and language.isalpha()):
            raise forms.ValidationError(gettext("A language has two letters, for example en."))
        return language

    def asked(self) -> tuple[BenchQuestion, ...]:
        """Return what to run: the question, once for each version of the settings. Call after ``is_valid()``."""
        given = self.cleaned_data
        audience = given["audience"] or Rule.Audience.READERS.value
        context = AnswerContext(
            now=timezone.localtime(given["moment"] or timezone.now()),
            locale=given["page_language"] or get_language() or "de",
            party_slugs=tuple(given["parties"]),
            includes_desk=audience == Rule.Audience.DESK,
            audience=audience,
            builder_choices=tuple(given["choices"]),
            # As on the readers' page.
            wants_offers=True,
        )
        lines = (clean_line(line, limit=settings.QUESTION_MAX_CHARACTERS) for line in given["earlier"].split("\n"))
        question = BenchQuestion(
            settings=self._settings(given["version"]),
            words=given["question"],
            context=context,
            earlier=tuple(line for line in lines if line),
            language=given["language"],
            rules=RulesAsked(given["rules"] or RulesAsked.LIVE.value),
        )
        if not given["other"]:
            return (question,)
        return question, replace(question, settings=self._settings(given["other"]))

    def _settings(self, key: str) -> AnswerSettingsVersion | None:
        """Return a version by its choice; None for what readers get now."""
        if key == SHIPPED:
            return AnswerSettingsVersion()
        return settings_of(self._versions[key]) if key in self._versions else None


def offered_versions() -> list[AnswerSettings]:
    """Return the drafts and the last activated versions: older ones are found in their list."""
    return [*AnswerSettings.objects.drafts()[:_MOST_VERSIONS], *AnswerSettings.objects.activated()[:_MOST_VERSIONS]]


def version_name(row: AnswerSettings) -> str:
    """Return what a version is called among others."""
    given = {"number": row.number, "title": row.title}
    return gettext("draft: %(title)s") % given if row.is_draft else gettext("%(number)s: %(title)s") % given


def going_on(sent: QueryDict) -> QueryDict:
    """Return the form as it is meant: a pressed choice of an answer is the next question of its conversation."""
    pressed, before = sent.get("suggestion", ""), sent.get("question", "")
    if not pressed:
        return sent
    data = sent.copy()
    data["question"] = pressed
    if before.strip() and clean_line(before, limit=1_000) != clean_line(pressed, limit=1_000):
        data["earlier"] = f"{sent.get('earlier', '').rstrip()}\n{' '.join(before.split())}".strip()
    return data
