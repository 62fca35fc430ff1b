"""The desk line: what a director types is understood (`engine.desk`) and done by the services of the rooms below."""
