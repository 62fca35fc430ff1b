"""A mail server of our own that takes mail, refuses it, or falls silent where it is told to."""

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes
from email.message import Message


class MailServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Dialogue)
        # What it says to a word instead of yes: a line, or None for nothing at all, for ever.
        self.says: dict[str, str | None] = {}
        self.taken: list[Message] = []
        # The word to which it answers a byte at a time, without end.
        self.trickles = ""

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Dialogue(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        if not self._answer("HELLO", "220 ready"):
            return
        for line in self.rfile:
            word = line.split(maxsplit=1)[0].decode().strip().upper()
            if word == "QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            if word != "DATA":
                if not self._answer(word, "250 yes"):
                    return
                continue
            if not self._answer("DATA", "354 go on"):
                return
            text = b"".join(iter(self.rfile.readline, b".\r\n"))
            if not text:
                return
            self.server.taken.append(message_from_bytes(text))
            if not self._answer("END", "250 yes"):
                return

    def _answer(self, word: str, usual: str) -> bool:
        said = self.server.says.get(word, usual)
        if word == self.server.trickles:
            with suppress(OSError):
                while True:
                    self.wfile.write(b"2")
                    time.sleep(0.1)
            return False
        if said is None:
            with suppress(OSError):
                while self.request.recv(1000):
                    pass
            return False
        self.wfile.write(f"{said}\r\n".encode())
        return True


@contextmanager
def mail_server() -> Iterator[MailServer]:
    with MailServer() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()
