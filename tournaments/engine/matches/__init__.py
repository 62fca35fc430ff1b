"""Rules of one match: result kinds and scores, reports, rulings, adjourning, match lengths."""
