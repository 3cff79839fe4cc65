"""The page "How it works", shared answers, and counts of who has asked how often; editors keep the page."""

import django.db.models.deletion
from django.db import migrations, models

import apps.chat.models.sharing

ALL = ("add", "change", "delete", "view")
GROUPS: dict[str, tuple[str, ...]] = {"editor": ALL, "publisher": ALL, "desk": ("view",), "operator": ("view",)}


def _permissions(apps):
    content_type, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label="chat", model="guidesection"
    )
    found = {}
    for verb in ALL:
        # Django finds permissions by their code name and keeps what it finds.
        found[verb], _ = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=content_type,
            codename=f"{verb}_guidesection",
            defaults={"name": f"Can {verb} section of “How it works”"},
        )
    return found


def give_permissions(apps, schema_editor):
    permissions = _permissions(apps)
    for name, verbs in GROUPS.items():
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        group.permissions.add(*(permissions[verb] for verb in verbs))


def take_permissions(apps, schema_editor):
    permissions = _permissions(apps).values()
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.remove(*permissions)


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0001_groups"),
        ("chat", "0002_groups"),
        ("querylog", "0007_feedback"),
    ]

    operations = [
        migrations.CreateModel(
            name="GuideSection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("updated_at", models.DateTimeField(auto_now=True, verbose_name="changed")),
                (
                    "slug",
                    models.SlugField(
                        help_text="Part of the address, e.g. privacy.", unique=True, verbose_name="short name"
                    ),
                ),
                (
                    "order",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="The lower number stands first.", verbose_name="order"
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True, help_text="Off: readers do not see it.", verbose_name="switched on"
                    ),
                ),
                ("title", models.CharField(max_length=120, verbose_name="heading")),
                ("title_en", models.CharField(max_length=120, verbose_name="heading, English")),
                (
                    "text",
                    models.TextField(
                        help_text="An empty line begins a paragraph, “- ” a point of a list. Placeholders: {programmes}, {articles}, {as_of}, {days} (how long questions are kept), {characters} (the longest question), {name} (this page’s name).",
                        verbose_name="text",
                    ),
                ),
                (
                    "text_en",
                    models.TextField(
                        help_text="An empty line begins a paragraph, “- ” a point of a list. Placeholders: {programmes}, {articles}, {as_of}, {days} (how long questions are kept), {characters} (the longest question), {name} (this page’s name).",
                        verbose_name="text, English",
                    ),
                ),
                (
                    "adds",
                    models.CharField(
                        choices=[
                            ("nothing", "nothing"),
                            ("figures", "how good the answers are: figures of the newest evaluation"),
                            ("sources", "which sources there are"),
                            ("contact", "how to reach the newsroom"),
                        ],
                        default="nothing",
                        help_text="What the page itself fills in below the text.",
                        max_length=8,
                        verbose_name="below it",
                    ),
                ),
            ],
            options={
                "verbose_name": "section of “How it works”",
                "verbose_name_plural": "sections of “How it works”",
                "ordering": ["order", "slug"],
            },
        ),
        migrations.CreateModel(
            name="AskCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("who", models.CharField(max_length=64)),
                ("window", models.DateTimeField(verbose_name="from")),
                ("count", models.PositiveIntegerField(default=0, verbose_name="questions")),
            ],
            options={
                "verbose_name": "questions within a time",
                "verbose_name_plural": "questions within a time",
                "ordering": ["-window"],
                "indexes": [models.Index(fields=["window"], name="ask_count_window")],
                "constraints": [models.UniqueConstraint(fields=("who", "window"), name="ask_count_once")],
            },
        ),
        migrations.CreateModel(
            name="SharedAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "key",
                    models.CharField(
                        default=apps.chat.models.sharing.new_key, editable=False, max_length=32, unique=True
                    ),
                ),
                ("question", models.TextField(verbose_name="question")),
                ("shown", models.JSONField(default=list)),
                ("language", models.CharField(default="de", max_length=8, verbose_name="language")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="shared")),
                (
                    "turn",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="share",
                        to="querylog.turn",
                        verbose_name="question",
                    ),
                ),
            ],
            options={
                "verbose_name": "shared answer",
                "verbose_name_plural": "shared answers",
                "ordering": ["-created_at"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("question", ""), _negated=True), name="shared_answer_has_question"
                    )
                ],
            },
        ),
        migrations.RunPython(give_permissions, take_permissions),
    ]
