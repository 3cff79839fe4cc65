"""Who sees how much readers have shared."""

from django.db import migrations

GROUPS = ("desk", "operator")


def _permission(apps):
    content_type, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label="chat", model="sharedanswer"
    )
    # Django finds permissions by their code name and keeps what it finds.
    found, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=content_type, codename="view_sharedanswer", defaults={"name": "Can view shared answer"}
    )
    return found


def give_permission(apps, schema_editor):
    for name in GROUPS:
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        group.permissions.add(_permission(apps))


def take_permission(apps, schema_editor):
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.remove(_permission(apps))


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0001_groups"),
        ("chat", "0004_suggestions"),
    ]

    operations = [migrations.RunPython(give_permission, take_permission)]
