"""The shipped strategies: a folder for each game, a file for each strategy."""
