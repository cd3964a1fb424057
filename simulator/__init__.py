"""What is played, and the running of it: dice, games, experiments."""
