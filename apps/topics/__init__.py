"""What readers ask about: topics over the log, gaps, trends, dashboards, and the panel of the reader's page."""
