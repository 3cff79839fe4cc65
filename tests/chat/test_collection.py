"""What the first screen says about the sources."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from apps.chat.collection import AboutCollection, about_collection
from apps.documents.models import Collection, Document

pytestmark = pytest.mark.django_db


def test_what_the_desk_keeps_to_itself_is_not_even_counted():
    for visibility in ("public", "desk"):
        shelf = Collection.objects.create(slug=visibility, name=visibility, visibility=visibility)
        Document.objects.create(title=visibility, collection=shelf)
    assert about_collection().waiting == 1


@pytest.mark.parametrize(
    ("programmes", "others", "words"),
    [(0, 1, "1 Quelle"), (0, 2, "2 Quellen"), (5, 1, "1 weitere Quelle"), (5, 2, "2 weitere Quellen")],
)
def test_only_beside_others_a_source_is_a_further_one(programmes, others, words):
    about = AboutCollection(programmes=programmes, articles=0, others=others, waiting=0, newest=None, examples=())
    with override("de"):
        assert f"<li>{words}</li>" in render_to_string("chat/_collection.html", {"about": about})
