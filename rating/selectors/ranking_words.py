"""Texts on ranking: the rules of a list, reasons for having no rank, and the presets."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rating.formulas.ranking import Members, RankingRules, Unranked

MEMBERS_LABELS: dict[str, str | Promise] = {
    Members.ANYBODY: gettext_lazy("anyone"),
    Members.FEDERATION: gettext_lazy("players whose home club is this club or one of its member clubs"),
    Members.CLUB: gettext_lazy("players whose home club is this club"),
}

REASON_LABELS: dict[Unranked, str | Promise] = {
    Unranked.MATCHES: gettext_lazy("too few matches"),
    Unranked.EXPERIENCE: gettext_lazy("too little experience"),
    Unranked.INACTIVE: gettext_lazy("no recent match"),
    Unranked.MEMBER: gettext_lazy("not a member"),
    Unranked.PROVISIONAL: gettext_lazy("provisional"),
}

PRESET_NAMES: dict[str, str | Promise] = {
    "germany": gettext_lazy("Germany: experience 200, a match within 12 months"),
    "berlin": gettext_lazy("Berlin: experience 100, a match within 24 months"),
    "belgium": gettext_lazy("Belgium: ratings below experience 100 listed separately"),
}


def rule_texts(ranking: RankingRules) -> list[str]:
    """Return the conditions for having a rank as texts, one for each condition; at least one."""
    texts = []
    if ranking.required_matches > 1 or not (ranking.required_experience or ranking.active_months):
        least = ranking.required_matches
        texts.append(
            ngettext("at least %(least)s match", "at least %(least)s matches", least) % {"least": least}
        )
    if ranking.minimum_experience:
        texts.append(_("experience %(least)s or more") % {"least": ranking.minimum_experience})
    if ranking.active_months:
        months = ranking.active_months
        texts.append(
            ngettext("a match within the last month", "a match within the last %(months)s months", months)
            % {"months": months}
        )
    if ranking.members is Members.FEDERATION:
        texts.append(_("home club is this club or one of its member clubs"))
    elif ranking.members is Members.CLUB:
        texts.append(_("home club is this club"))
    if ranking.provisional_apart:
        texts.append(
            _("no provisional rating (experience below %(least)s)") % {"least": ranking.provisional_below}
        )
    return texts


def reasons_text(reasons: tuple[Unranked, ...]) -> str:
    """Return the reasons why a player has no rank as one text; "" for a ranked player."""
    if Unranked.PROVISIONAL in reasons:  # includes it
        reasons = tuple(reason for reason in reasons if reason is not Unranked.EXPERIENCE)
    return ", ".join(str(REASON_LABELS[reason]) for reason in reasons)
