"""Tests of the package strategies."""
