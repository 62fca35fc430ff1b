"""Game records as they were handed in: the very bytes, once each, known by their hash.

What a record says (players, score, findings) is never stored beside it: reading is quick, and a better reader tomorrow
would make a stored reading wrong.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class StoredRecord(models.Model):
    """One file. The same bytes handed in twice are one row; ``filename`` is the name they first came with."""

    sha256 = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()
    size = models.PositiveIntegerField()
    filename = models.CharField(_("file name"), max_length=120, blank=True)
    format = models.CharField(_("format"), max_length=16)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("game record")
        verbose_name_plural = _("game records")
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return self.filename or self.sha256[:12]
