"""Runs one speed measurement and prints its figures."""

from apps.core.measuring import MeasuringCommand
from apps.core.suites import BENCHES


class Command(MeasuringCommand):
    help = "Runs one speed measurement and prints its figures."
    registry = BENCHES
