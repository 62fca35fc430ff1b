"""Who plays whom next, for the systems that pair round by round, and for those whose whole schedule stands."""
