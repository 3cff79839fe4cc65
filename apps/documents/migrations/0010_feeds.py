"""Feeds, what is being read, what a person set, and vectors that a running index has paid for."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0004_vector_index"),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="edited_fields",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40), blank=True, default=list, editable=False, size=None
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="pending_version",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="documents.documentversion",
            ),
        ),
        migrations.AlterField(
            model_name="document",
            name="current_version",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="documents.documentversion",
            ),
        ),
        migrations.AddField(
            model_name="documentversion",
            name="is_crawled",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="Feed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("updated_at", models.DateTimeField(auto_now=True, verbose_name="changed")),
                (
                    "address",
                    models.URLField(
                        help_text="Of the RSS or Atom feed.", max_length=500, unique=True, verbose_name="address"
                    ),
                ),
                (
                    "title",
                    models.CharField(
                        blank=True, help_text="Empty: as the feed calls itself.", max_length=200, verbose_name="title"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("programme", "programme"),
                            ("news", "news"),
                            ("opinion", "opinion"),
                            ("explainer", "explainer"),
                            ("law", "law"),
                            ("faq", "questions and answers"),
                            ("data", "data"),
                        ],
                        default="news",
                        help_text="What its articles are. Opinion pieces belong in a feed of their own.",
                        max_length=12,
                        verbose_name="kind",
                    ),
                ),
                (
                    "publisher",
                    models.CharField(
                        blank=True, help_text="Who publishes the articles.", max_length=120, verbose_name="publisher"
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        blank=True,
                        help_text="Two letters, e.g. de. Empty: told from each text.",
                        max_length=8,
                        verbose_name="language",
                    ),
                ),
                ("is_active", models.BooleanField(default=True, verbose_name="fetched every night")),
                (
                    "fetched_at",
                    models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last fetched"),
                ),
                ("etag", models.CharField(blank=True, editable=False, max_length=200)),
                ("last_modified", models.CharField(blank=True, editable=False, max_length=60)),
                ("error", models.TextField(blank=True, editable=False, verbose_name="what went wrong")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="feeds",
                        to="documents.collection",
                        verbose_name="collection",
                    ),
                ),
                (
                    "party",
                    models.ForeignKey(
                        blank=True,
                        help_text="Only when the party itself speaks in it.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="feeds",
                        to="documents.party",
                        verbose_name="party",
                    ),
                ),
            ],
            options={
                "verbose_name": "feed",
                "verbose_name_plural": "feeds",
                "ordering": ("title", "address"),
            },
        ),
        migrations.CreateModel(
            name="EmbeddedText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text_hash", models.CharField(max_length=64)),
                ("vector", models.BinaryField()),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embedded_texts",
                        to="documents.documentversion",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("version", "text_hash"), name="embedded_text_unique")],
            },
        ),
    ]
