"""Reader of Smile, the binary form of JSON in which BGBlitz stores matches, by its specification (version 0).

Limited: numbers have the maximum length of the format, the nesting depth is limited, and nothing outside the
given bytes is read. Raises ``ValueError`` for invalid input.
"""

from __future__ import annotations

import struct
from typing import Any

HEAD = b":)\n"
_MAX_DEPTH = 40
_MAX_SHARED_TEXTS = 1024  # names and texts that can be referred to by number
_END = object()


class _Reader:
    def __init__(self, data: bytes) -> None:
        if len(data) < 4 or data[:3] != HEAD:
            raise ValueError("no Smile")
        self.data = data
        self.at = 4
        self.names: list[str] | None = [] if data[3] & 1 else None
        self.texts: list[str] | None = [] if data[3] & 2 else None

    def byte(self) -> int:
        if self.at >= len(self.data):
            raise ValueError("cut off")
        self.at += 1
        return self.data[self.at - 1]

    def take(self, length: int) -> bytes:
        if self.at + length > len(self.data):
            raise ValueError("cut off")
        self.at += length
        return self.data[self.at - length : self.at]

    def whole(self) -> int:
        """Read an integer of at most 64 bits: seven bits a byte, six in the last."""
        value = 0
        for _ in range(10):
            byte = self.byte()
            if byte & 0x80:
                return value << 6 | byte & 0x3F
            value = value << 7 | byte
        raise ValueError("number too long")

    def signed(self) -> int:
        value = self.whole()
        return value >> 1 ^ -(value & 1)

    def real(self, size: int, form: str) -> float:
        """Read a float or double: seven bits a byte, right-aligned."""
        value = 0
        for byte in self.take(size):
            value = value << 7 | byte & 0x7F
        width = struct.calcsize(form)
        return float(struct.unpack(form, (value & (1 << 8 * width) - 1).to_bytes(width, "big"))[0])

    def text(self, length: int) -> str:
        return self.take(length).decode("utf-8", errors="replace")

    def long_text(self) -> str:
        end = self.data.find(b"\xfc", self.at)
        if end < 0:
            raise ValueError("cut off")
        text = self.data[self.at : end].decode("utf-8", errors="replace")
        self.at = end + 1
        return text

    def name(self) -> str | None:
        byte = self.byte()
        if byte == 0xFB:
            return None
        if byte == 0x20:
            return ""
        if 0x30 <= byte <= 0x33:
            return self._shared_text(self.names, (byte & 3) << 8 | self.byte())
        if byte == 0x34:
            return self.long_text()
        if 0x40 <= byte <= 0x7F:
            return self._shared_text(self.names, byte - 0x40)
        if 0x80 <= byte <= 0xBF:
            return self._share_text(self.names, self.text(byte - 0x80 + 1))
        if 0xC0 <= byte <= 0xF7:
            return self._share_text(self.names, self.text(byte - 0xC0 + 2))
        raise ValueError(f"name {byte}")

    @staticmethod
    def _shared_text(table: list[str] | None, number: int) -> str:
        if table is None or number >= len(table):
            raise ValueError("no such text before")
        return table[number]

    @staticmethod
    def _share_text(table: list[str] | None, text: str) -> str:
        if table is not None and len(text.encode()) <= 64:
            if len(table) >= _MAX_SHARED_TEXTS:
                table.clear()
            table.append(text)
        return text

    def value(self, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        byte = self.byte()
        if 0x01 <= byte <= 0x1F:
            return self._shared_text(self.texts, byte - 1)
        if byte in (0x20, 0x21, 0x22, 0x23):
            return ("", None, False, True)[byte - 0x20]
        if byte in (0x24, 0x25):
            return self.signed()
        if byte == 0x28:
            return self.real(5, ">f")
        if byte == 0x29:
            return self.real(10, ">d")
        if 0x40 <= byte <= 0x7F:
            return self._share_text(self.texts, self.text(byte % 32 + (1, 33)[byte >= 0x60]))
        if 0x80 <= byte <= 0xBF:
            return self._share_text(self.texts, self.text(byte % 32 + (2, 34)[byte >= 0xA0]))
        if 0xC0 <= byte <= 0xDF:
            return byte - 0xC0 >> 1 ^ -(byte & 1)
        if byte in (0xE0, 0xE4):
            return self.long_text()
        if 0xEC <= byte <= 0xEF:
            return self._shared_text(self.texts, (byte & 3) << 8 | self.byte())
        if byte == 0xF8:
            return self._list(depth)
        if byte == 0xF9:
            return _END
        if byte == 0xFA:
            return self._object(depth)
        raise ValueError(f"value {byte}")

    def _list(self, depth: int) -> list[Any]:
        values = []
        while (value := self.value(depth + 1)) is not _END:
            values.append(value)
        return values

    def _object(self, depth: int) -> dict[str, Any]:
        result = {}
        while (name := self.name()) is not None:
            value = self.value(depth + 1)
            if value is _END:
                raise ValueError("no value")
            result[name] = value
        return result


def read_smile(data: bytes) -> Any:
    """Return the value that is encoded in ``data``. Raises ``ValueError`` for invalid input.

    >>> read_smile(bytes.fromhex("3a290a00fa8061c28062f8c4c6f9fb"))
    {'a': 1, 'b': [2, 3]}
    """
    return _Reader(data).value(0)
