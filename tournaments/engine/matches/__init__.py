"""One match: result kinds and scores, who decides, points without play, adjourning, lengths."""
