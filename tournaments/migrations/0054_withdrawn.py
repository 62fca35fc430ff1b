"""What players who withdrew from a Swiss or round robin keep: in every division that is there place and prize, as so far; in new ones
their place, and the prize goes to the next.
"""

from django.db import migrations, models

CHOICES = [
    ("keep", "keep their place and their prize"),
    ("place", "keep their place; their prize goes to the next player"),
    ("nothing", "are placed last and get no prize"),
]


def field(default: str) -> models.CharField:
    return models.CharField(
        choices=CHOICES, default=default, max_length=8, verbose_name="players who withdraw"
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0053_former_players")]

    operations = [
        migrations.AddField("division", "withdrawn", field("keep")),
        migrations.AlterField("division", "withdrawn", field("place")),
    ]
