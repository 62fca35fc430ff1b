"""Points leagues: sessions of money play and their sums. No matches, no ratings."""
