"""Rules in files: CSV and XLSX with one row per rule, JSON with everything. Import, dry run, export."""
