"""Labels and messages that several packages use: names, statuses, result kinds, faults of lower layers."""
