"""Gives the groups their part in the settings of answers: editors draft, publishers activate, the others look."""

from django.db import migrations

ALL = ("add", "change", "delete", "view")
VIEW = ("view",)

GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "editor": {"answersettings": ALL, "cacheday": VIEW},
    "publisher": {"answersettings": (*ALL, "activate_answersettings"), "cacheday": VIEW},
    "desk": {"answersettings": VIEW},
    "evaluator": {"answersettings": VIEW, "cacheday": VIEW},
    "operator": {"answersettings": VIEW, "cacheday": VIEW},
}
# Django finds permissions by their code name and keeps what it finds.
NAMES = {"activate_answersettings": "May activate answer settings and roll back"}


def give_permissions(apps, schema_editor):
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    type_model = apps.get_model("contenttypes", "ContentType")
    for name, rights in GROUPS.items():
        group, _ = group_model.objects.get_or_create(name=name)
        for model, actions in rights.items():
            content_type, _ = type_model.objects.get_or_create(app_label="answering", model=model)
            for action in actions:
                codename = action if "_" in action else f"{action}_{model}"
                permission, _ = permission_model.objects.get_or_create(
                    content_type=content_type,
                    codename=codename,
                    defaults={"name": NAMES.get(codename, f"Can {action} {model}")},
                )
                group.permissions.add(permission)


def take_permissions(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="answering")
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.remove(*permissions)


class Migration(migrations.Migration):
    dependencies = [
        ("answering", "0002_triggers"),
        ("core", "0001_groups"),
    ]
    operations = [migrations.RunPython(give_permissions, take_permissions)]
