"""Decisions and outcomes have words, so that lists and filters speak the desk's language."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("querylog", "0010_access"),
    ]

    operations = [
        migrations.AlterField(
            model_name="turn",
            name="decision",
            field=models.CharField(
                blank=True,
                choices=[
                    ("CHAT", "answer without a search"),
                    ("SEARCH_AS_IS", "search as it stands"),
                    ("REWRITE", "search a question that stands alone"),
                    ("CLARIFY", "ask back"),
                    ("DECOMPOSE", "take apart and search each part"),
                ],
                default="",
                max_length=16,
                verbose_name="decision",
            ),
        ),
        migrations.AlterField(
            model_name="turn",
            name="outcome",
            field=models.CharField(
                blank=True,
                choices=[
                    ("answered", "answered"),
                    ("refused", "refused"),
                    ("chatted", "small talk"),
                    ("clarified", "asked back"),
                    ("failed", "failed"),
                    ("interrupted", "interrupted"),
                ],
                default="",
                max_length=12,
                verbose_name="outcome",
            ),
        ),
    ]
