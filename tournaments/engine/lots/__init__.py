"""Verifiable draws: commitments to secrets, frozen lists of entries, and the draws computed from both."""
