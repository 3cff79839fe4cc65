"""What the first screen says about the sources."""

from __future__ import annotations

import pytest

from apps.chat.collection import about_collection
from apps.documents.models import Collection, Document

pytestmark = pytest.mark.django_db


def test_what_the_desk_keeps_to_itself_is_not_even_counted():
    for visibility in ("public", "desk"):
        shelf = Collection.objects.create(slug=visibility, name=visibility, visibility=visibility)
        Document.objects.create(title=visibility, collection=shelf)
    assert about_collection().waiting == 1
