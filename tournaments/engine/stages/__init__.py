"""How a stage is played: the settings of each system, and the stages of a division as a plan."""
