"""A curated link remembers where it led before: releases name it by the address it had."""

import django.contrib.postgres.fields
from django.db import migrations, models

REMEMBER = """
CREATE FUNCTION documents_remember_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.former_addresses := array_append(
        array_remove(array_remove(OLD.former_addresses, OLD.address), NEW.address), OLD.address
    );
    RETURN NEW;
END $$;
CREATE TRIGGER curated_link_remembers_address
    BEFORE UPDATE OF address ON documents_curatedlink
    FOR EACH ROW WHEN (NEW.address <> OLD.address) EXECUTE FUNCTION documents_remember_address();
"""

FORGET = """
DROP TRIGGER IF EXISTS curated_link_remembers_address ON documents_curatedlink;
DROP FUNCTION IF EXISTS documents_remember_address();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0014_superseded_documents"),
    ]

    operations = [
        migrations.AddField(
            model_name="curatedlink",
            name="former_addresses",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=500), blank=True, default=list, editable=False, size=None
            ),
        ),
        migrations.RunSQL(REMEMBER, FORGET),
    ]
