"""Keeps the demo's counts apart, so that they go with it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("querylog", "0008_marks"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="logday",
            name="log_day_counted_once",
        ),
        migrations.AddField(
            model_name="logday",
            name="is_demo",
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name="logday",
            constraint=models.UniqueConstraint(fields=("counted", "day", "value", "is_demo"), name="log_day_once"),
        ),
    ]
