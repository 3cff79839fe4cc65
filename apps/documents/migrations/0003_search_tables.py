"""The word index of search. Two tables are plain SQL: their rows go with the chunk, which Django cannot say yet."""

import django.db.models.deletion
from django.db import migrations, models

INDEXED_CHUNK = """
CREATE TABLE documents_indexedchunk (
    chunk_id bigint PRIMARY KEY REFERENCES documents_chunk (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    version_id bigint NOT NULL
        REFERENCES documents_documentversion (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    language varchar(8) NOT NULL,
    length smallint NOT NULL CHECK (length >= 0)
);
-- Small scopes (one party, one collection) come from their versions.
CREATE INDEX indexedchunk_version ON documents_indexedchunk (version_id);
"""

POSTING = """
CREATE TABLE documents_posting (
    chunk_id bigint NOT NULL REFERENCES documents_chunk (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    term_id integer NOT NULL,
    frequency smallint NOT NULL CHECK (frequency > 0),
    length smallint NOT NULL CHECK (length >= 0),
    -- The whole row is in the key's index: a question reads the index only.
    PRIMARY KEY (term_id, chunk_id) INCLUDE (frequency, length)
);
-- The postings of a chunk that goes.
CREATE INDEX posting_chunk ON documents_posting (chunk_id);
"""

CORPUS_SIZE = """
CREATE FUNCTION documents_corpus_grew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO documents_corpuschange (language, chunks, length)
    SELECT language, count(*), sum(length) FROM changed GROUP BY language;
    RETURN NULL;
END $$;
CREATE FUNCTION documents_corpus_shrank() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO documents_corpuschange (language, chunks, length)
    SELECT language, -count(*), -sum(length) FROM changed GROUP BY language;
    RETURN NULL;
END $$;
CREATE TRIGGER indexedchunk_grew AFTER INSERT ON documents_indexedchunk
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION documents_corpus_grew();
CREATE TRIGGER indexedchunk_shrank AFTER DELETE ON documents_indexedchunk
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION documents_corpus_shrank();
"""

FORGET_CORPUS_SIZE = """
DROP TRIGGER IF EXISTS indexedchunk_grew ON documents_indexedchunk;
DROP TRIGGER IF EXISTS indexedchunk_shrank ON documents_indexedchunk;
DROP FUNCTION IF EXISTS documents_corpus_grew();
DROP FUNCTION IF EXISTS documents_corpus_shrank();
"""

# A new word may be a half of compounds that are known already: found by how they begin and how they end.
WORD_ENDS = """
CREATE INDEX word_beginning ON documents_word (language, text varchar_pattern_ops);
CREATE INDEX word_ending ON documents_word (language, reverse(text) text_pattern_ops);
"""


class Migration(migrations.Migration):
    dependencies = [("documents", "0002_tables")]

    operations = [
        migrations.CreateModel(
            name="Word",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(max_length=8)),
                ("text", models.CharField(max_length=64)),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("language", "text"), name="word_unique")]},
        ),
        migrations.CreateModel(
            name="Term",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                ("language", models.CharField(max_length=8)),
                ("text", models.CharField(max_length=80)),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("language", "text"), name="term_unique")]},
        ),
        migrations.CreateModel(
            name="CorpusChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(max_length=8)),
                ("chunks", models.IntegerField()),
                ("length", models.BigIntegerField()),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(INDEXED_CHUNK, "DROP TABLE documents_indexedchunk")],
            state_operations=[
                migrations.CreateModel(
                    name="IndexedChunk",
                    fields=[
                        (
                            "chunk",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="documents.chunk",
                            ),
                        ),
                        ("language", models.CharField(max_length=8)),
                        ("length", models.PositiveSmallIntegerField()),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="documents.documentversion",
                            ),
                        ),
                    ],
                )
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(POSTING, "DROP TABLE documents_posting")],
            state_operations=[
                migrations.CreateModel(
                    name="Posting",
                    fields=[
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "term", "chunk", blank=True, editable=False, primary_key=True, serialize=False
                            ),
                        ),
                        ("frequency", models.PositiveSmallIntegerField()),
                        ("length", models.PositiveSmallIntegerField()),
                        (
                            "chunk",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="documents.chunk"
                            ),
                        ),
                        (
                            "term",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="documents.term",
                            ),
                        ),
                    ],
                )
            ],
        ),
        migrations.RunSQL(CORPUS_SIZE, FORGET_CORPUS_SIZE),
        migrations.RunSQL(WORD_ENDS, "DROP INDEX word_beginning; DROP INDEX word_ending;"),
    ]
