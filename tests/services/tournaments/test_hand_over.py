"""A result that both phones have signed without network: taken once, as two words that agree, or refused with nothing written."""

import base64
import time
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from faults import CrawfordError
from people.models import AuditEntry
from tests.factories import an_event
from tournaments.engine.matches.hand_over import MAX_AGE_SECONDS, agreement_message, winner_message
from tournaments.entries.services.links import renew_entry_link
from tournaments.matches.services.hand_over import (
    SignedResult,
    SignedStatement,
    issue_certificate,
    submit_signed_result,
)
from tournaments.models import LinkPhone, Report
from tournaments.selectors.access.phones import RequestOrigin

pytestmark = pytest.mark.django_db
KEY = "0123456789abcdef0123456789abcdef"


def written(raw):
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Pocket:
    """The phone of one player: its key, and what the site has certified."""

    def __init__(self, tournament, match, side):
        self.entry = tournament.entry_at(match, side)
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.certificate = issue_certificate(
            entry=self.entry, phone=RequestOrigin(f"phone{side}"), key=written(point)
        )

    def signs(self, words):
        r, s = decode_dss_signature(self.key.sign(words, ec.ECDSA(SHA256())))
        return SignedStatement(self.certificate, written(r.to_bytes(32) + s.to_bytes(32)))


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[5]).publish()


@pytest.fixture
def match(tournament):
    return tournament.playable()[0]


@pytest.fixture
def phones(tournament, match):
    return Pocket(tournament, match, "a"), Pocket(tournament, match, "b")


def handed(match, phones, mine=5, theirs=3, key=KEY, ago=0):
    at = int(time.time()) - ago
    won = f"{match.public_id}.{mine}.{theirs}.{at}.{key}"
    winner, loser = phones
    return SignedResult(won, winner.signs(winner_message(won)), at, loser.signs(agreement_message(won, at)))


def sends(match, sender, said):
    return submit_signed_result(sender=sender.entry, match_id=match.public_id, hand_over=said)


def refusal(match, sender, said):
    before = list(Report.objects.values_list("pk", "state")), AuditEntry.objects.count()
    with pytest.raises(CrawfordError) as refused:
        sends(match, sender, said)
    assert (list(Report.objects.values_list("pk", "state")), AuditEntry.objects.count()) == before
    return refused.value.code


def test_hand_over_when_both_have_signed_then_confirmed_once_whoever_sends_it(tournament, match, phones):
    said = handed(match, phones)
    assert sends(match, phones[1], said).decision == "confirmed"
    match.refresh_from_db()
    assert (match.status, match.score_a, match.score_b) == ("confirmed", 5, 3)
    again = sends(match, phones[0], said)
    assert (again.decision, again.repeated, Report.objects.count()) == ("confirmed", True, 2)
    # The winner's phone had kept its own word under the same key.
    assert tournament.says(match, "a", 5, 3, key=KEY).repeated
    assert sorted(LinkPhone.objects.values_list("device", "way")) == [
        ("phonea", "first"),
        ("phoneb", "first"),
    ]
    assert all(row.data["handed_over"] for row in AuditEntry.objects.filter(action="match.report"))
    other = handed(match, phones, theirs=2, key="f" * 32, ago=-10)  # signed after it
    assert refusal(match, phones[0], other) == "report.already_confirmed"


def test_hand_over_when_the_winners_word_came_alone_then_the_losers_confirms_it(tournament, match, phones):
    tournament.says(match, "a", 5, 3, key=KEY)
    assert sends(match, phones[1], handed(match, phones)).decision == "confirmed"
    assert Report.objects.count() == 2


def test_hand_over_when_something_was_said_since_then_refused_and_nothing_written(tournament, match, phones):
    said = handed(match, phones, ago=60)
    tournament.says(match, "b", 2, 5)
    assert refusal(match, phones[0], said) == "hand_over.older"
    tournament.says(match, "a", 2, 5)
    assert refusal(match, phones[1], said) == "hand_over.older"
    # Under a key of the same phone something else was said.
    tournament.says(tournament.playable()[0], "a", 5, 1, key="e" * 32)
    other = tournament.playable()[0]
    pair = Pocket(tournament, other, "a"), Pocket(tournament, other, "b")
    assert refusal(other, pair[0], handed(other, pair, key="e" * 32)) == "report.key_used"


def test_hand_over_when_not_signed_by_these_two_for_this_then_refused(tournament, match, phones):
    winner, loser = phones
    said = handed(match, phones)
    stranger = Pocket(tournament, tournament.playable()[1], "a")
    faults = {
        "hand_over.unreadable": [
            replace(said, won="m.5.3"),
            replace(said, won=said.won.replace(match.public_id, "another")),
        ],
        "hand_over.not_signed": [
            replace(said, won=said.won.replace(".5.3.", ".5.4.")),
            replace(said, agreed_at=said.agreed_at + 1),
            replace(said, loser=replace(said.loser, certificate=winner.certificate)),
            replace(said, loser=SignedStatement(loser.certificate, "ü")),
        ],
        "link.broken": [replace(said, loser=replace(said.loser, certificate=loser.certificate[:-1] + "é"))],
        "report.not_your_match": [handed(match, (winner, stranger)), handed(match, (winner, winner))],
        "hand_over.too_old": [
            handed(match, phones, ago=MAX_AGE_SECONDS + 60),
            handed(match, phones, ago=-2000),
        ],
        "score.winner_not_at_length": [handed(match, phones, mine=6)],
    }
    for code, every in faults.items():
        assert [refusal(match, winner, one) for one in every] == [code] * len(every)
    assert refusal(match, stranger, said) == "report.not_your_match"
    renew_entry_link(actor=tournament.actor, event_id=tournament.event.pk, entry_id=loser.entry.pk)
    assert refusal(match, winner, said) == "link.revoked"


def test_hand_over_from_a_phone_that_others_have_shut_out_is_not_taken(tournament, match, phones):
    LinkPhone.objects.create(
        entry=phones[1].entry,
        device="theirs",
        number=1,
        link_version=phones[1].entry.link_version,
        way="first",
        since="2026-01-01T00:00Z",
    )
    assert refusal(match, phones[0], handed(match, phones)) == "phone.other"
    with pytest.raises(CrawfordError) as refused:
        Pocket(tournament, match, "b")
    assert refused.value.code == "phone.other"
    for odd in ("", "x", "A" * 87):
        with pytest.raises(CrawfordError) as refused:
            issue_certificate(entry=phones[0].entry, phone=RequestOrigin("p"), key=odd)
        assert refused.value.code == "hand_over.key_odd"
