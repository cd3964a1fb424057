"""Plans, running, and counts."""
