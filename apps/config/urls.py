"""The site map."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/try/", include("apps.answering.urls")),
    path("admin/", admin.site.urls),
    path("language/", include("django.conf.urls.i18n")),
    path("sources/", include("apps.documents.urls")),
    path("", include("apps.core.urls")),
    path("", include("apps.chat.urls")),
]
