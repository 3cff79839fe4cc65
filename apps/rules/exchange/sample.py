"""The file to begin with: three invented rules that use every notation an import knows."""

from __future__ import annotations

from typing import Final

from apps.rules.types import (
    Example,
    Need,
    Phrase,
    RuleSpec,
    Slot,
    Stage,
    Status,
    TokenList,
    WordMode,
)

# Drafts: whoever imports the file unchanged changes nothing that readers see.
SAMPLE: Final = (
    RuleSpec(uid="beispiel-waehlen", title="Beispiel: So wird gewählt", status=Status.DRAFT, reason="Ordner."),
    RuleSpec(
        uid="beispiel-briefwahl",
        title="Beispiel: Briefwahl beantragen",
        parent="beispiel-waehlen",
        position=1,
        status=Status.DRAFT,
        phrases=(
            Phrase("Wie beantrage ich Briefwahl?"),
            Phrase("Briefwahl, Antrag, Frist"),
            Phrase("Briefwahl", is_fuzzy=False),
        ),
        core=TokenList((Slot("Briefwahl | Wahlschein"), Slot("antrag", WordMode.STARTS)), Need.PERCENT, 50),
        exclude=TokenList((Slot("Österreich"), Slot("Schweiz")), Need.ANY),
        examples=(
            Example("Wo kann ich Briefwahl beantragen?"),
            Example("Wie beantrage ich Briefwahl?", stage=Stage.EXACT),
            Example("Wie geht Briefwahl in Österreich?", must_match=False),
        ),
        tags=("Wahlhilfe", "Fristen"),
        reason="Die häufigste Frage vor jeder Wahl.\nSiehe auch die Regel zu Fristen.",
    ),
    RuleSpec(
        uid="beispiel-erststimme",
        title="Beispiel: Erst- und Zweitstimme",
        parent="beispiel-waehlen",
        position=2,
        status=Status.DRAFT,
        phrases=(Phrase("Was ist der Unterschied zwischen Erst- und Zweitstimme?"),),
        core=TokenList((Slot("Erststimme"), Slot("Zweitstimme"), Slot("Unterschied")), Need.COUNT, 2),
        languages=("de",),
        threshold=85,
    ),
)
