"""The reader's page."""

from django.urls import path

from apps.chat import builder_views, views

app_name = "chat"

# /
home_urls = [
    path("", views.home, name="home"),
    path("ask/", views.ask, name="ask"),
]
# /builder/
builder_urls = [
    path("builder/", builder_views.compose_page, name="builder"),
    path("builder/compose/", builder_views.compose_json, name="builder-compose"),
]
# /conversations/<uuid>/
conversation_urls = [
    path("conversations/<uuid:key>/", views.conversation, name="conversation"),
    path("conversations/<uuid:key>/delete/", views.delete, name="delete"),
]
# /turns/<uuid>/
turn_urls = [
    path("turns/<uuid:key>/stream/", views.turn_stream, name="turn-stream"),
    path("turns/<uuid:key>/hand-over/", views.hand_over, name="hand-over"),
]

urlpatterns = [*home_urls, *builder_urls, *conversation_urls, *turn_urls]
