"""The groups of the product, whatever ran before."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps


@pytest.fixture
def groups(db: None) -> None:
    """Run the migration's work again: a transactional test before this one has emptied every table."""
    import_module("apps.core.migrations.0001_groups").create_groups(apps, None)
