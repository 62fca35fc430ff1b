"""Game records: readers and writers of each format, the replay by the rules, and the problems found. Pure."""
