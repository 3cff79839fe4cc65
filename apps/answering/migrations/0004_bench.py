"""Lets the desk try questions on the bench: a permission of its own, for all who write, release, watch or measure."""

from django.db import migrations, models

GROUPS = ("editor", "publisher", "desk", "evaluator")
NAME = "May try questions on the bench"


def give_permission(apps, schema_editor):
    content_type, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label="answering", model="answersettings"
    )
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=content_type, codename="view_bench", defaults={"name": NAME}
    )
    for name in GROUPS:
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        group.permissions.add(permission)


def take_permission(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.filter(
        content_type__app_label="answering", codename="view_bench"
    )
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.remove(*permissions)


class Migration(migrations.Migration):
    dependencies = [("answering", "0003_groups")]
    operations = [
        migrations.AlterModelOptions(
            name="answersettings",
            options={
                "ordering": (models.OrderBy(models.F("number"), descending=True, nulls_first=True), "-pk"),
                "permissions": [
                    ("activate_answersettings", "May activate answer settings and roll back"),
                    ("view_bench", NAME),
                ],
                "verbose_name": "answer settings",
                "verbose_name_plural": "answer settings",
            },
        ),
        migrations.RunPython(give_permission, take_permission),
    ]
