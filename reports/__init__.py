"""What a result says: statistics, tables, sentences and plots. Knows results, not how they were made."""
