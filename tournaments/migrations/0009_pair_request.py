"""What is asked of a pairing has one name: requests. The constraints keep theirs."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_no_more_bags")]

    operations = [
        migrations.RenameModel("PairWish", "PairRequest"),
        migrations.AlterField(
            "pairrequest",
            "stage",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="pair_requests", to="tournaments.stage"
            ),
        ),
    ]
