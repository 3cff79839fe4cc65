"""Chunks that wait for an editor. What was indexed before counts as free until it is indexed again."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0011_version_was_current"),
    ]

    operations = [
        migrations.AddField(
            model_name="chunk",
            name="review",
            field=models.CharField(
                choices=[
                    ("free", "nothing suspicious"),
                    ("waiting", "waits for an editor"),
                    ("approved", "approved"),
                    ("kept_out", "kept out"),
                ],
                db_default="free",
                default="free",
                max_length=10,
                verbose_name="review",
            ),
        ),
        migrations.AddField(
            model_name="chunk",
            name="suspicions",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.CheckConstraint(
                condition=models.Q(("review", "free"), models.Q(("suspicions", []), _negated=True), _connector="OR"),
                name="chunk_review_has_suspicion",
            ),
        ),
        migrations.AddIndex(
            model_name="chunk",
            index=models.Index(
                condition=models.Q(("review__in", ["waiting", "kept_out"])),
                fields=["document", "review"],
                name="chunk_held_back",
            ),
        ),
    ]
