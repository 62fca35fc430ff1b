"""One match: reports, agreement, objections, rulings, adjournments, and the game records that come with a report."""
