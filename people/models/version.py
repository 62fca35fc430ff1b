"""Version numbers that rise with each change of what they cover, so that readers need not query tables."""

from django.db import models


class Version(models.Model):
    """The number of changes made to something that is shown in many places. A missing row means 0.

    ``kind`` and ``of_id`` are those of a ``people.versions.Topic``. Written by ``people.services.versions``,
    read by ``people.versions.versions_of``.
    """

    kind = models.CharField(max_length=16)
    of_id = models.BigIntegerField()
    number = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "of_id"], name="version_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.of_id}: {self.number}"
