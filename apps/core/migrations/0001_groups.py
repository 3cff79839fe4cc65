"""Creates the six groups with what they may do here; later apps add their own permissions to them."""

from django.db import migrations

ALL = ("add", "change", "delete", "view")
VIEW = ("view",)

# group -> (app, model) -> permissions
GROUPS: dict[str, dict[tuple[str, str], tuple[str, ...]]] = {
    "editor": {
        ("documents", "document"): ("add", "change", "view"),
        ("documents", "documentversion"): VIEW,
        ("documents", "section"): VIEW,
        ("documents", "chunk"): VIEW,
        ("documents", "party"): VIEW,
        ("documents", "collection"): VIEW,
        ("documents", "curatedlink"): ALL,
    },
    "publisher": {
        ("documents", "document"): ALL,
        ("documents", "party"): ("add", "change", "view"),
        ("documents", "collection"): ("add", "change", "view"),
        ("documents", "feed"): ALL,
    },
    "desk": {("querylog", "turn"): VIEW, ("querylog", "conversation"): VIEW, ("documents", "document"): VIEW},
    "log reader": {("querylog", "turn"): ("view", "view_question"), ("querylog", "conversation"): VIEW},
    "evaluator": {("querylog", "turn"): VIEW, ("documents", "document"): VIEW},
    "operator": {
        ("auth", "user"): ALL,
        ("auth", "group"): VIEW,
        ("documents", "party"): ALL,
        ("documents", "collection"): ALL,
        ("documents", "feed"): ALL,
    },
}


def create_groups(apps, schema_editor):
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    type_model = apps.get_model("contenttypes", "ContentType")
    for name, rights in GROUPS.items():
        group, _ = group_model.objects.get_or_create(name=name)
        for (app, model), actions in rights.items():
            content_type, _ = type_model.objects.get_or_create(app_label=app, model=model)
            for action in actions:
                # Django creates permissions after all migrations and keeps the ones that it finds.
                codename = action if "_" in action else f"{action}_{model}"
                permission, _ = permission_model.objects.get_or_create(
                    content_type=content_type, codename=codename, defaults={"name": f"Can {action} {model}"}
                )
                group.permissions.add(permission)


def remove_groups(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name__in=GROUPS).delete()


class Migration(migrations.Migration):
    initial = True
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(create_groups, remove_groups)]
