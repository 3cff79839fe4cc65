"""Readers hand questions to the desk; lists filter by confidence and coverage."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("querylog", "0003_rewriting"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Handover",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("taken", "taken"),
                            ("answered", "answered"),
                            ("dismissed", "dismissed"),
                        ],
                        default="open",
                        help_text="“Answered” tells the reader that asking again is worth it; nothing else of this is shown to them.",
                        max_length=12,
                        verbose_name="state",
                    ),
                ),
                (
                    "note",
                    models.TextField(
                        blank=True,
                        default="",
                        help_text="For colleagues: what was found, written or decided.",
                        verbose_name="note",
                    ),
                ),
                ("changed_at", models.DateTimeField(auto_now=True, verbose_name="changed")),
            ],
            options={
                "verbose_name": "handed-over question",
                "verbose_name_plural": "handed-over questions",
                "ordering": ("-turn__handed_over_at",),
            },
        ),
        migrations.AddField(
            model_name="turn",
            name="confidence",
            field=models.FloatField(blank=True, null=True, verbose_name="confidence"),
        ),
        migrations.AddField(
            model_name="turn",
            name="coverage",
            field=models.FloatField(blank=True, null=True, verbose_name="coverage"),
        ),
        migrations.AddField(
            model_name="turn",
            name="handed_over_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="handed to the desk"),
        ),
        migrations.AddField(
            model_name="turn",
            name="understood",
            field=models.JSONField(default=list),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                condition=models.Q(("handed_over_at__isnull", False)),
                fields=["-handed_over_at"],
                name="turn_handed_over",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("confidence__isnull", True),
                    models.Q(("confidence__gte", 0), ("confidence__lte", 1)),
                    _connector="OR",
                ),
                name="turn_confidence_is_a_share",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("coverage__isnull", True), models.Q(("coverage__gte", 0), ("coverage__lte", 1)), _connector="OR"
                ),
                name="turn_coverage_is_a_share",
            ),
        ),
        migrations.AddField(
            model_name="handover",
            name="editor",
            field=models.ForeignKey(
                blank=True,
                help_text="Who works on it, or who has closed it.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="editor",
            ),
        ),
        migrations.AddField(
            model_name="handover",
            name="turn",
            field=models.OneToOneField(
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="handover",
                to="querylog.turn",
                verbose_name="question",
            ),
        ),
        migrations.AddIndex(
            model_name="handover",
            index=models.Index(condition=models.Q(("state", "open")), fields=["state"], name="handover_open"),
        ),
        migrations.AddConstraint(
            model_name="handover",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "open"), _negated=True), ("editor__isnull", True), _connector="OR"
                ),
                name="handover_open_is_nobodys",
            ),
        ),
    ]
