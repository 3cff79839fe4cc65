"""Gives the groups their part in topics and gaps: editors and desk name topics, publishers show them to readers."""

from django.db import migrations

VIEW = (("topic", "view"), ("topicrun", "view"), ("gap", "view"))
WORK = (*VIEW, ("topic", "change"), ("gap", "change"), ("topicrun", "add"))
GROUPS = {
    "editor": WORK,
    "desk": WORK,
    "publisher": (*WORK, ("topic", "approve")),
    "evaluator": VIEW,
    "operator": (("topicrun", "view"), ("topicrun", "add")),
}


def give_permissions(apps, schema_editor):
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    type_model = apps.get_model("contenttypes", "ContentType")
    for name, rights in GROUPS.items():
        group, _ = group_model.objects.get_or_create(name=name)
        for model, action in rights:
            content_type, _ = type_model.objects.get_or_create(app_label="topics", model=model)
            # Django finds permissions by their code name and keeps what it finds.
            title = "May show topics to readers" if action == "approve" else f"Can {action} {model}"
            permission, _ = permission_model.objects.get_or_create(
                content_type=content_type, codename=f"{action}_{model}", defaults={"name": title}
            )
            group.permissions.add(permission)


def take_permissions(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="topics")
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.remove(*permissions)


class Migration(migrations.Migration):
    dependencies = [
        ("topics", "0001_tables"),
        ("core", "0001_groups"),
    ]
    operations = [migrations.RunPython(give_permissions, take_permissions)]
