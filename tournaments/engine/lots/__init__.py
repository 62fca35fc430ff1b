"""Verifiable draws: commitments, frozen lists, and the draws that follow from them."""
