"""The site map."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/try/", include("apps.answering.urls")),
    # Before Django's own at the same place.
    path("admin/autocomplete/", include("apps.core.admin_search")),
    path("admin/", admin.site.urls),
    path("language/", include("django.conf.urls.i18n")),
    path("sources/", include("apps.documents.urls")),
    path("", include("apps.core.urls")),
    path("", include("apps.chat.urls")),
]
