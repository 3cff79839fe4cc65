"""Pairs of topics that may be one subject."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0005_closeness"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="MergeProposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("similarity", models.FloatField(verbose_name="similarity")),
                (
                    "shared",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=80),
                        default=list,
                        size=None,
                        verbose_name="words in common",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("accepted", "brought together"), ("declined", "left apart")],
                        default="open",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="proposed")),
                (
                    "editor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="editor",
                    ),
                ),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="topics.topic",
                        verbose_name="topic",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="topics.topic",
                        verbose_name="other topic",
                    ),
                ),
            ],
            options={
                "verbose_name": "proposal to merge",
                "verbose_name_plural": "proposals to merge",
                "ordering": ("-similarity", "id"),
                "constraints": [
                    models.UniqueConstraint(fields=("one", "other"), name="mergeproposal_once_per_pair"),
                    models.CheckConstraint(
                        condition=models.Q(("one__lt", models.F("other"))), name="mergeproposal_in_order"
                    ),
                ],
            },
        ),
    ]
