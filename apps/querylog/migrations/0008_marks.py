"""Marks of questions (kind, parties, people, how it ended), counts by day that outlive them, and which are a demo."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("querylog", "0007_feedback"),
    ]

    operations = [
        migrations.CreateModel(
            name="LogDay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                (
                    "counted",
                    models.CharField(
                        choices=[
                            ("all", "all questions"),
                            ("kind", "kind of question"),
                            ("outcome", "outcome"),
                            ("party", "party"),
                            ("person", "person"),
                        ],
                        max_length=8,
                    ),
                ),
                ("value", models.CharField(blank=True, default="", max_length=120)),
                ("turns", models.PositiveIntegerField()),
                ("sessions", models.PositiveIntegerField()),
            ],
            options={
                "ordering": ("-day", "counted", "value"),
            },
        ),
        migrations.AddField(
            model_name="conversation",
            name="is_demo",
            field=models.BooleanField(default=False, editable=False, verbose_name="demo"),
        ),
        migrations.AddField(
            model_name="turn",
            name="ended_with",
            field=models.CharField(blank=True, default="", max_length=40, verbose_name="ended with"),
        ),
        migrations.AddField(
            model_name="turn",
            name="kind",
            field=models.CharField(
                choices=[
                    ("text", "question"),
                    ("too_short", "too short"),
                    ("no_text", "without words"),
                    ("small_talk", "small talk"),
                    ("blocked", "an order to the bot"),
                ],
                default="text",
                max_length=12,
                verbose_name="kind",
            ),
        ),
        migrations.AddField(
            model_name="turn",
            name="parties",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.SlugField(), blank=True, default=list, size=None, verbose_name="parties named"
            ),
        ),
        migrations.AddField(
            model_name="turn",
            name="people",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=120),
                blank=True,
                default=list,
                size=None,
                verbose_name="people named",
            ),
        ),
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(condition=models.Q(("is_demo", True)), fields=["is_demo"], name="conversation_demo"),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=django.contrib.postgres.indexes.GinIndex(fields=["parties"], name="turn_parties"),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=django.contrib.postgres.indexes.GinIndex(fields=["people"], name="turn_people"),
        ),
        migrations.AddConstraint(
            model_name="logday",
            constraint=models.UniqueConstraint(fields=("counted", "day", "value"), name="log_day_counted_once"),
        ),
    ]
