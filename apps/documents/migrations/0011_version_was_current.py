"""Which versions readers have seen: only those stay readable when another one has replaced them."""

from django.db import migrations, models


def mark_current(apps, schema_editor):
    """Mark what is current now; of older versions nobody knows whether they ever were."""
    current = apps.get_model("documents", "Document").objects.filter(current_version__isnull=False)
    versions = apps.get_model("documents", "DocumentVersion").objects
    versions.filter(pk__in=current.values("current_version_id")).update(was_current=True)


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0010_feeds"),
    ]

    operations = [
        migrations.AddField(
            model_name="documentversion",
            name="was_current",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.RunPython(mark_current, migrations.RunPython.noop),
    ]
