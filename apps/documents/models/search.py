"""The word index: exact BM25 in stock PostgreSQL, as postings in rows. Written and read by documents/search.

Why rows: each chunk's rows come and go with it, so that a growing corpus rewrites nothing; the covering primary key
answers a question without touching the table; filters join naturally. A sparse vector per chunk is scanned whole at
each question, arrays per term are rewritten whole at each new chunk. Measured side by side at 20,000 chunks and five
terms, median: rows 1.2 ms and 171 MB, arrays 0.6 ms and 16 MB, sparse vectors 36 ms, ``ts_rank_cd`` (no BM25) 28 ms.

Nothing that depends on the rest of the corpus is stored in a posting: document frequencies are counted from the
postings when a question asks for them (they are read anyway), number and mean length of the chunks come from
``CorpusChange``. So there is no counter that can drift or that two workers would wait for.
"""

from __future__ import annotations

from django.db import models


class Word(models.Model):
    """A folded word of the corpus. Compounds are cut where both halves are words of the corpus."""

    language = models.CharField(max_length=8)
    text = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["language", "text"], name="word_unique")]


class Term(models.Model):
    """What the analyser makes of words: a stem, a compound part, a number, a reference such as §36."""

    id = models.AutoField(primary_key=True)
    language = models.CharField(max_length=8)
    text = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["language", "text"], name="term_unique")]


class IndexedChunk(models.Model):
    """A chunk whose terms are in the index: its length in terms, its language, its version.

    Narrow on purpose: filters are read from here and not from the wide rows with text and vector. The row and the
    postings go with the chunk, by the database (ON DELETE CASCADE in the migration). Written once, never updated.
    """

    chunk = models.OneToOneField("documents.Chunk", models.DO_NOTHING, primary_key=True, related_name="+")
    version = models.ForeignKey("documents.DocumentVersion", models.DO_NOTHING, related_name="+")
    language = models.CharField(max_length=8)
    length = models.PositiveSmallIntegerField()


class Posting(models.Model):
    """A term in a chunk: how often, and how long the chunk is. Length travels along so that one index is enough."""

    pk = models.CompositePrimaryKey("term", "chunk")
    # Without a constraint: it would be checked for each of millions of rows, and terms are never deleted alone.
    term = models.ForeignKey(Term, models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False)
    chunk = models.ForeignKey("documents.Chunk", models.DO_NOTHING, related_name="+")
    frequency = models.PositiveSmallIntegerField()
    length = models.PositiveSmallIntegerField()


class CorpusChange(models.Model):
    """By how much the indexed corpus grew or shrank; the sum is its size. Written by a trigger on IndexedChunk.

    A single counter row would make every worker wait for the others until commit. Rows are added up now and then.
    """

    language = models.CharField(max_length=8)
    chunks = models.IntegerField()
    length = models.BigIntegerField()
