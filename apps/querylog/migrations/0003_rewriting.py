"""Turns remember what their words stood for, so that the next question can lean on them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("querylog", "0002_rules"),
    ]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="rewriting",
            field=models.JSONField(default=dict),
        ),
    ]
