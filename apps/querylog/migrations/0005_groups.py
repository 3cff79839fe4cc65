"""Gives the groups their part in what readers hand to the desk: editors and desk work on it."""

from django.db import migrations

GROUPS: dict[str, tuple[str, ...]] = {
    "editor": ("view_handover", "change_handover"),
    "publisher": ("view_handover", "change_handover"),
    "desk": ("view_handover", "change_handover"),
    "log reader": ("view_handover",),
}
# Django finds permissions by their code name and keeps what it finds.
NAMES = {"view_handover": "Can view handed-over question", "change_handover": "Can change handed-over question"}


def give_permissions(apps, schema_editor):
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    type_model = apps.get_model("contenttypes", "ContentType")
    content_type, _ = type_model.objects.get_or_create(app_label="querylog", model="handover")
    for name, codenames in GROUPS.items():
        group, _ = group_model.objects.get_or_create(name=name)
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
        ("querylog", "0004_handovers"),
        ("core", "0001_groups"),
    ]
    operations = [migrations.RunPython(give_permissions, take_permissions)]
