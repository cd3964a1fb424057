"""Keer op Keer (Noch mal!, Encore!): rules, sheets, the plain referee and the fast engine."""
