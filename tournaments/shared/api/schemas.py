"""What the API's answers look like: for its description, and for what is sent to it. The values are made in ``shapes``."""

from rest_framework import serializers

from tournaments.engine.matches.rulings import Why
from tournaments.models.choices import (
    EVENT_STATUS,
    MATCH_STATUS,
    REPORT_POLICY,
    RESULT_KIND,
    SIDE,
    STAGE_STATUS,
)
from tournaments.models.event import Event, Stage
from tournaments.models.report import KEY_LIMIT, NOTE_LIMIT
from tournaments.shared.api.table_schemas import TableSchema


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
    fed_by = serializers.IntegerField(
        help_text="Place, in the division, of the stage whose first ones play here; 0: everybody entered plays."
    )
    takes = serializers.IntegerField()
    by_arrangement = serializers.BooleanField(
        help_text="The two of a match agree on time and place; it waits for no table."
    )
    settings = serializers.DictField(
        help_text="Settings of the system: of the bracket, the Swiss or money play."
    )


class DivisionSchema(serializers.Serializer[object]):
    """A division, with its ``number`` in the event; an entry is of ``team_size`` players."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    entries = serializers.IntegerField()
    team_size = serializers.IntegerField()
    entries_until = serializers.DateTimeField(allow_null=True)
    reentries = serializers.IntegerField(help_text="How often a player may buy back.")
    stages = StageSchema(many=True)


class EventDetailSchema(EventSchema):
    """An event with its divisions."""

    description = serializers.CharField()
    tables = serializers.IntegerField()
    weight = serializers.FloatField(help_text="What master points of the event are multiplied by.")
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
    start = serializers.IntegerField(
        help_text="Points before the first game: a starting score, penalties of the other side."
    )
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


class AwardSchema(serializers.Serializer[object]):
    """Points for a side without a game, and what for."""

    to = serializers.ChoiceField(choices=SIDE)
    points = serializers.IntegerField()
    why = serializers.ChoiceField(choices=[why.value for why in Why])
    minutes = serializers.IntegerField(allow_null=True, help_text="How late the other side came.")
    note = serializers.CharField()


class AdjournedSchema(serializers.Serializer[object]):
    """Where a broken-off match goes on. Clocks are seconds; the position is the ID of whoever is on roll."""

    score = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    cube = serializers.IntegerField()
    cube_owner = serializers.ChoiceField(choices=[*SIDE, ("", "")])
    position = serializers.CharField()
    on_roll = serializers.ChoiceField(choices=[*SIDE, ("", "")])
    dice = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    clock_a = serializers.IntegerField(allow_null=True)
    clock_b = serializers.IntegerField(allow_null=True)
    resumes_on = serializers.CharField(help_text="A day as 2026-12-03, or empty.")
    resumes_at = serializers.CharField(help_text="A time as 19:30 where the event takes place, or empty.")
    place = serializers.CharField()
    note = serializers.CharField()


class MatchDetailSchema(MatchSchema):
    """A match, the event it belongs to, until when and where, points without a game, and where it goes on if adjourned."""

    event = serializers.CharField()
    deadline = serializers.DateField(allow_null=True, help_text="The last day to play it, in a league.")
    by_arrangement = serializers.BooleanField(
        help_text="The two agree on time and place; the match waits for no table."
    )
    awards = AwardSchema(many=True)
    adjourned = AdjournedSchema(allow_null=True)


class RoundSchema(serializers.Serializer[object]):
    """A round; ``deadline`` is the last day for its matches in a league."""

    number = serializers.IntegerField()
    code = serializers.CharField()
    name = serializers.CharField()
    length = serializers.IntegerField()
    deadline = serializers.DateField(allow_null=True)
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
    tables = TableSchema(many=True)


class BracketSchema(serializers.Serializer[object]):
    """The published draws of an event; a stage that is not published is left out."""

    event = serializers.CharField()
    version = serializers.IntegerField()
    stages = StageBracketSchema(many=True)


class MoneySettingsSchema(serializers.Serializer[object]):
    """What is agreed before the first session; ``min_sessions``: how many an entry needs to be ranked."""

    jacoby = serializers.BooleanField()
    beavers = serializers.BooleanField()
    raccoons = serializers.BooleanField()
    automatic_doubles = serializers.IntegerField()
    min_sessions = serializers.IntegerField()


class PointsRowSchema(serializers.Serializer[object]):
    """A line of the table; without places the entry has come too seldom to be ranked."""

    entry = serializers.CharField()
    name = serializers.CharField()
    points = serializers.IntegerField()
    sessions = serializers.IntegerField()
    best = serializers.IntegerField(allow_null=True)
    first = serializers.IntegerField(allow_null=True)
    last = serializers.IntegerField(allow_null=True)


class SessionScoreSchema(serializers.Serializer[object]):
    entry = serializers.CharField()
    points = serializers.IntegerField()


class SessionSchema(serializers.Serializer[object]):
    """A session. ``struck``: it was wrong and counts for nothing; ``outside``: points of people outside the league."""

    id = serializers.CharField()
    number = serializers.IntegerField()
    played_on = serializers.DateField()
    struck = serializers.BooleanField()
    outside = serializers.IntegerField()
    scores = SessionScoreSchema(many=True)


class PointsLeagueSchema(serializers.Serializer[object]):
    """A points league of money play. It is not rated."""

    division = serializers.CharField()
    stage = serializers.CharField()
    status = serializers.ChoiceField(choices=STAGE_STATUS)
    settings = MoneySettingsSchema()
    table = PointsRowSchema(many=True)
    sessions = SessionSchema(many=True)


class ChampionSchema(serializers.Serializer[object]):
    """A division and who won it: several who share the first place, nobody before it is decided."""

    division = serializers.CharField()
    champions = serializers.ListField(child=serializers.CharField())


class SeasonSchema(serializers.Serializer[object]):
    """A season of a league."""

    id = serializers.CharField()
    name = serializers.CharField()
    url = serializers.URLField()
    status = serializers.ChoiceField(choices=EVENT_STATUS)
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    divisions = ChampionSchema(many=True)


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


class HallTableSchema(serializers.Serializer[object]):
    """A table; ``match`` is the id of the match that holds it."""

    table = serializers.IntegerField()
    in_use = serializers.BooleanField()
    match = serializers.CharField(allow_null=True)


class TableUseInput(serializers.Serializer[object]):
    """Whether a table may be given to matches."""

    table = serializers.IntegerField()
    in_use = serializers.BooleanField()


class CallInput(serializers.Serializer[object]):
    """How much to call: the next match, or everything for which there is a table."""

    everything = serializers.BooleanField(default=False)
