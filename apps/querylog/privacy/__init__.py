"""Proves that what would tell who asked goes nowhere: canaries are asked, everything is searched. See ``checking``."""
