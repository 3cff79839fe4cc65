"""Embeds the corpus with the configured embedder and makes the vector index fit its dimension."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from apps.documents.embedding import get_embedder
from apps.documents.search.postings import terms_rebuild
from apps.documents.search.reembedding import chunks_reembed, foreign_chunks, vector_index_fit


class Command(BaseCommand):
    help = "Embeds again what another model embedded; after EMBEDDER or EMBEDDER_MODEL has changed."
    # It repairs what the check refuses.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--all", action="store_true", help="embed every chunk, whatever its model")
        parser.add_argument("--words", action="store_true", help="build the word index anew as well")

    def handle(self, *args: Any, **options: Any) -> None:
        ids = list(foreign_chunks(everything=options["all"]).values_list("id", flat=True))
        with tqdm(total=len(ids), desc="Embedding", unit="chunk", disable=None, leave=False) as bar:
            for done in chunks_reembed(ids):
                bar.update(done - bar.n)
        vector_index_fit()
        self.stdout.write(f"Embedded {len(ids)} chunks with {get_embedder().name}.")
        if options["words"]:
            self.stdout.write(f"Indexed the words of {terms_rebuild()} chunks.")
