"""One step of an explanation."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExplanationStep:
    """A label, its number, and its derivation; ``sum``: the derivation in printed numbers."""

    label: str
    value: str
    text: str
    sum: str = ""

    @property
    def full_text(self) -> str:
        """Return the text followed by the sum."""
        return f"{self.text} = {self.sum}" if self.sum and self.text else self.text or self.sum
