"""One step of the explanation of a rating change."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExplanationStep:
    """A step of an explanation: its label, its number, and how the number is derived.

    ``text``: the derivation in words or as a formula; ``sum``: the same in printed numbers.
    """

    label: str
    value: str
    text: str
    sum: str = ""

    @property
    def full_text(self) -> str:
        """Return the derivation, followed by the same in printed numbers."""
        return f"{self.text} = {self.sum}" if self.sum and self.text else self.text or self.sum
