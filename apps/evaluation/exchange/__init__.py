"""Question sets as files: CSV with one row per question, JSON with everything."""
