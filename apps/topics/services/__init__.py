"""Writes of the topics: reading the log, placing, runs, counts, edits, gaps."""
