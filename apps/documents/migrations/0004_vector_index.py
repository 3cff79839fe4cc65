"""The index of the default embedder's vectors; reembed makes another one where the dimension is another."""

from django.db import migrations

# Half precision keeps recall and halves the index. Partial, so that vectors of another length do no harm.
VECTOR_INDEX = """
-- In the row and not beside it: small scopes compare vectors one by one, and text is what moves out when it is long.
ALTER TABLE documents_chunk ALTER COLUMN vector SET STORAGE MAIN;
CREATE INDEX chunk_vector_384 ON documents_chunk
    USING hnsw ((vector::halfvec(384)) halfvec_cosine_ops) WITH (m = 16, ef_construction = 100)
    WHERE vector_dims(vector) = 384;
-- The start-up check asks for the first and the last name.
CREATE INDEX chunk_embedding_model ON documents_chunk (embedding_model) WHERE vector IS NOT NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("documents", "0003_search_tables")]

    operations = [
        migrations.RunSQL(VECTOR_INDEX, "DROP INDEX IF EXISTS chunk_vector_384; DROP INDEX chunk_embedding_model;")
    ]
