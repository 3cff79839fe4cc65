"""Lets all texts be embedded anew, by what they are about."""

from django.db import migrations


def forget_vectors(apps, schema_editor):
    apps.get_model("topics", "QueryText").objects.update(embedder="", vector=b"")


class Migration(migrations.Migration):
    dependencies = [("topics", "0003_gist_key")]
    operations = [migrations.RunPython(forget_vectors, migrations.RunPython.noop)]
