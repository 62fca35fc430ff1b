"""Words that more than one room says: names, statuses, kinds of results, what the floors below refuse."""
