"""One match: kinds of results and scores, who decides, points without a game, adjourning, lengths."""
