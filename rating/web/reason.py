"""One step of a working."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExplanationStep:
    """What it is, the number, and how it comes about; ``sum``: the same in the numbers that are printed."""

    label: str
    value: str
    text: str
    sum: str = ""

    @property
    def full_text(self) -> str:
        """The words, and the sum after them."""
        return f"{self.text} = {self.sum}" if self.sum and self.text else self.text or self.sum
