"""A document may be superseded by a newer one; a trigger keeps circles out."""

import django.db.models.deletion
from django.db import migrations, models

# One at a time: two editors who close a circle from both sides would not see each other.
NO_CIRCLES = """
CREATE FUNCTION documents_no_circle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('documents_document.superseded_by'));
    IF EXISTS (
        WITH RECURSIVE line (id) AS (
            SELECT NEW.superseded_by_id
            UNION
            SELECT document.superseded_by_id FROM line
            JOIN documents_document document ON document.id = line.id
            WHERE document.superseded_by_id IS NOT NULL
        )
        SELECT 1 FROM line WHERE id = NEW.id
    ) THEN
        RAISE EXCEPTION 'document % would supersede itself', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'document_superseded_without_circle';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER document_superseded_without_circle
    BEFORE INSERT OR UPDATE OF superseded_by_id ON documents_document
    FOR EACH ROW WHEN (NEW.superseded_by_id IS NOT NULL) EXECUTE FUNCTION documents_no_circle();
"""

FORGET_CIRCLES = """
DROP TRIGGER IF EXISTS document_superseded_without_circle ON documents_document;
DROP FUNCTION IF EXISTS documents_no_circle();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0013_link_checks"),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="superseded_by",
            field=models.ForeignKey(
                blank=True,
                help_text="The newer document on the same matter. It answers first; this one where readers ask what was before.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="supersedes",
                to="documents.document",
                verbose_name="superseded by",
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("superseded_by__isnull", True),
                    models.Q(("superseded_by", models.F("id")), _negated=True),
                    _connector="OR",
                ),
                name="document_not_superseded_by_itself",
            ),
        ),
        migrations.RunSQL(NO_CIRCLES, FORGET_CIRCLES),
    ]
