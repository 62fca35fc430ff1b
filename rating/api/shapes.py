"""What the API says, as serializers: they shape answers and describe them in the schema. Nothing is written here."""

from decimal import Decimal

from rest_framework import serializers

from rating.formulas.master import HEAVIEST_EVENT
from rating.formulas.rateable import LONGEST
from rating.web.forms import LARGEST_FIELD


class ListShape(serializers.Serializer[object]):
    """A rating list."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    club = serializers.CharField(source="club.public_id")
    club_name = serializers.CharField(source="club.name")
    system = serializers.CharField()
    parameters = serializers.JSONField()
    start = serializers.FloatField()
    shortest = serializers.IntegerField()
    longest = serializers.IntegerField()
    minimum_matches = serializers.IntegerField()
    provisional_below = serializers.IntegerField()
    version = serializers.IntegerField()


class LeaderShape(serializers.Serializer[object]):
    """A player on a list."""

    rank = serializers.IntegerField(allow_null=True)
    player = serializers.CharField(source="player.public_id")
    name = serializers.CharField(source="player.name")
    club = serializers.CharField()
    country = serializers.CharField()
    rating = serializers.FloatField()
    deviation = serializers.FloatField(allow_null=True)
    experience = serializers.IntegerField()
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    provisional = serializers.BooleanField()
    last_played = serializers.DateTimeField()


class LeaderPageShape(serializers.Serializer[object]):
    """A page of a leaderboard."""

    count = serializers.IntegerField()
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    version = serializers.IntegerField()
    players = LeaderShape(many=True)


class StandingShape(serializers.Serializer[object]):
    """Where a player stands."""

    list = serializers.CharField(source="list_public_id")
    rating = serializers.FloatField()
    rank = serializers.IntegerField(allow_null=True)
    ranked_of = serializers.IntegerField()
    experience = serializers.IntegerField()
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    provisional = serializers.BooleanField()
    deviation = serializers.FloatField(allow_null=True)
    last_played = serializers.DateTimeField()


class HistoryShape(serializers.Serializer[object]):
    """One step of a player's way."""

    ledger_number = serializers.IntegerField(source="fact_number")
    played_at = serializers.DateTimeField(source="at")
    won = serializers.IntegerField(allow_null=True)
    opponent = serializers.CharField(source="opponent.public_id", default="")
    opponent_name = serializers.CharField(source="opponent.name", default="")
    length = serializers.IntegerField()
    place = serializers.IntegerField(help_text="A final place among `field` players; 0 for a match.")
    field = serializers.IntegerField()
    event = serializers.CharField()
    rating_after = serializers.FloatField(source="after")


class SideShape(serializers.Serializer[object]):
    """One side of a change."""

    player = serializers.CharField(source="player.public_id")
    name = serializers.CharField(source="player.name")
    before = serializers.FloatField()
    after = serializers.FloatField()
    change = serializers.FloatField(source="delta")
    experience = serializers.IntegerField()


class StepShape(serializers.Serializer[object]):
    """One step of the working."""

    what = serializers.CharField(source="label")
    value = serializers.CharField()
    text = serializers.CharField()


class ChangeShape(serializers.Serializer[object]):
    """A change with its working."""

    ledger_number = serializers.IntegerField()
    played_at = serializers.DateTimeField()
    length = serializers.IntegerField()
    taken_back = serializers.BooleanField()
    winner = SideShape(allow_null=True)
    loser = SideShape(allow_null=True)
    expected = serializers.FloatField(allow_null=True)
    steps = StepShape(many=True)


class OutcomeShape(serializers.Serializer[object]):
    """What one result would change."""

    first = serializers.FloatField()
    second = serializers.FloatField()


class PlacePayShape(serializers.Serializer[object]):
    """What places from `first` to `last` bring."""

    first = serializers.IntegerField()
    last = serializers.IntegerField()
    best = serializers.FloatField(help_text="The first of them alone.")
    least = serializers.FloatField(help_text="The last of them alone.")
    shared = serializers.FloatField(help_text="Each, if all of them are shared, as in a knock-out.")


class WhatIfShape(serializers.Serializer[object]):
    """What is at stake in a match."""

    first_rating = serializers.FloatField()
    second_rating = serializers.FloatField()
    length = serializers.IntegerField()
    chance = serializers.FloatField(allow_null=True)
    first_wins = OutcomeShape(allow_null=True)
    second_wins = OutcomeShape(allow_null=True)
    places = PlacePayShape(many=True, help_text="Of master points with `field`; empty otherwise.")


class WhatIfQuery(serializers.Serializer[object]):
    """The question. `weight`, `division` and `field` matter to master points alone."""

    first = serializers.CharField()
    second = serializers.CharField()
    length = serializers.IntegerField(min_value=1, max_value=LONGEST)
    weight = serializers.DecimalField(
        max_digits=4,
        decimal_places=2,
        min_value=0,
        max_value=HEAVIEST_EVENT,
        default=Decimal(1),
        coerce_to_string=False,
        help_text="Weight of the event.",
    )
    division = serializers.IntegerField(
        min_value=1, max_value=100, default=1, help_text="1 for the event's first division, 2 for the second."
    )
    field = serializers.IntegerField(
        min_value=2,
        max_value=LARGEST_FIELD,
        allow_null=True,
        default=None,
        help_text="Players who play for the places.",
    )
