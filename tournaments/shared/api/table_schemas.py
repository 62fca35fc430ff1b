"""The table of a Swiss or round robin by the API."""

from rest_framework import serializers


class TableRowSchema(serializers.Serializer[object]):
    """Half a point is 0.5. ``values``: what each tie-break said, by code, as the page shows it: of ``match_points_lost`` fewer
    are better, of all others more; one that had nothing to say is not there.
    """

    entry = serializers.CharField()
    name = serializers.CharField()
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    points = serializers.FloatField()
    lives = serializers.IntegerField(allow_null=True)
    values = serializers.DictField(child=serializers.FloatField())


class TableSchema(serializers.Serializer[object]):
    """One table of a Swiss or round robin; ``group`` counts from 1, null where there are no groups."""

    group = serializers.IntegerField(allow_null=True)
    tie_breaks = serializers.ListField(child=serializers.CharField())
    rows = TableRowSchema(many=True)
