"""When a reader last looked at a turn from another process than the one that answers it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("querylog", "0011_outcomes_in_words")]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="watched_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
