"""Gives the groups their part in the evaluation: evaluators keep the sets and run them. Nobody else has one."""

from django.db import migrations

ALL = ("add", "change", "delete", "view")

GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "evaluator": {
        "questionset": ALL,
        "question": ALL,
        "evaluationrun": ("add", "delete", "view"),
    },
}


def give_permissions(apps, schema_editor):
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    type_model = apps.get_model("contenttypes", "ContentType")
    for name, rights in GROUPS.items():
        group, _ = group_model.objects.get_or_create(name=name)
        for model, actions in rights.items():
            content_type, _ = type_model.objects.get_or_create(app_label="evaluation", model=model)
            for action in actions:
                # Django creates permissions after all migrations and keeps the ones that it finds.
                permission, _ = permission_model.objects.get_or_create(
                    content_type=content_type,
                    codename=f"{action}_{model}",
                    defaults={"name": f"Can {action} {model}"},
                )
                group.permissions.add(permission)


def take_permissions(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="evaluation")
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.remove(*permissions)


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0001_tables"),
        ("core", "0001_groups"),
    ]
    operations = [migrations.RunPython(give_permissions, take_permissions)]
