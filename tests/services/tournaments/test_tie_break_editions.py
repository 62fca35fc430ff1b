"""The edition that tie-breaks are counted by: usual for new events, refused where it forbids, kept where it began; and the ratings that some ask for."""

import pytest

from faults import Invalid
from tests.factories import an_event
from tests.support.rounds import draw_at, publish_next, stage_at
from tournaments.engine.stages.swiss import DEFAULT_TIE_BREAKS, ROUND_ROBIN_TIE_BREAKS, SwissSettings
from tournaments.engine.standings.editions import Edition
from tournaments.models import EntryDetail
from tournaments.selectors.standings.tables import standings_table, tables_for_edition

pytestmark = pytest.mark.django_db


def settings_of(tournament):
    return stage_at(tournament).settings.swiss


def test_event_when_it_is_new_then_its_tie_breaks_are_of_2026_and_a_round_robin_has_no_buchholz():
    assert settings_of(an_event(4, system="swiss", lengths=[3])) == SwissSettings()
    robin = settings_of(an_event(4, system="round_robin", lengths=[3]))
    assert (robin.edition, robin.tie_breaks) == (Edition.FIDE_2026, ROUND_ROBIN_TIE_BREAKS)
    old = an_event(4, system="round_robin", lengths=[3], swiss=SwissSettings(edition=Edition.FIDE_2009))
    assert settings_of(old).tie_breaks == DEFAULT_TIE_BREAKS  # of 2009 nothing was forbidden


@pytest.mark.parametrize(
    ("system", "edition", "codes", "faults"),
    [
        (
            "round_robin",
            Edition.FIDE_2026,
            ("lot", "buchholz"),
            [("tie_break.not_in_round_robin", "tie_break_2")],
        ),
        ("round_robin", Edition.FIDE_2024, ("lot", "buchholz"), []),
        ("swiss", Edition.FIDE_2024, ("koya",), [("tie_break.not_in_swiss", "tie_break_1")]),
        ("round_robin", Edition.FIDE_2024, ("koya",), []),
        ("swiss", Edition.FIDE_2009, ("fore_buchholz", "lot"), [("tie_break.not_in_edition", "tie_break_1")]),
        ("swiss", Edition.FIDE_2024, ("rating",), [("tie_break.not_in_edition", "tie_break_1")]),
    ],
)
def test_stage_when_its_edition_forbids_a_tie_break_then_it_is_refused_at_its_place(
    system, edition, codes, faults
):
    swiss = SwissSettings(edition=edition, tie_breaks=codes)
    found = []
    try:
        an_event(4, system=system, lengths=[3], swiss=swiss)
    except Invalid as refused:
        found = [(fault.code, fault.field.rpartition(".")[2]) for fault in refused.faults]
    assert found == faults


def test_table_when_somebody_stays_away_then_each_edition_counts_it_as_it_says():
    """Three entries, one bye a round: the dummy of 2026 has no more than draws in all rounds, that of 2024 has."""
    tournament = an_event(
        3, system="swiss", lengths=[3], swiss=SwissSettings(rounds=1, tie_breaks=("buchholz",))
    )
    publish_next(tournament)
    tournament.play_out()
    draw = draw_at(tournament)
    bye = next(
        side.entry_id
        for match in draw.matches
        for side in match.sides
        if match.result_kind == "bye" and side.entry_id
    )
    said = {
        edition: {row.entry: row.values["buchholz"] for row in tables_for_edition(draw, edition)[0].rows}[bye]
        for edition in Edition
    }
    # half points: draws in all rounds bring 1; the own score is 2; whoever is imagined by 2009 got nothing here
    assert said == {Edition.FIDE_2026: 1, Edition.FIDE_2024: 2, Edition.FIDE_2009: 0}
    assert tables_for_edition(draw, Edition.FIDE_2026)[0].rows == standings_table(draw).rows


def test_ratings_when_a_round_is_published_then_they_are_kept_and_no_later_change_moves_the_table():
    swiss = SwissSettings(rounds=2, tie_breaks=("opponents_rating", "lot"))
    tournament = an_event(4, system="swiss", lengths=[3], swiss=swiss)
    entries = list(tournament.division.entries.order_by("pk"))
    rows = [
        EntryDetail(entry=entry, player=entry.entry_players.get().player, rating=rating)
        for entry, rating in zip(entries, (1800.0, 1700.0, 1600.0, None), strict=True)
    ]
    EntryDetail.objects.bulk_create(rows)
    publish_next(tournament)
    tournament.play_out()
    table = standings_table(draw_at(tournament))
    assert table.unrated_count == 1  # Article 10: one without a rating, and it says nothing about anybody
    assert all("opponents_rating" not in row.values for row in table.rows)
    rows[3].rating = 1500.0
    rows[0].rating = 9999.0
    EntryDetail.objects.bulk_update(rows, ["rating"])
    publish_next(tournament)
    tournament.play_out()
    table = standings_table(draw_at(tournament))
    assert table.unrated_count == 0
    said = sorted(row.values["opponents_rating"] for row in table.rows)
    assert max(said) <= 1750  # the one who had 1800 in the first round has it still
    assert [one.ratings for one in draw_at(tournament).rounds][1] == {str(entries[3].pk): 1500.0}
