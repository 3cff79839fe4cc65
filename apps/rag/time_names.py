"""The names of months, days and units that readers use, German and English, with what they stand for."""

from __future__ import annotations

from typing import Final

MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "januar jänner january", "februar feber february", "märz maerz march", "april", "mai may", "juni june",
            "juli july", "august", "september", "oktober october", "november", "dezember december",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        (
            "montag monday", "dienstag tuesday", "mittwoch wednesday", "donnerstag thursday", "freitag friday",
            "samstag sonnabend saturday", "sonntag sunday",
        )
    )
    for name in names.split()
}  # fmt: skip
# First and last month; the winter reaches into the next year.
SEASONS: Final = {
    "frühjahr": (3, 5), "frühling": (3, 5), "spring": (3, 5), "sommer": (6, 8), "summer": (6, 8), "herbst": (9, 11),
    "autumn": (9, 11), "fall": (9, 11), "winter": (12, 14),
}  # fmt: skip
COUNTS: Final = {
    word: number
    for number, words in {
        1: "ein eine einem einer einen eines a an one", 2: "zwei two", 3: "drei three", 4: "vier four",
        5: "fünf fuenf five", 6: "sechs six", 7: "sieben seven", 8: "acht eight", 9: "neun nine", 10: "zehn ten",
        11: "elf eleven", 12: "zwölf zwoelf twelve", 20: "zwanzig twenty",
    }.items()
    for word in words.split()
}  # fmt: skip
UNITS: Final = {
    "stunde": "hour", "hour": "hour", "tag": "day", "day": "day", "woche": "week", "week": "week", "monat": "month",
    "month": "month", "quartal": "quarter", "quarter": "quarter", "jahrzehnt": "decade", "decade": "decade",
    "jahr": "year", "year": "year",
}  # fmt: skip
STEPS: Final = {
    "dies": 0, "laufend": 0, "aktuell": 0, "this": 0, "current": 0, "letzt": -1, "vergangen": -1, "vorig": -1,
    "last": -1, "past": -1, "previous": -1, "nächst": 1, "naechst": 1, "kommend": 1, "next": 1, "coming": 1,
    "vorletzt": -2, "übernächst": 2, "uebernaechst": 2,
}  # fmt: skip
ORDINALS: Final = {
    "erst": 1, "first": 1, "1": 1, "zweit": 2, "second": 2, "2": 2, "dritt": 3, "third": 3, "3": 3, "viert": 4,
    "fourth": 4, "4": 4,
}  # fmt: skip
# Which of three equal pieces.
PARTS: Final = {"anfang": 0, "early": 0, "beginning": 0, "mitte": 1, "mid": 1, "ende": 2, "late": 2, "end": 2}


def step_of(said: str) -> int:
    """Return how far "letzte", "nächstes", "this" step from the present."""
    said = said.lower()
    return next(STEPS[stem] for stem in sorted(STEPS, key=len, reverse=True) if said.startswith(stem))
