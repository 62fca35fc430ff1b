"""An analysed match: its two players see it at once, everybody when both agree; asked for, followed, looked at without scripts."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import AnalysedDecision, RecordAnalysis, StoredRecord
from games.records.registry import read_record
from games.services.analyses import add_missing_sums
from games.web.analysed import format_or_dash, format_signed
from people.models import Player
from tests.factories import a_user
from tests.support.analysed import a_played_match, agree, analysed
from tests.support.asking import Site
from tests.support.lanes import ON_ONE
from tests.support.tournaments import signed_in
from tournaments.models import Entry, Event
from tournaments.selectors.access.links import entry_token
from tournaments.tasks import analyse_all

pytestmark = [pytest.mark.django_db, *ON_ONE]  # pages and answers write no query

State = RecordAnalysis.State


@pytest.fixture
def played():
    """A match of a club night that is confirmed, with its games handed in."""
    return a_played_match()


def own(match, side=0, query=""):
    return Client().get(f"/my/{match.tokens[side]}/analysis/{match.public_id}/{query}")


def public(match):
    return Client().get(f"/m/{match.public_id}/").content.decode()


def test_page_when_nobody_has_asked_then_a_button_and_without_an_engine_a_word_why(played, monkeypatch):
    monkeypatch.setenv("GNUBG", "/nowhere/gnubg")
    assert "Analyse match" in own(played).content.decode()
    refused = Client().post(f"/my/{played.tokens[0]}/analysis/{played.public_id}/")
    assert refused.status_code == 409
    assert "No analysis engine is installed" in refused.content.decode()
    assert f"/analysis/{played.public_id}/" in Client().get(f"/my/{played.tokens[1]}/").content.decode()


def test_page_when_it_is_made_then_says_how_far_and_renews_itself(played):
    analysed(State.WORKING, games_done=1)
    answer = own(played)
    assert answer["Refresh"] == "10"
    assert "1 of" in answer.content.decode()


def test_page_when_done_then_both_players_see_rating_course_errors_and_candidates(played):
    row = analysed()
    for side in (0, 1):
        text = own(played, side).content.decode()
        for words in (
            "PR est. (GNU Backgammon 9.9, 2-ply)",
            "±0.4",
            "and by 1.1 at most.",
            'href="/help/play/"',
            "course-line",
            "course-mark is-blunder is-right",
            "rings mark errors by",
            "Luck-adjusted winning chances",
        ):
            assert words in text
    roll = AnalysedDecision.objects.filter(analysis=row, kind="checker").first()
    text = own(played, query=f"?game={roll.game}&turn={roll.turn}").content.decode()
    assert "Candidate plays, best first" in text
    assert 'name="try"' in text
    assert "data-steps=" in text
    assert text.count('data-a="before"') == text.count('data-a="after"') == 1
    tried = own(played, query=f"?game={roll.game}&turn={roll.turn}&try=0").content.decode()
    assert 'data-a="tried">' in tried
    assert 'data-a="tried" hidden' in text
    odd = own(played, query="?game=99&turn=0&try=x&play=77")
    assert odd.status_code == 200


def test_public_page_when_both_agree_then_shown_and_hidden_by_one_no(played):
    row = analysed()
    agree(played, record="yes")
    assert "PR est." not in public(played)
    agree(played, analysis="yes")
    assert "PR est." in public(played)
    assert "course-line" in Client().get(f"/records/m/{played.public_id}/").content.decode()
    roll = AnalysedDecision.objects.filter(analysis=row, kind="checker").first()
    query = f"?game={roll.game}&turn={roll.turn}&try=0"
    for_all = Site().visitor().get(f"/en/records/m/{played.public_id}/{query}")
    assert 'data-a="tried">' in for_all.content.decode()
    first = Entry.objects.filter(slots__match=played, slots__side="a").get()
    data = {"player": first.players.get().public_id, "analysis": "no"}
    Client().post(f"/my/{played.tokens[0]}/agreements/", data)
    assert "PR est." not in public(played)
    assert "course-line" not in Client().get(f"/records/m/{played.public_id}/").content.decode()


def test_page_when_of_another_match_then_nothing(played):
    other = Entry.objects.exclude(slots__match=played).first()
    assert Client().get(f"/my/{entry_token(other)}/analysis/{played.public_id}/").status_code == 404


def test_file_with_the_analysis_when_done_then_both_players_have_what_is_kept_and_nobody_else(played):
    url = f"/my/{{}}/analysis/{played.public_id}/analysed.sgf"
    row = analysed(State.WORKING)
    assert Client().get(url.format(played.tokens[0])).status_code == 404
    row.delete()
    row = analysed()
    kept = [(one.game, one.turn, one.kind) for one in AnalysedDecision.objects.filter(analysis=row)]
    for token in played.tokens:
        answer = Client().get(url.format(token))
        assert "analysed.sgf" in answer["Content-Disposition"]
        found = read_record(answer.content, "x.sgf").analysis
        assert found.engine == "GNU Backgammon 9.9, 2-ply"
        assert [(one.game, one.turn, one.kind.value) for one in found.decisions] == kept
        lost = AnalysedDecision.objects.filter(analysis=row, kind="checker").values_list("lost", flat=True)
        assert [one.lost for one in found.decisions if one.kind == "checker"] == pytest.approx(
            list(lost), abs=2e-4
        )
    other = entry_token(Entry.objects.exclude(slots__match=played).first())
    assert Client().get(url.format(other)).status_code == 404
    assert "analysed.sgf" in own(played).content.decode()


def test_account_when_its_link_has_ended_then_the_analysis_of_an_own_match_is_asked_for_and_seen(
    played, tmp_path, monkeypatch
):
    player = Entry.objects.filter(slots__match=played, slots__side="a").get().players.get()
    Player.objects.filter(pk=player.pk).update(user=a_user("Ann Account"))
    mine, other = signed_in(Player.objects.get(pk=player.pk).user), signed_in(a_user())
    Event.objects.update(starts_on="2020-01-01", ends_on="2020-01-01")
    assert own(played).status_code == 404
    where = reverse("player:my-analysis", args=[played.public_id])
    assert "Analyse match" in mine.get(where).content.decode()
    monkeypatch.setenv("GNUBG", "/nowhere/gnubg")
    assert "No analysis engine is installed" in mine.post(where).content.decode()
    analysed()
    add_missing_sums()
    answer = mine.get(where)
    assert "no-store" in answer["Cache-Control"]
    assert "PR est. (GNU Backgammon 9.9, 2-ply)" in answer.content.decode()
    assert where in mine.get(reverse("player:own-analyses")).content.decode()
    assert "analysed.sgf" in mine.get(f"{where}analysed.sgf")["Content-Disposition"]
    for address in (where, f"{where}analysed.sgf"):
        assert other.get(address).status_code == 404
        assert Client().get(address).status_code == 302


def test_file_with_the_analysis_when_both_agree_then_everybody_s_without_what_somebody_wrote_in_it(played):
    analysed()
    stored = StoredRecord.objects.get()
    StoredRecord.objects.update(content=b'; [Comment 1.1 "My secret plan"]\n' + bytes(stored.content))
    url, viewer = f"/records/m/{played.public_id}/1/analysed/", f"/records/m/{played.public_id}/"
    agree(played, record="yes")
    assert Client().get(url).status_code == 404
    assert url not in Client().get(viewer).content.decode()
    agree(played, analysis="yes")
    assert url in Client().get(viewer).content.decode()
    answer = Client().get(url)
    assert "analysed.sgf" in answer["Content-Disposition"]
    found = read_record(answer.content, "x.sgf")
    assert len(found.analysis.decisions) == AnalysedDecision.objects.count()
    assert found.record.players == tuple(
        Entry.objects.get(slots__match=played, slots__side=side).name for side in "ab"
    )
    assert "secret" not in answer.content.decode()
    theirs = Client().get(f"/my/{played.tokens[0]}/analysis/{played.public_id}/analysed.sgf")
    assert "secret" in theirs.content.decode()
    assert Client().get(f"/records/m/{played.public_id}/2/analysed/").status_code == 404
    agree(played, record="no")
    assert Client().get(url).status_code == 404


def test_all_of_them_when_the_site_wants_it_then_asked_for_once_and_what_cannot_be_noted(
    played, settings, engine
):
    analyse_all()
    assert not RecordAnalysis.objects.exists()
    settings.ANALYSE_ALL = True
    analyse_all()
    analyse_all()
    assert RecordAnalysis.objects.get().state == State.WAITING
    RecordAnalysis.objects.all().delete()
    StoredRecord.objects.update(content=b"nothing that can be read")
    analyse_all()
    assert RecordAnalysis.objects.get().failure == "analysis.not_fit"


def test_rating_when_rounded_then_to_the_nearest():
    assert format_or_dash(7.961) == "8.0"
    assert format_signed(-0.0348, 2) == "−0.03"
