"""Fold the names of all players with the present ``names.folding``: ø, ł, đ, æ, ð, þ are letters."""

from django.db import migrations

from names.folding import search_key


def fold(apps, schema_editor):
    Player = apps.get_model("people", "Player")
    changed = []
    for player in Player.objects.only("pk", "name", "search_name").order_by("pk").iterator(chunk_size=1000):
        key = search_key(player.name)[:160]
        if key != player.search_name:
            player.search_name = key
            changed.append(player)
    Player.objects.bulk_update(changed, ["search_name"], batch_size=400)


class Migration(migrations.Migration):
    dependencies = [("people", "0001_initial")]
    operations = [migrations.RunPython(fold, migrations.RunPython.noop, elidable=True)]
