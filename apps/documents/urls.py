"""Addresses into sources."""

from django.urls import path

from apps.documents import views

app_name = "documents"

# /sources/
urlpatterns = [
    path("links/<int:key>/<slug:mark>.webp", views.link_picture, name="link-picture"),
    path("parties.css", views.party_colours, name="party-colours"),
    path("<uuid:key>/<int:version>/<int:start>-<int:end>/", views.passage, name="passage"),
    path("<uuid:key>/<int:version>/<int:start>/", views.reading, name="reading"),
    path("<uuid:key>/<int:version>/pages/<int:number>.png", views.page_image, name="page-image"),
]
