"""Phones that read what they are sent, and a push service of our own: with it a message goes the whole way, over TLS."""

import base64
import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

from people.services.pushing import PushOutcome, PushResult
from people.webpush import Browser

CURVE = ec.SECP256R1()


def text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def data(value: str) -> bytes:
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class Phone:
    """A browser: its keys, and what it reads."""

    endpoint: str = "https://fcm.googleapis.com/fcm/send/one"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    secret: bytes = b"sixteen bytes it"

    @property
    def browser(self) -> Browser:
        return Browser(self.endpoint, text(point(self.key)), text(self.secret))

    def reads(self, body: bytes) -> bytes:
        """RFC 8188 and RFC 8291, as the one who receives it."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
        secret = _derived(self.secret, shared, b"WebPush: info\0" + point(self.key) + theirs, 32)
        content_key = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(content_key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded.endswith(b"\2")  # the only record, and so the last one
        return padded[:-1]


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


def claims_of(authorization: str) -> dict[str, Any]:
    """What a VAPID header says, after its signature was checked by its own key."""
    scheme, _space, rest = authorization.partition(" ")
    parts = dict(one.strip().split("=", 1) for one in rest.split(","))
    head, body, signature = parts["t"].split(".")
    assert scheme == "vapid"
    assert json.loads(data(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = data(signature)
    both = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data(parts["k"]))
    key.verify(both, f"{head}.{body}".encode(), ec.ECDSA(SHA256()))
    found: dict[str, Any] = json.loads(data(body))
    return found


class PushService:
    """What a push service was handed; ``says``: what it answers, by endpoint, in turn; the usual one is that it takes it."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes, Mapping[str, str]]] = []
        self.says: dict[str, list[PushResult]] = {}

    def __call__(self, endpoint: str, body: bytes, headers: Mapping[str, str]) -> PushResult:
        said = self.says.get(endpoint, [])
        answer = said.pop(0) if said else PushResult(PushOutcome.TAKEN)
        if answer.outcome is PushOutcome.TAKEN:
            self.taken.append((endpoint, body, headers))
        return answer

    def read_by(self, phone: Phone) -> list[dict[str, str]]:
        return [
            json.loads(phone.reads(body))
            for endpoint, body, _headers in self.taken
            if endpoint == phone.endpoint
        ]


@dataclass
class TlsService:
    """A push service over TLS on this computer. ``answers``: status and headers of the next answers."""

    port: int
    context: ssl.SSLContext
    taken: list[tuple[str, Mapping[str, str], bytes]]
    answers: list[tuple[int, dict[str, str]]]

    @property
    def address(self) -> str:
        return f"https://localhost:{self.port}"


@contextmanager
def tls_service(folder: Path) -> Iterator[TlsService]:
    """With a certificate of its own, which nobody else believes."""
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = (
        made.serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    certificate = made.sign(key, SHA256()).public_bytes(Encoding.PEM)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "both.pem").write_bytes(private + certificate)
    (folder / "certificate.pem").write_bytes(certificate)
    taken: list[tuple[str, Mapping[str, str], bytes]] = []
    answers: list[tuple[int, dict[str, str]]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append((self.path, dict(self.headers), body))
            status, headers = answers.pop(0) if answers else (201, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "both.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        believes = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
        yield TlsService(server.server_address[1], believes, taken, answers)
    finally:
        server.shutdown()
        server.server_close()
