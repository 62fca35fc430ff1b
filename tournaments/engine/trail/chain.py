"""The trail of an event as a chain: each row carries a hash of itself and of the row before, so that no row can be changed,
taken out or put in without breaking it. Whoever has noted the head can tell.

A row is hashed by its ids and numbers as they are, and by its words (every text in it, and who did it) as salted digests: a
name that is erased later leaves its digest, and the chain holds. Each word has a salt of its own, made from the row's; when
words are erased their salts go with them, so that nobody can try names out on the digests that stay.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from tournaments.engine.trail.action import Json

CHAIN_VERSION: Final = "crawford-trail-1"
ACTOR: Final = "actor"
LABEL: Final = "label"
DATA: Final = "data"


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A row of the trail, as far as it is hashed. `at`: in UTC, with microseconds. `actor`: the account's id, None once that is gone."""

    at: str
    action: str
    subject_type: str
    subject_id: int | None
    actor: int | None
    label: str
    data: Json


@dataclass(frozen=True, slots=True)
class RowSeal:
    """What is kept beside a row to hash it again: the hash `before` it, the salt, the digest of the account that did it.

    After words were erased there is no `salt` for the whole row but `salts` of the words that are left, by their place
    in the row, and the digests of those that are gone (`erased`).
    """

    before: str
    salt: str
    actor: str
    salts: Mapping[str, str] = field(default_factory=dict)
    erased: Mapping[str, str] = field(default_factory=dict)

    def data(self) -> Json:
        """As JSON, without what is empty."""
        parts: Json = {"before": self.before, "salt": self.salt, "actor": self.actor}
        if not self.salt:
            parts |= {"salts": dict(self.salts), "erased": dict(self.erased)}
        return parts

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> RowSeal:
        """Read from JSON; raises KeyError where it is none."""
        return cls(data["before"], data["salt"], data["actor"], data.get("salts", {}), data.get("erased", {}))


def initial_hash(event: str) -> str:
    """What stands before the first row of an event (its public id)."""
    return _hash(f"{CHAIN_VERSION}|{event}")


def seal_row(row: ChainRow, before: str, salt: str) -> RowSeal:
    """The seal of a new row; `salt`: random, of this row alone."""
    return RowSeal(before, salt, _digest(_salt_of(salt, ACTOR), str(row.actor)))


def chain_hash(row: ChainRow, seal: RowSeal) -> str:
    """The hash of a row and of all before it."""
    tree = {
        "at": row.at,
        "action": row.action,
        "subject": [row.subject_type, row.subject_id],
        ACTOR: seal.actor,
        LABEL: _hash_text(row.label, LABEL, seal),
        DATA: _hash_tree(row.data, DATA, seal),
    }
    return _hash(f"{CHAIN_VERSION}|{seal.before}|{_canonical(tree)}")


def row_proof(row: ChainRow, seal: RowSeal) -> Json:
    """What somebody else needs to work the `chain_hash` of a row out, with its data but without who did it.

    ``salts``: of the words of the data, by their place; words that were erased stand there as their digests.
    """
    salts: dict[str, str] = {}

    def walk(value: Any, path: str) -> None:
        if isinstance(value, str) and path not in seal.erased:
            salts[path] = _salt_at(seal, path)
        parts: Mapping[Any, Any] = dict(enumerate(value)) if isinstance(value, list | tuple) else {}
        for key, part in (value if isinstance(value, Mapping) else parts).items():
            walk(part, f"{path}/{key}")

    walk(row.data, DATA)
    return {
        "at": row.at,
        "action": row.action,
        "subject": [row.subject_type, row.subject_id],
        ACTOR: seal.actor,
        LABEL: _hash_text(row.label, LABEL, seal),
        DATA: row.data,
        "salts": salts,
        "erased": {path: digest for path, digest in seal.erased.items() if path.startswith(f"{DATA}/")},
        "before": seal.before,
        "link": chain_hash(row, seal),
    }


def is_same_actor(row: ChainRow, seal: RowSeal) -> bool:
    """Whether a row names the account that did it; one that is gone cannot be asked."""
    if row.actor is None:
        return True
    return _digest(_salt_at(seal, ACTOR), str(row.actor)) == seal.actor


def replace_text(
    row: ChainRow, kept: RowSeal, instead: Callable[[str], str | None]
) -> tuple[ChainRow, RowSeal]:
    """The row with words replaced, and its seal, with which it still gives the same `chain_hash`.

    `instead`: the new text for a text, None where it stays. A row in which none is replaced comes back as it is.
    """
    salts: dict[str, str] = {}
    erased = dict(kept.erased)
    touched: list[str] = []

    def walk(value: Any, path: str) -> Any:
        if isinstance(value, str):
            new = instead(value)
            if new is not None:
                touched.append(path)
            if path in erased:  # another name in the same words
                return value if new is None else new
            if new is None:
                salts[path] = _salt_at(kept, path)
                return value
            erased[path] = _digest(_salt_at(kept, path), value)
            return new
        if isinstance(value, Mapping):
            return {key: walk(part, f"{path}/{key}") for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [walk(part, f"{path}/{place}") for place, part in enumerate(value)]
        return value

    label, data = walk(row.label, LABEL), walk(row.data, DATA)
    if not touched:
        return row, kept
    if row.actor is not None:
        salts[ACTOR] = _salt_at(kept, ACTOR)
    new = ChainRow(row.at, row.action, row.subject_type, row.subject_id, row.actor, label, data)
    return new, RowSeal(kept.before, "", kept.actor, salts, erased)


def _hash_tree(value: Any, path: str, seal: RowSeal) -> Any:
    if isinstance(value, str):
        return _hash_text(value, path, seal)
    if isinstance(value, Mapping):
        return {str(key): _hash_tree(part, f"{path}/{key}", seal) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_hash_tree(part, f"{path}/{place}", seal) for place, part in enumerate(value)]
    return value


def _hash_text(text: str, path: str, seal: RowSeal) -> str:
    if path in seal.erased:
        return seal.erased[path]
    return _digest(_salt_at(seal, path), text)


def _salt_at(seal: RowSeal, path: str) -> str:
    """The salt of a word by its place, made from the row's or, after words were erased, kept by itself; empty where it is gone."""
    return _salt_of(seal.salt, path) if seal.salt else seal.salts.get(path, "")


def _salt_of(salt: str, path: str) -> str:
    return _hash(f"{salt}|{path}")


def _digest(salt: str, text: str) -> str:
    return _hash(f"{salt}|{text}")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _canonical(tree: object) -> str:
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), allow_nan=False)
