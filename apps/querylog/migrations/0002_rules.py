"""Turns remember the rule that answered them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("querylog", "0001_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="rule_uid",
            field=models.CharField(blank=True, default="", max_length=80, verbose_name="rule"),
        ),
        migrations.AddField(
            model_name="turn",
            name="rule",
            field=models.JSONField(default=dict),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                condition=models.Q(("rule_uid", ""), _negated=True),
                fields=["rule_uid", "-created_at"],
                name="turn_rule_created",
            ),
        ),
    ]
