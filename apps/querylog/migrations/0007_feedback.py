"""What readers say about answers, sentences and sources; the desk sees it and notes that it has looked at it."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

LABELS = {
    "answerfeedback": "feedback on an answer",
    "sentencereport": "reported sentence",
    "sourcereport": "reported source",
}
GROUPS: dict[str, tuple[str, ...]] = {
    "editor": ("view", "change"),
    "publisher": ("view", "change"),
    "desk": ("view", "change"),
    "log reader": ("view",),
    "evaluator": ("view",),
}


def _permissions(apps):
    permission_model = apps.get_model("auth", "Permission")
    type_model = apps.get_model("contenttypes", "ContentType")
    found = {}
    for model, label in LABELS.items():
        content_type, _ = type_model.objects.get_or_create(app_label="querylog", model=model)
        for verb in ("view", "change"):
            # Django finds permissions by their code name and keeps what it finds.
            found[model, verb], _ = permission_model.objects.get_or_create(
                content_type=content_type, codename=f"{verb}_{model}", defaults={"name": f"Can {verb} {label}"}
            )
    return found


def give_permissions(apps, schema_editor):
    permissions = _permissions(apps)
    for name, verbs in GROUPS.items():
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        group.permissions.add(*(permissions[model, verb] for model in LABELS for verb in verbs))


def take_permissions(apps, schema_editor):
    permissions = _permissions(apps).values()
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.remove(*permissions)


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0001_groups"),
        ("documents", "0014_superseded_documents"),
        ("querylog", "0006_builder_choices"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AnswerFeedback",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="said")),
                ("looked_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="looked at")),
                (
                    "verdict",
                    models.CharField(
                        choices=[("useful", "useful"), ("not_useful", "not useful")],
                        max_length=12,
                        verbose_name="verdict",
                    ),
                ),
                (
                    "reasons",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("wrong", "something in it is wrong"),
                                ("not_answered", "it does not answer my question"),
                                ("one_sided", "it is one-sided"),
                                ("wrong_source", "a source does not fit"),
                                ("other", "something else"),
                            ],
                            max_length=16,
                        ),
                        blank=True,
                        default=list,
                        size=None,
                        verbose_name="reasons",
                    ),
                ),
                ("comment", models.TextField(blank=True, default="", max_length=1000, verbose_name="comment")),
                (
                    "looked_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="looked at by",
                    ),
                ),
                (
                    "turn",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feedback",
                        to="querylog.turn",
                        verbose_name="question",
                    ),
                ),
            ],
            options={
                "verbose_name": "feedback on an answer",
                "verbose_name_plural": "feedback on answers",
                "ordering": ("-created_at",),
                "indexes": [models.Index(fields=["-created_at"], name="feedback_created")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("verdict", "not_useful"), ("reasons", []), _connector="OR"),
                        name="feedback_reasons_for_not_useful",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("reasons__contained_by", ["wrong", "not_answered", "one_sided", "wrong_source", "other"])
                        ),
                        name="feedback_reasons_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SentenceReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="said")),
                ("looked_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="looked at")),
                ("place", models.PositiveSmallIntegerField(verbose_name="place")),
                ("sentence", models.TextField(verbose_name="sentence")),
                (
                    "looked_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="looked at by",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sentence_reports",
                        to="querylog.turn",
                        verbose_name="question",
                    ),
                ),
            ],
            options={
                "verbose_name": "reported sentence",
                "verbose_name_plural": "reported sentences",
                "ordering": ("-created_at",),
                "indexes": [models.Index(fields=["-created_at"], name="sentence_report_created")],
                "constraints": [models.UniqueConstraint(fields=("turn", "place"), name="sentence_reported_once")],
            },
        ),
        migrations.CreateModel(
            name="SourceReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="said")),
                ("looked_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="looked at")),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                ("start", models.PositiveIntegerField(verbose_name="from character")),
                ("end", models.PositiveIntegerField(verbose_name="to character")),
                ("comment", models.TextField(max_length=1000, verbose_name="comment")),
                (
                    "document",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reader_reports",
                        to="documents.document",
                        verbose_name="document",
                    ),
                ),
                (
                    "looked_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="looked at by",
                    ),
                ),
            ],
            options={
                "verbose_name": "reported source",
                "verbose_name_plural": "reported sources",
                "ordering": ("-created_at",),
                "indexes": [models.Index(fields=["-created_at"], name="source_report_created")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("end__gte", models.F("start"))), name="source_report_span"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("comment", ""), _negated=True), name="source_report_says_something"
                    ),
                ],
            },
        ),
        migrations.RunPython(give_permissions, take_permissions),
    ]
