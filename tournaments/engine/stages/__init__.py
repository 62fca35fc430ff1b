"""How a stage is played: the settings of each system as one value, and the stages of a division as a plan."""
