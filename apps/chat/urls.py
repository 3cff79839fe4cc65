"""The reader's page."""

from django.urls import path

from apps.chat import answer_views, builder_views, embed_views, page_views, views

app_name = "chat"

# /
home_urls = [
    path("", views.home, name="home"),
    path("ask/", views.ask, name="ask"),
    path("how-it-works/", page_views.how_it_works, name="how-it-works"),
    path("robots.txt", page_views.robots, name="robots"),
    path("gallery/", page_views.gallery, name="gallery"),
    path("site/theme.css", page_views.theme, name="theme"),
    path("site/logo", page_views.logo, name="logo"),
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
    path("conversations/<uuid:key>/export/", views.export, name="export"),
]
# /turns/<uuid>/
turn_urls = [
    path("turns/<uuid:key>/stream/", views.turn_stream, name="turn-stream"),
    path("turns/<uuid:key>/hand-over/", answer_views.hand_over, name="hand-over"),
    path("turns/<uuid:key>/feedback/", answer_views.rate, name="rate"),
    path("turns/<uuid:key>/sentences/<int:place>/report/", answer_views.report_sentence, name="report-sentence"),
    path("turns/<uuid:key>/share/", answer_views.share, name="share"),
    path("turns/<uuid:key>/unshare/", answer_views.unshare, name="unshare"),
]
# /shared/<key>/
shared_urls = [
    path("shared/<slug:key>/", answer_views.shared, name="shared"),
    path("report/<uuid:key>/<int:version>/<int:start>-<int:end>/", answer_views.report_source, name="report-source"),
]
# /embed/
embed_urls = [
    path("embed/", embed_views.page, name="embed"),
    path("embed/ask/", embed_views.ask, name="embed-ask"),
    path("embed/theme.css", embed_views.theme, name="embed-theme"),
    path("embed/turns/<uuid:key>/stream/<str:token>/", embed_views.stream, name="embed-stream"),
]

urlpatterns = [*home_urls, *builder_urls, *conversation_urls, *turn_urls, *shared_urls, *embed_urls]
