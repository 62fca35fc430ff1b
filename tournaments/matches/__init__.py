"""Matches: reports, confirmations, objections, rulings, adjournments, and the game records of reports."""
