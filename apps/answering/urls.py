"""Addresses of the desk's bench."""

from django.urls import path

from apps.answering.bench.views import bench_page, bench_run
from apps.answering.try_views import try_page, try_result

app_name = "answering"

urlpatterns = [
    # /admin/try/: the policy and the skin of the back office hold here
    path("", try_page, name="try"),
    path("result/", try_result, name="try_result"),
    path("answer/", bench_page, name="bench"),
    path("answer/run/", bench_run, name="bench_run"),
]
