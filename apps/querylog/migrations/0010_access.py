"""Who has read readers' words, and who may export the log."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Code names of the permissions that groups get; Django finds permissions by these and keeps what it finds.
GROUPS = {"log reader": ("export_log",), "operator": ("view_accessentry",)}
NAMES = {"export_log": "May export the log", "view_accessentry": "Can view reading of readers’ words"}


def give_permissions(apps, schema_editor):
    permission_model = apps.get_model("auth", "Permission")
    type_model = apps.get_model("contenttypes", "ContentType")
    content_type, _ = type_model.objects.get_or_create(app_label="querylog", model="accessentry")
    for name, codenames in GROUPS.items():
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        for codename in codenames:
            permission, _ = permission_model.objects.get_or_create(
                content_type=content_type, codename=codename, defaults={"name": NAMES[codename]}
            )
            group.permissions.add(permission)


def take_permissions(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.filter(
        content_type__app_label="querylog", codename__in=NAMES
    )
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.remove(*permissions)


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0001_groups"),
        ("querylog", "0009_demo_counts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AccessEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(editable=False, max_length=150, verbose_name="name")),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("list", "a list"),
                            ("turn", "one question"),
                            ("search", "a search"),
                            ("export", "an export"),
                        ],
                        editable=False,
                        max_length=8,
                        verbose_name="what",
                    ),
                ),
                ("count", models.PositiveIntegerField(editable=False, verbose_name="questions")),
                (
                    "turns",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), default=list, editable=False, size=None, verbose_name="which"
                    ),
                ),
                ("reason", models.CharField(editable=False, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="when")),
                (
                    "user",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
            ],
            options={
                "verbose_name": "reading of readers’ words",
                "verbose_name_plural": "readings of readers’ words",
                "ordering": ("-created_at",),
                "permissions": [("export_log", "May export the log")],
                "indexes": [models.Index(fields=["-created_at"], name="access_entry_created")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="access_entry_has_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="access_entry_has_name"
                    ),
                ],
            },
        ),
        migrations.RunPython(give_permissions, take_permissions),
    ]
