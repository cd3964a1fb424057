"""Checks of the documentation: every example in it is run."""
