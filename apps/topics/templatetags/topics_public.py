"""``{% trending_panel %}``: what others ask, for the reader's page. Shows nothing until there is something to show."""

from __future__ import annotations

from typing import Any

from django import template

from apps.topics.publicity import panel_read

register = template.Library()


@register.inclusion_tag("topics/_trending.html")
def trending_panel() -> dict[str, Any]:
    """Return the stored panel; an empty one draws nothing. Its buttons belong to the page's form ``ask``."""
    panel = panel_read()
    return {"panel": panel if panel and panel.topics else None}
