"""Version rows: numbers that rise when what they stand for changes, so that nobody has to look through tables to know it."""

from django.db import models


class Version(models.Model):
    """How often something changed that is shown in many places; its number only ever rises. A row that is not there is 0.

    ``kind`` and ``of_id`` are those of a `people.versions.Topic`. Written by `people.services.versions`, read by `people.versions.versions_of`.
    """

    kind = models.CharField(max_length=16)
    of_id = models.BigIntegerField()
    number = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "of_id"], name="version_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.of_id}: {self.number}"
