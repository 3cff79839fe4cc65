"""A small site to measure: invented parties, a builder, a few documents, and a web server of its own on it."""

from __future__ import annotations

from typing import Final

from django.core.management import call_command

from apps.documents.indexing import Outcome, index_version
from apps.documents.models import Collection, Party
from apps.documents.services import DocumentFacts, document_receive

_SUBJECTS: Final = ("Mindestlohn", "Rente", "Wohnen", "Klima", "Steuern", "Pflege", "Bildung", "Verkehr")
# Keeps the time of a real model and has its faults.
SLOW_MODEL: Final = """
import django
django.setup()
from apps.answering import language_models
from apps.chat.suites.slow_model import timed_reply
language_models.quoting_reply = timed_reply
"""


def questions() -> list[str]:
    """Return questions that the documents answer."""
    return [
        f"Was plant die {name} beim Thema {subject}?" for subject in _SUBJECTS for name in ("Nordpartei", "Südpartei")
    ]


def fill() -> None:
    """Take in the documents and the question builder, in the throw-away database."""
    shelf = Collection.objects.create(slug="bench", name="Wahl")
    for slug, name in (("nord", "Nordpartei"), ("sued", "Südpartei")):
        party = Party.objects.create(slug=slug, name=f"Die {name}", short_name=name, colour="#1b7f3b")
        parts = [
            f"## {subject}\n\nDie {name} will beim Thema {subject} mehr tun. {subject} kostet 3 Milliarden im Jahr."
            f" Beim Thema {subject} entscheidet der Bund ab 2028."
            for subject in _SUBJECTS
        ]
        text = f"# Programm der {name}\n\n" + "\n\n".join(parts)
        facts = DocumentFacts(title=f"Programm der {name}", kind="programme", party=party)
        receipt = document_receive(
            data=text.encode(), filename=f"{slug}.md", collection=shelf, facts=facts, enqueue=False
        )
        if index_version(receipt.version.pk) is not Outcome.READY:
            raise RuntimeError("The documents of the bench could not be read.")
    call_command("demo_builder", verbosity=0)
