"""A small corpus that the browser tests ask about: two invented parties, a guide, a printed programme."""

from __future__ import annotations

from apps.documents.indexing import Outcome, index_version
from apps.documents.models import Collection, Party
from apps.documents.services import DocumentFacts, document_receive
from tests.documents.pdf_files import printed

HILLS = """# Programm der Hügelpartei

## Mindestlohn

Die Hügelpartei hebt den Mindestlohn auf 16 Euro an. Der Mindestlohn gilt auch für Praktika.

## Kennzahlen

| Jahr | Mindestlohn | Anmerkung |
|---|---|---|
| 2027 | 15,00 Euro | erste Stufe der Anhebung |
| 2028 | 16,00 Euro | zweite Stufe der Anhebung |
"""
GUIDE = """# So geht Briefwahl

## Antrag

Die Briefwahl beantragen Sie schriftlich oder mündlich bei Ihrer Gemeinde. Am Telefon geht das nicht.

## Rückgabe

Der rote Wahlbrief muss am Wahltag bis 18 Uhr ankommen. Die Post befördert den Wahlbrief im Inland ohne Porto.
"""
VALLEY = [
    ["# Programm der Talpartei", "Wir leben im Tal und denken an morgen."],
    [
        "# Mindestlohn",
        "Die Talpartei lässt den Mindestlohn bei 14 Euro.",
        "Über den Mindestlohn entscheidet allein die Kommission.",
    ],
]


def corpus_index() -> None:
    """Take the documents in through the same doors as any other and index them."""
    hills = Party.objects.create(slug="huegel", name="Die Hügelpartei", short_name="Hügelpartei", colour="#1b7f3b")
    valley = Party.objects.create(slug="tal", name="Die Talpartei", short_name="Talpartei", colour="#7a3b8f", order=1)
    shelf = Collection.objects.create(slug="browser", name="Wahl")
    facts = DocumentFacts
    for data, name, told in (
        (HILLS.encode(), "huegel.md", facts(title="Programm der Hügelpartei", kind="programme", party=hills)),
        (printed(VALLEY), "tal.pdf", facts(title="Programm der Talpartei", kind="programme", party=valley)),
        (GUIDE.encode(), "briefwahl.md", facts(title="So geht Briefwahl", kind="explainer", publisher="Der Kurier")),
    ):
        receipt = document_receive(data=data, filename=name, collection=shelf, facts=told, enqueue=False)
        assert index_version(receipt.version.pk) is Outcome.READY
