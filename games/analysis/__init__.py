"""Engines that analyse records, behind one interface: separate processes with limits. No database."""
