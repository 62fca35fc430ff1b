"""Rounds of a Swiss or round robin: pairing, publishing, requests about pairs, play-offs, deadlines."""
