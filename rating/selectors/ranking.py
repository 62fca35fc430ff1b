"""The ranking rules of a list as they apply on a date: a database filter, and reasons for having no rank."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce
from django.db.models.lookups import In
from django.utils import timezone

from people.zones import club_zone, midnight
from rating.formulas import get_system
from rating.formulas.ranking import Members, RankingRules, Unranked, months_before
from rating.models import RatingList
from rating.store.moments import to_moment
from rating.store.spans import clubs_at


@dataclass(frozen=True, slots=True)
class CurrentRules:
    """The ranking rules of a list as they apply at a time.

    ``since``: the last match must not be earlier (microseconds since 1970). ``clubs``: the ids of clubs whose
    players are ranked. None: the rules have no such condition.
    """

    ranking: RankingRules
    since: int | None = None
    clubs: tuple[int, ...] | None = None

    @property
    def stamp(self) -> str:
        """Return a text that changes when the date or the member clubs change who is ranked, for ETags."""
        return f"{self.since or ''}.{'-'.join(map(str, self.clubs or ()))}"

    def ranked(self) -> Q:
        """Return a filter of ``Standing`` rows for ranked players."""
        condition = Q(matches__gte=self.ranking.required_matches)
        if self.ranking.required_experience:
            condition &= Q(experience__gte=self.ranking.required_experience)
        if self.since is not None:
            condition &= Q(moment__gte=self.since)
        if self.clubs is not None:
            # Not by the index of home clubs: they are read in the order of the list.
            condition &= Q(In(Coalesce(F("player__home_club_id"), Value(0)), list(self.clubs)))
        return condition

    def reasons(
        self, *, matches: int, experience: int, moment: int, club: int | None
    ) -> tuple[Unranked, ...]:
        """Return the reasons why a player is not ranked; empty for a ranked player.

        ``moment``: the time of the last match, in microseconds since 1970; ``club``: the id of the home club.
        """
        return self.ranking.unranked_reasons(
            matches=matches,
            experience=experience,
            is_active=self.since is None or moment >= self.since,
            member=self.clubs is None or club in self.clubs,
        )


VISIBLE_PLAYERS = Q(player__listed=True, player__merged_into=None)  # public players, whom ranks count


def ranking_rules(rating_list: RatingList) -> RankingRules:
    """Return the ranking rules of the list. Points that are only earned are never provisional."""
    weighted = get_system(rating_list.system).is_points_system
    return RankingRules(
        minimum_matches=rating_list.minimum_matches,
        minimum_experience=rating_list.minimum_experience,
        active_months=rating_list.active_months,
        members=Members(rating_list.members),
        provisional_below=rating_list.provisional_below,
        provisional_apart=rating_list.provisional_apart and not weighted,
    )


def current_rules(rating_list: RatingList, now: datetime | None = None) -> CurrentRules:
    """Return the ranking rules as they apply now.

    Makes queries only if the rules depend on the list's time zone or on member clubs.
    """
    ranking = ranking_rules(rating_list)
    since = None
    if ranking.active_months:
        zone = club_zone(rating_list.club_id)
        today = timezone.localdate(now, timezone=zone)
        since = to_moment(midnight(months_before(today, ranking.active_months), zone))
    clubs: tuple[int, ...] | None = None
    if ranking.members is Members.CLUB:
        clubs = (rating_list.club_id,)
    elif ranking.members is Members.FEDERATION:
        clubs = tuple(clubs_at(rating_list.club_id, to_moment(now or timezone.now())))
    return CurrentRules(ranking, since, clubs)
