"""Players made by an entry that nobody has approved yet get a public page with their first public draw; approving them gave them one before."""

from typing import Any

from django.db import migrations


def wait_for_a_draw(apps: Any, _schema_editor: Any) -> None:
    new = apps.get_model("tournaments", "EntryPlayer").objects.filter(is_new=True)
    players = apps.get_model("people", "Player").objects.filter(version=1, listed=False)
    players.filter(pk__in=new.values("player_id")).update(listed_with_draw=True)


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0023_listed_with_draw"),
        ("tournaments", "0049_public_commitments"),
    ]

    operations = [migrations.RunPython(wait_for_a_draw, migrations.RunPython.noop)]
