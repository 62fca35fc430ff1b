"""Players, known to the whole site, with or without an account; two players may have the same name."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from names.folding import search_key
from people.audience import HIDDEN_MARKER, Audience, override_audience, short_name
from people.ids import new_public_id
from people.models.club import Club, Restriction
from people.models.naming import Named, NameField, SearchField


class ShownAs(models.TextChoices):
    """How a player is named on public pages. Directors see full names."""

    FULL = "full", _("Full name")
    SHORT = "short", _("First name and initial")
    HIDDEN = "hidden", _("No name")


class Player(Named):
    """A player. ``listed`` players are public and found by directors of every club, others only by their own.

    ``listed_with_draw``: not listed yet, but from the first public draw in which they appear
    (``tournaments.store.public_pages``). ``shown_as`` is the player's choice; a ``minor`` is shown by a short
    name at most, has no page, and takes no account: that of a ``guardian`` acts for them. Nothing public
    shows that a player is a minor. ``public_name`` (web) and ``hall_name`` (display and paper) are computed
    from these two; empty: the name itself. A player without a public name has no page either. A player whom
    an operator has ``shut`` is shown as a player without a name. A merged duplicate stays as a row whose
    ``merged_into`` names the remaining player; it is never shown again.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=120)
    search_name = SearchField(max_length=160, editable=False, db_index=True)
    shown_as = models.CharField(_("public name"), max_length=8, choices=ShownAs.choices, default=ShownAs.FULL)
    minor = models.BooleanField(_("minor"), default=False)
    public_name = models.CharField(max_length=120, blank=True, default="", editable=False)
    hall_name = models.CharField(max_length=120, blank=True, default="", editable=False)
    country = models.CharField(_("country"), max_length=2, blank=True)
    home_club = models.ForeignKey(
        Club,
        verbose_name=_("home club"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="home_players",
    )
    clubs = models.ManyToManyField(Club, through="PlayerClub", related_name="players", editable=False)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="player"
    )
    guardian = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="wards"
    )
    listed = models.BooleanField(
        _("public"),
        default=True,
        help_text=_("Shown with name and ratings. Every director can find this player."),
    )
    listed_with_draw = models.BooleanField(default=False, db_default=False, editable=False)
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="merged"
    )
    shut = models.CharField(max_length=8, choices=Restriction.choices, blank=True, default="", editable=False)
    version = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        if self.named_for is Audience.FULL:
            with override_audience(Audience.FULL):
                self.search_name = search_key(self.name)[:160]
                self.set_names()
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def set_names(self) -> None:
        """Set ``public_name`` and ``hall_name`` from the name, the player's choice and restrictions.

        Do not save.

        A hidden player or a minor is no longer ``listed``.
        """
        is_hidden = self.shown_as == ShownAs.HIDDEN or bool(self.shut)
        abbreviated = (
            "" if self.shown_as == ShownAs.FULL and not (self.minor or is_hidden) else short_name(self.name)
        )
        self.hall_name = abbreviated
        self.public_name = HIDDEN_MARKER if is_hidden else abbreviated
        if is_hidden or self.minor:
            self.listed = False


class PlayerClub(models.Model):
    """A player is known to a club: the club's directors find the player, even if not listed."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="club_links")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="player_links")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("player of a club")
        verbose_name_plural = _("players of clubs")
        constraints = [models.UniqueConstraint(fields=["player", "club"], name="people_playerclub_once")]

    def __str__(self) -> str:
        return f"{self.player} · {self.club}"
