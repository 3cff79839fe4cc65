"""Loads the demo's question builder: buttons for its parties and topics, and what combinations of them become."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

import apps.chat.demo
from apps.chat.models import BuilderQuery, BuilderTemplate, Facet
from apps.chat.tasks import builder_pairs_check
from apps.documents.models import Party

FILE = Path(apps.chat.demo.__file__).parent / "builder.json"
# By then the demo's programmes are read, if the machine is not very busy; the nightly check asks again.
_CHECK_AFTER_SECONDS = 240


class Command(BaseCommand):
    help = "Loads the demo's question builder. Changes nothing where there are buttons; --remove takes them out."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--first", type=int, help="taken for the sake of the other demo commands")
        parser.add_argument("--remove", action="store_true", help="take the demo's buttons and templates out")

    def handle(self, *args: Any, **options: Any) -> None:
        content = json.loads(FILE.read_text(encoding="utf-8"))
        if options["remove"]:
            Facet.objects.filter(slug__in=[row["slug"] for row in content["facets"]]).delete()
            BuilderTemplate.objects.filter(name__in=[row["name"] for row in content["templates"]]).delete()
            return
        if Facet.objects.exists() or BuilderTemplate.objects.exists():
            self.stdout.write("Demo: the question builder has buttons already, none added.")
            return
        with transaction.atomic():
            count = self._facets(content["facets"])
            self._templates(content["templates"])
            transaction.on_commit(lambda: builder_pairs_check.apply_async(countdown=_CHECK_AFTER_SECONDS))
        self.stdout.write(f"Demo: {count} buttons of the question builder.")

    def _facets(self, rows: list[dict[str, Any]]) -> int:
        parties = {party.slug: party for party in Party.objects.all()}
        facets = []
        for row in rows:
            slug = row.pop("party", None)
            if slug is None or slug in parties:
                facets.append(Facet(**row, party=parties.get(slug or "")))
        Facet.objects.bulk_create(facets)
        return len(facets)

    def _templates(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            queries = row.pop("queries")
            template = BuilderTemplate.objects.create(**row)
            BuilderQuery.objects.bulk_create(
                BuilderQuery(template=template, order=place, **query) for place, query in enumerate(queries)
            )
