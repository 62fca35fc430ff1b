"""Rules of one match: kinds of results and scores, reports, rulings, penalty points, adjourning, match lengths."""
