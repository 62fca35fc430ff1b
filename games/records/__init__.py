"""Game records: readers and writers of each format, the replay by the rules, and its findings. Pure."""
