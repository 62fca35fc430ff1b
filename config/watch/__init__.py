"""Monitoring: health checks, metrics, and error reports."""
