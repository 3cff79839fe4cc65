"""What the desk suggests on the first screen; editors keep it."""

from django.db import migrations, models

ALL = ("add", "change", "delete", "view")
GROUPS: dict[str, tuple[str, ...]] = {"editor": ALL, "publisher": ALL, "desk": ALL}


def _permissions(apps):
    content_type, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label="chat", model="suggestion"
    )
    found = {}
    for verb in ALL:
        # Django finds permissions by their code name and keeps what it finds.
        found[verb], _ = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=content_type,
            codename=f"{verb}_suggestion",
            defaults={"name": f"Can {verb} suggested question"},
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
        ("chat", "0003_guide_sharing_limits"),
    ]

    operations = [
        migrations.CreateModel(
            name="Suggestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("updated_at", models.DateTimeField(auto_now=True, verbose_name="changed")),
                (
                    "is_active",
                    models.BooleanField(
                        default=True, help_text="Off: readers do not see it.", verbose_name="switched on"
                    ),
                ),
                (
                    "order",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="The lower number stands first.", verbose_name="order"
                    ),
                ),
                (
                    "valid_from",
                    models.DateField(
                        blank=True, help_text="First day. Empty: at once.", null=True, verbose_name="valid from"
                    ),
                ),
                (
                    "valid_until",
                    models.DateField(
                        blank=True, help_text="Last day. Empty: for good.", null=True, verbose_name="valid until"
                    ),
                ),
                (
                    "question",
                    models.CharField(
                        help_text="As a reader would ask it, and as it is asked when pressed.",
                        max_length=200,
                        verbose_name="question",
                    ),
                ),
                (
                    "question_en",
                    models.CharField(
                        blank=True,
                        help_text="Empty: not shown on the English page.",
                        max_length=200,
                        verbose_name="question, English",
                    ),
                ),
            ],
            options={
                "verbose_name": "suggested question",
                "verbose_name_plural": "suggested questions",
                "ordering": ["order", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("question", ""), _negated=True), name="suggestion_has_question"
                    )
                ],
            },
        ),
        migrations.RunPython(give_permissions, take_permissions),
    ]
