"""Notifications of an account end with its sign-in: the browser's name with the account is stored, and a browser has one account.

Of a browser that is woken for several accounts the one that asked last stays. Existing rows have no name: they end with the next sign-out of
their account in any browser, and get their name when the page of notifications is opened on that browser.
"""

from typing import Any

from django.db import migrations, models
from django.db.models import Exists, OuterRef, Q


def keep_the_last_account(apps: Any, _schema: object) -> None:
    rows = apps.get_model("tournaments", "SubscribedFor").objects.exclude(user=None)
    later = rows.filter(subscription=OuterRef("subscription")).filter(
        Q(since__gt=OuterRef("since")) | Q(since=OuterRef("since"), pk__gt=OuterRef("pk"))
    )
    double = list(rows.filter(Exists(later)).values_list("pk", flat=True))
    rows.filter(pk__in=double).delete()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0050_pages_of_expected_players")]

    operations = [
        migrations.AddField(
            model_name="subscribedfor",
            name="device",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
        ),
        migrations.RunPython(keep_the_last_account, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="subscribedfor", name="subscribed_user_once"),
        migrations.AddConstraint(
            model_name="subscribedfor",
            constraint=models.UniqueConstraint(
                condition=models.Q(("user__isnull", False)),
                fields=("subscription",),
                name="subscribed_one_account",
            ),
        ),
    ]
