"""Tables for what was drawn or arranged in a stage beside its matches, and columns for the round to come."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_typed_settings")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="swaps",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="stage",
            name="next_seed",
            field=models.CharField(blank=True, editable=False, max_length=32),
        ),
        migrations.CreateModel(
            name="StageEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("group", models.PositiveSmallIntegerField(null=True)),
                ("place", models.PositiveSmallIntegerField(null=True)),
                ("is_struck", models.BooleanField(default=False)),
                ("play_off", models.PositiveSmallIntegerField(null=True)),
                ("rest_points", models.PositiveSmallIntegerField(null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT, related_name="+", to="tournaments.entry"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stage_entries",
                        to="tournaments.stage",
                    ),
                ),
            ],
            options={
                "ordering": ["group", "place", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=["stage", "entry"], name="stage_entry_once"),
                    models.UniqueConstraint(
                        fields=["stage", "group", "place"],
                        condition=Q(place__isnull=False),
                        name="stage_entry_place_once",
                    ),
                    models.CheckConstraint(
                        condition=Q(group__isnull=True, place__isnull=True)
                        | Q(group__isnull=False, place__isnull=False, group__gte=1, place__gte=1),
                        name="stage_entry_place_in_a_group",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PairWish",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("never", "Never"), ("avoid", "Avoid"), ("swap", "Swap")], max_length=8
                    ),
                ),
                ("position", models.PositiveSmallIntegerField(default=0)),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pair_wishes",
                        to="tournaments.stage",
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["stage", "first", "second"], condition=~Q(kind="swap"), name="pair_wish_once"
                    ),
                    models.UniqueConstraint(
                        fields=["stage", "position"], condition=Q(kind="swap"), name="pair_swap_in_order"
                    ),
                    models.CheckConstraint(
                        condition=Q(kind="swap", position__gte=1) & ~Q(first=F("second"))
                        | Q(kind__in=["never", "avoid"], position=0, first__lt=F("second")),
                        name="pair_wish_fits",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RoundPlan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("deadline", models.DateField()),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="round_plans",
                        to="tournaments.stage",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=["stage", "number"], name="round_plan_once")],
            },
        ),
    ]
