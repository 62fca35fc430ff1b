"""Points leagues: sessions of money play and what they add up to. No matches, no ratings."""
