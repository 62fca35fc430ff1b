"""Push messages: as RFC 8291 writes them, signed by RFC 8292, and handed to push services alone."""

import time

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from people.services.pushing import PushOutcome, send_push
from people.webpush import (
    MAX_MESSAGE_BYTES,
    Browser,
    authorization_header,
    check_browser,
    encrypt_message,
    is_known_endpoint,
    site_key,
)
from tests.support.push import CURVE, Phone, claims_of, data, text, tls_service

# RFC 8291, appendix A.
MESSAGE = b"When I grow up, I want to be a watermelon"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuw"
    "XPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
SERVER_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER_KEY = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
SALT, AUTH = "DGv6ra1nlYgDCS1FRnbzlw", "BTBZMqHH6r4Tts7J_aSIgg"


def key_of(value: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(data(value), "big"), CURVE)


def test_message_when_written_with_the_keys_of_the_rfc_then_to_the_byte_as_there():
    phone = Phone(key=key_of(BROWSER_KEY), secret=data(AUTH))
    body = encrypt_message(MESSAGE, phone.browser, key=key_of(SERVER_KEY), salt=data(SALT))
    assert text(body) == BODY
    assert phone.reads(data(BODY)) == MESSAGE


def test_message_when_written_then_read_by_its_browser_alone_and_never_twice_the_same():
    phone, other = Phone(), Phone()
    first, second = (encrypt_message(b"x" * MAX_MESSAGE_BYTES, phone.browser) for _ in range(2))
    assert phone.reads(first) == phone.reads(second) == b"x" * MAX_MESSAGE_BYTES
    assert first != second
    with pytest.raises(InvalidTag):
        other.reads(first)
    with pytest.raises(ValueError, match="3001 bytes"):
        encrypt_message(b"x" * (MAX_MESSAGE_BYTES + 1), phone.browser)


def test_signature_when_read_then_of_the_site_for_that_service_and_for_hours(settings):
    settings.OPERATOR_CONTACT = "desk@example.org"
    header = authorization_header("https://updates.push.services.mozilla.com/wpush/v2/abc", 1000.0)
    claims = claims_of(header)
    assert claims == {
        "aud": "https://updates.push.services.mozilla.com",
        "exp": 1000 + 12 * 3600,
        "sub": "mailto:desk@example.org",
    }
    assert header.endswith(f", k={site_key()}")
    before = site_key()
    settings.PUSH_KEY = "another"
    assert site_key() != before


@pytest.mark.parametrize(
    ("endpoint", "known"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc:def", True),
        ("https://web.push.apple.com/QJ", True),
        ("https://updates.push.services.mozilla.com:443/wpush/v2/a", True),
        ("http://fcm.googleapis.com/fcm/send/a", False),
        ("https://fcm.googleapis.com:8443/a", False),
        ("https://evilfcm.googleapis.com.example.org/a", False),
        ("https://notfcm.googleapis.com@127.0.0.1/a", False),
        ("https://fcm.googleapis.com@10.0.0.1/a", False),
        ("https://127.0.0.1/a", False),
        ("https://[::1]/a", False),
        ("https://[bad/a", False),
        ("https://fcm.googleapis.com:x/a", False),
        ("https://fcm.googleapis.com/a b", False),
        ("https://fcm.googleapis.com/" + "a" * 1000, False),
        ("ftp://fcm.googleapis.com/a", False),
        ("", False),
    ],
)
def test_address_when_not_of_a_push_service_then_nobody_is_asked(endpoint, known):
    assert is_known_endpoint(endpoint) is known
    if not known:
        assert send_push(endpoint, b"", {}).outcome is PushOutcome.GONE


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [("", AUTH), ("AAAA", AUTH), (text(b"\4" + b"\1" * 64), AUTH), (None, "AA"), (None, "ü" * 22)],
)
def test_keys_when_they_are_none_then_refused(p256dh, auth):
    browser = Phone().browser
    found = check_browser(Browser(browser.endpoint, browser.p256dh if p256dh is None else p256dh, auth))
    assert found is not None
    assert found.code == "push.keys"


def test_message_when_handed_over_then_by_tls_and_to_public_addresses_alone(tmp_path, settings):
    phone = Phone()
    with tls_service(tmp_path) as service:
        settings.PUSH_SERVICES = [f"localhost:{service.port}"]
        to = f"{service.address}/push/one?x=1"

        def hand(**more):
            return send_push(to, encrypt_message(MESSAGE, phone.browser), {"TTL": "60"}, **more)

        refused = hand(context=service.context)  # its name leads to this computer
        assert (refused.outcome, service.taken) == (PushOutcome.REFUSED, [])
        assert (
            hand(allowed=lambda _address: True).outcome is PushOutcome.LATER
        )  # a certificate that nobody believes
        ours = {"allowed": lambda _address: True, "context": service.context}
        service.answers += [
            (201, {}),
            (410, {}),
            (429, {"Retry-After": "120"}),
            (302, {"Location": to}),
            (413, {}),
            (503, {}),
        ]
        answers = [hand(**ours) for _ in range(6)]
    assert [one.outcome for one in answers] == ["taken", "gone", "later", "refused", "refused", "later"]
    assert [one.wait for one in answers] == [0, 0, 120, 0, 0, 0]
    path, headers, body = service.taken[0]
    assert (path, headers["TTL"], phone.reads(body)) == ("/push/one?x=1", "60", MESSAGE)
    assert len(service.taken) == 6  # no redirect is followed
    began = time.monotonic()
    assert send_push(to, b"", {}, **ours).outcome is PushOutcome.LATER  # nobody is there any more
    assert time.monotonic() - began < 5
