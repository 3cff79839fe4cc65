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
    RuleSpec(uid="beispiel-rathaus", title="Beispiel: Rund ums Rathaus", status=Status.DRAFT, reason="Ein Ordner."),
    RuleSpec(
        uid="beispiel-oeffnungszeiten",
        title="Beispiel: Wann das Rathaus öffnet",
        parent="beispiel-rathaus",
        position=1,
        status=Status.DRAFT,
        phrases=(
            Phrase("Wann öffnet das Rathaus?"),
            Phrase("Rathaus, Öffnungszeiten, Feiertage"),
            Phrase("Rathaus", is_fuzzy=False),
        ),
        core=TokenList((Slot("Rathaus | Bürgerbüro"), Slot("öffn", WordMode.STARTS)), Need.PERCENT, 50),
        exclude=TokenList((Slot("Österreich"), Slot("Schweiz")), Need.ANY),
        examples=(
            Example("Hat das Bürgerbüro am Samstag geöffnet?"),
            Example("Wann öffnet das Rathaus?", stage=Stage.EXACT),
            Example("Wann öffnen Rathäuser in Österreich?", must_match=False),
        ),
        tags=("Service", "Beispiele"),
        reason="Wird jede Woche gefragt.\nSiehe auch die Regel zu den Ausweisen.",
    ),
    RuleSpec(
        uid="beispiel-ausweis",
        title="Beispiel: Personalausweis verlängern",
        parent="beispiel-rathaus",
        position=2,
        status=Status.DRAFT,
        phrases=(Phrase("Wie verlängere ich meinen Personalausweis?"),),
        core=TokenList((Slot("Personalausweis"), Slot("verlängern"), Slot("abgelaufen")), Need.COUNT, 2),
        languages=("de",),
        threshold=85,
    ),
)
