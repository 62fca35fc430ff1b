"""Events played by chance through the services: one for the demo and for trials, thousands to look for what breaks."""

from tournaments.checks.simulation.names import people_names
from tournaments.checks.simulation.playing import Simulation, new_event

__all__ = ["Simulation", "new_event", "people_names"]
