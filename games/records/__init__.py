"""Game records: readers and writers of each format, the replay by the rules, and what is found on the way. Pure."""
