"""Random events through the services: single ones for the demo and trials, thousands to find errors."""

from tournaments.checks.simulation.names import people_names
from tournaments.checks.simulation.playing import Simulation, new_event

__all__ = ["Simulation", "new_event", "people_names"]
