"""Statistics, tables, sentences, plots and files."""
