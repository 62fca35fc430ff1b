"""The audit log of an event as a hash chain.

Each row carries a hash of itself and of the row before, so that changed, removed or inserted rows break the
chain, as anyone who has noted the head can verify.

A row is hashed by its ids and numbers directly, and by its texts and actor as salted digests: a name that is
erased later leaves its digest, and the chain remains valid. Each text has its own salt, derived from the
row's; when texts are erased their salts are deleted too, so that names cannot be guessed from the remaining
digests.
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
    """The parts of a row of the audit log that are hashed.

    `at`: UTC with microseconds. `actor`: the account's id, None once it is deleted. `label`: the actor as
    text.
    """

    at: str
    action: str
    subject_type: str
    subject_id: int | None
    actor: int | None
    label: str
    data: Json


@dataclass(frozen=True, slots=True)
class RowSeal:
    """What is stored to hash a row again.

    `before`: the hash of the previous row; `salt`: from which the salts of all texts are derived; `actor`:
    the digest of the actor. After texts were erased there is no `salt` for the whole row but `salts` of the
    remaining texts, by their path in the row, and the digests of the erased ones (`erased`).
    """

    before: str
    salt: str
    actor: str
    salts: Mapping[str, str] = field(default_factory=dict)
    erased: Mapping[str, str] = field(default_factory=dict)

    def data(self) -> Json:
        """Return the seal as JSON.

        `salts` and `erased` are left out as long as there is a salt for the whole row.
        """
        parts: Json = {"before": self.before, "salt": self.salt, "actor": self.actor}
        if not self.salt:
            parts |= {"salts": dict(self.salts), "erased": dict(self.erased)}
        return parts

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> RowSeal:
        """Return the seal that this JSON contains; raises KeyError if a key is missing."""
        return cls(data["before"], data["salt"], data["actor"], data.get("salts", {}), data.get("erased", {}))


def initial_hash(event: str) -> str:
    """Return the hash that comes before the first row of an event; ``event``: its public id."""
    return _hash(f"{CHAIN_VERSION}|{event}")


def seal_row(row: ChainRow, previous_hash: str, salt: str) -> RowSeal:
    """Return the seal of a new row of the audit log.

    `previous_hash`: the `chain_hash` of the row before; `salt`: random, used for this row only.
    """
    return RowSeal(previous_hash, salt, _digest(_salt_of(salt, ACTOR), str(row.actor)))


def chain_hash(row: ChainRow, seal: RowSeal) -> str:
    """Return the hash of a row, which depends on all rows before it too."""
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
    """Return what others need to compute the `chain_hash` of a row, including its data but not the actor.

    ``salts``: the salts of the texts in the data, by path; erased texts are given as their digests.
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
    """Return whether the stored actor matches the seal; True if the account is deleted."""
    if row.actor is None:
        return True
    return _digest(_salt_at(seal, ACTOR), str(row.actor)) == seal.actor


def replace_text(
    row: ChainRow, seal: RowSeal, replacement: Callable[[str], str | None]
) -> tuple[ChainRow, RowSeal]:
    """Return the row with texts replaced, and a seal with which its `chain_hash` is unchanged.

    `replacement`: a function that returns the new text for a text, or None to keep it. A row without
    replacements is returned unchanged.
    """
    salts: dict[str, str] = {}
    erased = dict(seal.erased)
    replaced_paths: list[str] = []

    def walk(value: Any, path: str) -> Any:
        if isinstance(value, str):
            new_text = replacement(value)
            if new_text is not None:
                replaced_paths.append(path)
            if path in erased:  # another name in the same text
                return value if new_text is None else new_text
            if new_text is None:
                salts[path] = _salt_at(seal, path)
                return value
            erased[path] = _digest(_salt_at(seal, path), value)
            return new_text
        if isinstance(value, Mapping):
            return {key: walk(part, f"{path}/{key}") for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [walk(part, f"{path}/{index}") for index, part in enumerate(value)]
        return value

    label, data = walk(row.label, LABEL), walk(row.data, DATA)
    if not replaced_paths:
        return row, seal
    if row.actor is not None:
        salts[ACTOR] = _salt_at(seal, ACTOR)
    new_row = ChainRow(row.at, row.action, row.subject_type, row.subject_id, row.actor, label, data)
    return new_row, RowSeal(seal.before, "", seal.actor, salts, erased)


def _hash_tree(value: Any, path: str, seal: RowSeal) -> Any:
    if isinstance(value, str):
        return _hash_text(value, path, seal)
    if isinstance(value, Mapping):
        return {str(key): _hash_tree(part, f"{path}/{key}", seal) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_hash_tree(part, f"{path}/{index}", seal) for index, part in enumerate(value)]
    return value


def _hash_text(text: str, path: str, seal: RowSeal) -> str:
    if path in seal.erased:
        return seal.erased[path]
    return _digest(_salt_at(seal, path), text)


def _salt_at(seal: RowSeal, path: str) -> str:
    """Return the salt of the text at a path: derived, or stored separately after an erasure.

    Empty if deleted.
    """
    return _salt_of(seal.salt, path) if seal.salt else seal.salts.get(path, "")


def _salt_of(salt: str, path: str) -> str:
    return _hash(f"{salt}|{path}")


def _digest(salt: str, text: str) -> str:
    return _hash(f"{salt}|{text}")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _canonical(tree: object) -> str:
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), allow_nan=False)
