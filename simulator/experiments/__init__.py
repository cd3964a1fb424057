"""Running many games: plan → chunks → tally → result."""
