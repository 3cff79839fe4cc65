"""Curated links get a picture, and what the nightly check found."""

from django.db import migrations, models

import apps.documents.models.links


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0012_chunk_review"),
    ]

    operations = [
        migrations.AddField(
            model_name="curatedlink",
            name="picture",
            field=models.FileField(
                blank=True,
                help_text="JPEG, PNG or WebP of up to 5 MB. It is made small and shown from our own pages.",
                max_length=200,
                upload_to=apps.documents.models.links.picture_path,
                verbose_name="picture",
            ),
        ),
        migrations.AddField(
            model_name="curatedlink",
            name="state",
            field=models.CharField(
                choices=[("unknown", "not known"), ("alive", "alive"), ("dead", "dead: readers do not see it")],
                default="unknown",
                editable=False,
                max_length=7,
                verbose_name="state",
            ),
        ),
        migrations.AddField(
            model_name="curatedlink",
            name="checked_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="last checked"),
        ),
        migrations.AddField(
            model_name="curatedlink",
            name="failures",
            field=models.PositiveSmallIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="curatedlink",
            name="reason_code",
            field=models.CharField(blank=True, default="", editable=False, max_length=40),
        ),
        migrations.AddField(
            model_name="curatedlink",
            name="reason",
            field=models.TextField(blank=True, default="", editable=False, verbose_name="reason"),
        ),
        migrations.AddConstraint(
            model_name="curatedlink",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "dead"), _negated=True), models.Q(("reason", ""), _negated=True), _connector="OR"
                ),
                name="curated_link_dead_with_reason",
            ),
        ),
    ]
