"""Every answer of the API that only reads is exactly what the API's description says of it."""

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from people.models import Player
from rating.models import Fact, RatingList
from rating.services import update_list_ratings
from rating.services.official import make_official
from tests.factories import an_event
from tests.support.blunders import an_event_with_blunders
from tests.support.described import address_of, assert_described, description
from tests.support.handed_in import games_of, thought_over
from tests.support.leagues import a_league, a_points_league
from tests.support.records import BAD_OPENING, a_record
from tests.support.tournaments import first_match, signed_in
from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.stages.elimination import BracketSettings, Flight, SeparateBy
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.prizes import prizes_from_amounts
from tournaments.matches.services.quiz import publish_positions
from tournaments.matches.services.records import Upload
from tournaments.models import QuizPosition
from tournaments.notices.services.announcing import announce
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.access.links import entry_token
from tournaments.series.services.series import create_series, set_event_series
from tournaments.series.services.templates import save_template

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def addresses():
    """One address of each kind, and more where what is told differs by system."""
    bracket = BracketSettings(flights=(Flight(FlightKind.FIRST_MATCH),), apart=(SeparateBy.CLUB,))
    tournament = an_event(entries=5, lengths=[7], bracket=bracket, prizes=prizes_from_amounts((50,))).publish(
        seed=5
    )
    tournament.settle(first_match(tournament), "a", 2)
    swiss = an_event(5, club=tournament.club, system="swiss", lengths=[5], swiss=SwissSettings(rounds=1))
    where = {"actor": swiss.actor, "event_id": swiss.event.pk, "stage_id": swiss.stage.pk}
    publish_round(**where, seen=pair_next_round(**where, seed=3).version)
    swiss.play_out()
    money = a_points_league()
    money.session(Ann=8, Bob=-5, outsider=True)
    league = a_league("abc", "def").play_out()
    ratings = RatingList.objects.get(club=tournament.club)
    update_list_ratings(ratings.pk)
    fact = Fact.objects.filter(winner__isnull=False).earliest("pk")
    announce(actor=tournament.actor, event_id=tournament.event.pk, text="Coffee")
    quizzed, _match, _row = an_event_with_blunders()
    publish_positions(actor=quizzed.actor, event_id=quizzed.event.pk)
    events = [tournament.event, swiss.event, money.event, league.event]
    parts = (
        "event",
        "bracket",
        "matches",
        "entries",
        "points",
        "prizes",
        "conduct",
        "limits",
        "seasons",
        "tables",
        "notices",
        "draws",
        "trail-head",
        "event-analyses",
    )
    found = [reverse(f"api:{name}", args=[event.public_id]) for event in events for name in parts]
    found += [reverse(f"api:{name}") for name in ("events", "clubs", "players")]
    found.append(reverse("api:match", args=[first_match(tournament).public_id]))
    found.append(reverse("api:event-positions", args=[quizzed.event.public_id]))
    asked = reverse("api:position", args=[QuizPosition.objects.first().public_id])
    found += [asked, f"{asked}?answer=true"]
    found.append(reverse("api:club", args=[tournament.club.public_id]))
    found += [
        reverse(f"api:{name}", args=[tournament.club.public_id])
        for name in ("federations", "results", "club-analyses", "club-analyses-players")
    ]
    found += [
        reverse(f"api:{name}", args=[fact.winner.public_id])
        for name in ("player", "player-analyses", "player-analyses-matches")
    ]
    series = create_series(actor=tournament.actor, club_id=tournament.club.pk, name="Nights")
    for one in (tournament, swiss):
        set_event_series(actor=tournament.actor, event_id=one.event.pk, series_id=series.pk)
    save_template(actor=tournament.actor, event_id=tournament.event.pk, name="Ours")
    found += [
        *(
            reverse(f"api:{name}", args=[series.public_id])
            for name in ("series", "series-days", "series-table")
        ),
        reverse("api:club-series", args=[tournament.club.public_id]),
    ]
    found.append(reverse("rating_api:lists"))
    found += [reverse(f"rating_api:{name}", args=[ratings.public_id]) for name in ("list", "leaderboard")]
    found += [
        reverse(f"rating_api:{name}", args=[ratings.public_id, fact.winner.public_id])
        for name in ("player", "history")
    ]
    make_official(actor=tournament.actor, list_id=ratings.pk, day=date(2026, 1, 1))
    found.append(reverse("rating_api:official-lists", args=[ratings.public_id]))
    found += [
        reverse(f"rating_api:official-{name}", args=[ratings.public_id, 1]) for name in ("list", "rows")
    ]
    found.append(reverse("rating_api:change", args=[ratings.public_id, fact.pk]))
    entry, played = swiss.division.entries.first(), first_match(tournament)
    table = b"date,winner,loser,length\n2026-01-05,Ann,Bob,7\n"
    made = signed_in(tournament.director).post(
        reverse("rating_api:imports", args=[tournament.club.public_id]),
        {"file": SimpleUploadedFile("old.csv", table)},
    )
    assert made.status_code == 202
    mine = swiss.division.entries.last()
    Player.objects.filter(entries=mine).update(user=swiss.director)
    merge = reverse("api:merge", args=[tournament.club.public_id, fact.winner.public_id])
    what_if = reverse("rating_api:what-if", args=[ratings.public_id])
    found.append(f"{what_if}?first={fact.winner.public_id}&second={fact.loser.public_id}&length=7")
    return {
        "open": found,
        "director": [
            (swiss.director, reverse(f"api:{name}", args=[swiss.event.public_id]))
            for name in (
                "play-off",
                "check-ins",
                "matrix",
                "draw-gates",
                "expected",
                "phones-asking",
                "answers",
                "desk-notes",
                "analysing",
            )
        ]
        + [
            (
                swiss.club.memberships.get(role="owner").user,
                reverse(f"api:{name}", args=[swiss.club.public_id]),
            )
            for name in ("claims", "invitations", "club-templates")
        ]
        + [
            (
                tournament.director,
                reverse("api:player-numbers", args=[tournament.club.public_id, fact.winner.public_id]),
            )
        ]
        + [(swiss.director, reverse("api:phones", args=[swiss.event.public_id, entry.public_id]))]
        + [
            (swiss.director, reverse("api:entry-answers", args=[swiss.event.public_id, mine.public_id])),
            (tournament.director, reverse("rating_api:imports", args=[tournament.club.public_id])),
            (tournament.director, made.json()["url"]),
            (tournament.director, f"{merge}?keep={fact.loser.public_id}"),
            (tournament.director, reverse("api:talk", args=[played.public_id])),
            (tournament.director, _with_record(tournament)),
            (tournament.director, _with_games(tournament)),
        ],
        "link": [
            (entry_token(entry), reverse("api:link-phone")),
            *(
                (
                    entry_token(tournament.entry_at(played, "a")),
                    reverse(f"api:{name}", args=[played.public_id]),
                )
                for name in ("answer", "arrangement")
            ),
        ],
    }


def _with_games(tournament):
    """What came of an analysis."""
    match = tournament.playable()[0]
    thought_over(games_of(tournament, match))
    return reverse("api:analysis", args=[match.public_id])


def _with_record(tournament):
    """What is proposed for a record in which a play cannot be played."""
    match = tournament.playable()[-1]
    names = [tournament.entry_at(match, side).name for side in "ab"]
    record = Upload(a_record(*names, 7, "l" * 7, opening=BAD_OPENING), "night.mat")
    tournament.says(match, "a", 7, 0, record=record)
    return reverse("api:record-copies", args=[match.public_id, 1])


def test_every_answer_that_reads_is_what_the_description_says(addresses):
    seen = set()
    for address in addresses["open"]:
        answer = Client().get(address)
        assert_described(answer)
        seen.add(address_of(answer))
    for token, address in addresses["link"]:
        answer = Client().get(address, headers={"Authorization": f"Link {token}"})
        assert_described(answer)
        seen.add(address_of(answer))
    for user, address in addresses["director"]:
        answer = signed_in(user).get(address)
        assert_described(answer)
        seen.add(address_of(answer))
    assert seen == {path for path, methods in description()["paths"].items() if "get" in methods}
