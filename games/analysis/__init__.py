"""Engines that look at records, behind one port: programs of their own, each in a process with limits. Nothing here touches a database."""
