"""The demo's log: four weeks of questions that nobody asked, about an invented election; see ``loading``."""
