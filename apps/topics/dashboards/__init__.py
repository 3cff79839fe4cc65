"""What the dashboards show: read from rollups, never from questions. One finding, tables, charts as plain JSON."""
