"""Loads the demo's rule tree and publishes it, so that a newcomer sees Assisted Retrieval work at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

import apps.rules.demo
from apps.documents.models import Document
from apps.rules.models import ProtectedTerm, Release, Rule
from apps.rules.serialising import rule_from_json
from apps.rules.services import release_publish, rules_save
from apps.rules.types import RuleSpec

FOLDER = Path(apps.rules.demo.__file__).parent


class Command(BaseCommand):
    help = "Loads and publishes the demo's rules; needs the demo's documents. Changes nothing where there are rules."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--first", type=int, help="taken for the sake of the other demo commands; nothing to wait for"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if Rule.objects.exists() or Release.objects.exists():
            self.stdout.write("Demo: there are rules already, none added.")
            return
        specs = self._specs()
        with transaction.atomic():
            self._protected_terms()
            rules_save(specs=specs, author=None, comment="Demo")
            release_publish(author=None, comment="Die mitgelieferten Beispielregeln", expected_release=0)
        self.stdout.write(f"Demo: {len(specs)} rules published.")

    def _specs(self) -> list[RuleSpec]:
        """Read the rules; a document is named by its address there, and by its uuid in a rule."""
        rows = json.loads((FOLDER / "rules.json").read_text(encoding="utf-8"))
        wanted = {each["address"] for row in rows for each in row.get("documents", [])}
        known = {each.address: each for each in Document.objects.filter(address__in=wanted)}
        for row in rows:
            found = [
                (known[each.pop("address")], each) for each in row.get("documents", []) if each["address"] in known
            ]
            row["documents"] = [{**each, "uuid": str(one.uuid), "title": one.title} for one, each in found]
        return [rule_from_json(row) for row in rows]

    def _protected_terms(self) -> None:
        for row in json.loads((FOLDER / "protected_terms.json").read_text(encoding="utf-8")):
            ProtectedTerm.objects.get_or_create(
                name=row["name"], defaults={"aliases": row["aliases"], "note": row["note"]}
            )
