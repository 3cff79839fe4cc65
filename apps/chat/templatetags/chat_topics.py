"""What readers ask these days, from the app that publishes it; nothing where there is none, or while it fails."""

from __future__ import annotations

import logging

from django import template
from django.template import Context, Engine
from django.template.exceptions import TemplateSyntaxError

register = template.Library()
logger = logging.getLogger(__name__)
_PANEL = "{% load topics_public %}{% trending_panel %}"


@register.simple_tag(takes_context=True)
def trending(context: Context) -> str:
    """Show the panel of the tag library ``topics_public``, if an app provides it."""
    engine = Engine.get_default()
    if "topics_public" not in engine.template_libraries and "topics_public" not in engine.libraries:
        return ""
    try:
        return engine.from_string(_PANEL).render(context)
    except TemplateSyntaxError:
        logger.exception("The panel of topics cannot be shown.")
        return ""
