"""The shipped strategies of Keer op Keer."""
