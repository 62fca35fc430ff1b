"""Names of people as text: folded for finding and compared. Pure; every floor may ask here."""
