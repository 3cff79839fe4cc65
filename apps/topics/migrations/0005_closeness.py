"""Keeps how close the sources came to a question, instead of the mean of its five best cosines; all are measured anew."""

from django.db import migrations, models


def forget_scale(apps, schema_editor):
    apps.get_model("topics", "Asked").objects.update(closeness=None)
    apps.get_model("topics", "VectorSpace").objects.update(tau=None, spread=None, fitted_at=None)


class Migration(migrations.Migration):
    # An index on a table whose rows the same transaction has changed is refused.
    atomic = False
    dependencies = [("topics", "0004_embed_gists")]
    operations = [
        migrations.RenameField("asked", "mean5", "closeness"),
        migrations.AddField("asked", "is_measured", models.BooleanField(default=False)),
        migrations.RunPython(forget_scale, migrations.RunPython.noop),
        migrations.AddIndex(
            "asked",
            models.Index(fields=["id"], condition=models.Q(is_measured=False), name="asked_not_measured"),
        ),
    ]
