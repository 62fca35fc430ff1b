"""Set the moment of standings to the last match; before, it included openings and places."""

from django.db import migrations

OF_THE_PLAYER = (
    "FROM rating_change c WHERE c.generation_id = rating_standing.generation_id"
    " AND c.player_id = rating_standing.player_id AND c.won IS {null} NULL"
)


class Migration(migrations.Migration):

    dependencies = [
        ("rating", "0008_table_imports"),
    ]

    operations = [
        migrations.RunSQL(
            f"UPDATE rating_standing SET moment = (SELECT MAX(c.moment) {OF_THE_PLAYER.format(null='NOT')})"
            f" WHERE matches > 0 AND EXISTS (SELECT 1 {OF_THE_PLAYER.format(null='')})"
            f" AND EXISTS (SELECT 1 {OF_THE_PLAYER.format(null='NOT')})",
            migrations.RunSQL.noop,
        ),
    ]
