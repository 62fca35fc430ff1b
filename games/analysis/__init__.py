"""Engines that analyse game records, behind one interface: separate processes with limits. No database."""
