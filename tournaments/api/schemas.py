"""What the API's answers look like: for its description, and for what is sent to it. The values are made in ``shapes``."""

from rest_framework import serializers

from tournaments.models.choices import (
    EVENT_STATUS,
    MATCH_STATUS,
    REPORT_POLICY,
    RESULT_KIND,
    SIDE,
    STAGE_STATUS,
)
from tournaments.models.event import Event, Stage
from tournaments.services.reports import KEY_LIMIT, NOTE_LIMIT


class FaultSchema(serializers.Serializer[object]):
    """One thing that is wrong."""

    code = serializers.CharField()
    field = serializers.CharField(allow_null=True)
    detail = serializers.CharField()
    params = serializers.DictField()


class RefusalSchema(serializers.Serializer[object]):
    """Why a request was refused, all reasons at once; ``present`` says how the match stands after a conflict."""

    code = serializers.CharField()
    detail = serializers.CharField()
    faults = FaultSchema(many=True)
    present = serializers.DictField(required=False)


class ClubRefSchema(serializers.Serializer[object]):
    id = serializers.CharField()
    name = serializers.CharField()
    url = serializers.URLField()


class ClubSchema(ClubRefSchema):
    """A club; ``federation`` is the club it belongs to."""

    city = serializers.CharField()
    country = serializers.CharField()
    website = serializers.CharField()
    federation = ClubRefSchema(allow_null=True)


class EventSchema(serializers.Serializer[object]):
    """An event as it stands in lists."""

    id = serializers.CharField()
    name = serializers.CharField()
    url = serializers.URLField()
    club = ClubRefSchema()
    status = serializers.ChoiceField(choices=EVENT_STATUS)
    visibility = serializers.ChoiceField(choices=Event.Visibility.choices)
    place = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    timezone = serializers.CharField()
    entries = serializers.IntegerField()
    version = serializers.IntegerField(
        help_text="Rises with every change; polling costs a 304 while it stays."
    )


class StageSchema(serializers.Serializer[object]):
    """One competition inside a division. ``draw_seed`` is shown from the publication of the draw on."""

    name = serializers.CharField()
    system = serializers.ChoiceField(choices=Stage.System.choices)
    status = serializers.ChoiceField(choices=STAGE_STATUS)
    format = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())
    lengths = serializers.ListField(child=serializers.IntegerField())
    draw_method = serializers.ChoiceField(choices=Stage.DrawMethod.choices)
    draw_seed = serializers.CharField()
    report_policy = serializers.ChoiceField(choices=REPORT_POLICY)


class DivisionSchema(serializers.Serializer[object]):
    name = serializers.CharField()
    entries = serializers.IntegerField()
    stages = StageSchema(many=True)


class EventDetailSchema(EventSchema):
    """An event with its divisions."""

    description = serializers.CharField()
    tables = serializers.IntegerField()
    divisions = DivisionSchema(many=True)


class PlayerRefSchema(serializers.Serializer[object]):
    id = serializers.CharField()
    name = serializers.CharField()
    url = serializers.URLField()


class EntrySchema(serializers.Serializer[object]):
    """An entry. ``players`` lists those with a public page only."""

    id = serializers.CharField()
    name = serializers.CharField()
    division = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField(
        allow_null=True, help_text="In the order of entering; a blind draw starts here."
    )
    withdrawn = serializers.BooleanField()
    players = PlayerRefSchema(many=True)


class MatchSideSchema(serializers.Serializer[object]):
    """One side of a match; without an entry it is a bye or waits for ``from_match``."""

    side = serializers.ChoiceField(choices=SIDE)
    entry = serializers.CharField(allow_null=True)
    name = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    score = serializers.IntegerField(allow_null=True)
    bye = serializers.BooleanField()
    from_match = serializers.IntegerField(allow_null=True)


class MatchSchema(serializers.Serializer[object]):
    """A match; scores stand once they are confirmed."""

    id = serializers.CharField()
    url = serializers.URLField()
    number = serializers.IntegerField()
    round = serializers.CharField()
    status = serializers.ChoiceField(choices=MATCH_STATUS)
    length = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(choices=[*RESULT_KIND, ("", "")])
    winner = serializers.ChoiceField(choices=SIDE, allow_null=True)
    sides = MatchSideSchema(many=True)
    version = serializers.IntegerField()


class MatchDetailSchema(MatchSchema):
    """A match and the event it belongs to."""

    event = serializers.CharField()


class RoundSchema(serializers.Serializer[object]):
    number = serializers.IntegerField()
    code = serializers.CharField()
    name = serializers.CharField()
    length = serializers.IntegerField()
    matches = MatchSchema(many=True)


class PlaceSchema(serializers.Serializer[object]):
    """From ``first`` to ``last``; settled once the entry has no match left to play."""

    entry = serializers.CharField()
    name = serializers.CharField()
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    settled = serializers.BooleanField()


class StageBracketSchema(serializers.Serializer[object]):
    """The draw of one stage, with the places so far."""

    division = serializers.CharField()
    stage = serializers.CharField()
    rounds = RoundSchema(many=True)
    places = PlaceSchema(many=True)


class BracketSchema(serializers.Serializer[object]):
    """The published draws of an event; a stage that is not published is left out."""

    event = serializers.CharField()
    version = serializers.IntegerField()
    stages = StageBracketSchema(many=True)


class PlayerSchema(PlayerRefSchema):
    """A player with a public page."""

    country = serializers.CharField()
    club = ClubRefSchema(allow_null=True)


class PlayerRatingSchema(serializers.Serializer[object]):
    list = serializers.CharField()
    name = serializers.CharField()
    rating = serializers.FloatField()
    rank = serializers.IntegerField(allow_null=True)
    matches = serializers.IntegerField()
    experience = serializers.IntegerField()


class PlayerDetailSchema(PlayerSchema):
    """A player with the ratings of today."""

    ratings = PlayerRatingSchema(many=True)


class ReportInput(serializers.Serializer[object]):
    """How a match ended. Points belong to sides a and b; ``winner`` is needed only where the score does not tell it."""

    score_a = serializers.IntegerField()
    score_b = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=RESULT_KIND, default="played")
    winner = serializers.ChoiceField(choices=SIDE, required=False, allow_null=True, default=None)
    note = serializers.CharField(max_length=NOTE_LIMIT, required=False, allow_blank=True, default="")
    submission_key = serializers.CharField(
        max_length=KEY_LIMIT,
        required=False,
        allow_blank=True,
        default="",
        help_text="Your own key, the same for every repetition; the header Idempotency-Key does as well.",
    )
    record = serializers.FileField(
        required=False,
        allow_empty_file=True,
        max_length=1000,
        help_text="The game record (multipart/form-data), kept as evidence; one that proves nothing is refused.",
    )
    record_left = serializers.ChoiceField(
        choices=SIDE,
        required=False,
        allow_null=True,
        default=None,
        help_text="The side that is the record's left player, where the names do not tell.",
    )


class AgreeInput(serializers.Serializer[object]):
    """The version of the report that is right."""

    version = serializers.IntegerField(min_value=1, max_value=32767)
    submission_key = serializers.CharField(max_length=KEY_LIMIT, required=False, allow_blank=True, default="")


class ObjectInput(serializers.Serializer[object]):
    """What is wrong with the confirmed result."""

    text = serializers.CharField(max_length=NOTE_LIMIT)


class AnswerSchema(serializers.Serializer[object]):
    """What became of a report."""

    decision = serializers.ChoiceField(choices=["confirmed", "reported", "disputed"])
    repeated = serializers.BooleanField()
    report = serializers.IntegerField(help_text="Version of the report, to be named by whoever agrees to it.")
    match = MatchDetailSchema()


class ObjectionSchema(serializers.Serializer[object]):
    """The director has been told; the result stays until they change it."""

    match = MatchDetailSchema()
    text = serializers.CharField()
