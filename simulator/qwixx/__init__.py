"""Qwixx: rules, referee, engine, and the exact solution of its solo game."""
