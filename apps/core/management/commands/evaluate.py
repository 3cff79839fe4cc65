"""Runs one quality suite and prints its figures."""

from apps.core.measuring import MeasuringCommand
from apps.core.suites import SUITES


class Command(MeasuringCommand):
    help = "Runs one quality suite and prints its figures."
    registry = SUITES
