"""Store waiting archives as files; those of finished imports were empty already."""

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import migrations, models


def to_files(apps, schema_editor):
    imports = apps.get_model("games", "RecordImport").objects
    for batch in imports.filter(finished_at=None).iterator(chunk_size=1):
        batch.file = default_storage.save(f"archives/{batch.public_id}.zip", ContentFile(bytes(batch.archive)))
        batch.save(update_fields=["file"])


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="recordimport",
            name="file",
            field=models.FileField(blank=True, default="", max_length=200, upload_to="archives"),
            preserve_default=False,
        ),
        migrations.RunPython(to_files, elidable=True),
        migrations.RemoveField(model_name="recordimport", name="archive"),
    ]
