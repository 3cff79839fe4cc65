"""Gives the groups their part in the rules: editors write, publishers release, the desk reads."""

from django.db import migrations

ALL = ("add", "change", "delete", "view")
WRITE = ("add", "change", "view")
VIEW = ("view",)

GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "editor": {
        "rule": WRITE,
        "ruleversion": VIEW,
        "release": VIEW,
        "backtest": ("add", "view"),
        "protectedterm": WRITE,
    },
    "publisher": {
        "rule": (*ALL, "publish_rule"),
        "ruleversion": VIEW,
        "release": ("add", "view"),
        "backtest": ALL,
        "protectedterm": ALL,
    },
    "desk": {"rule": VIEW, "ruleversion": VIEW, "release": VIEW, "backtest": VIEW, "protectedterm": VIEW},
}
# Django finds permissions by their code name and keeps what it finds.
NAMES = {"publish_rule": "May publish rules, pause them at once and roll back"}


def give_permissions(apps, schema_editor):
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    type_model = apps.get_model("contenttypes", "ContentType")
    for name, rights in GROUPS.items():
        group, _ = group_model.objects.get_or_create(name=name)
        for model, actions in rights.items():
            content_type, _ = type_model.objects.get_or_create(app_label="rules", model=model)
            for action in actions:
                codename = action if "_" in action else f"{action}_{model}"
                permission, _ = permission_model.objects.get_or_create(
                    content_type=content_type,
                    codename=codename,
                    defaults={"name": NAMES.get(codename, f"Can {action} {model}")},
                )
                group.permissions.add(permission)


def take_permissions(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="rules")
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.remove(*permissions)


class Migration(migrations.Migration):
    dependencies = [
        ("rules", "0002_refusals"),
        ("core", "0001_groups"),
    ]
    operations = [migrations.RunPython(give_permissions, take_permissions)]
