"""Benchmarks: games per second of the engine. Never part of the tests; nothing here asserts a time."""
