"""The back office's menu and colours. Later work adds its entries here."""

from __future__ import annotations

from typing import Any

from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


def _link(title: Promise, icon: str, model: str, permission: str) -> dict[str, object]:
    """Return the list of a model as one line of the back office's menu, shown to those who may open it."""
    return _page(title, icon, f"admin:{model}_changelist", permission)


def _page(title: Promise, icon: str, name: str, permission: str) -> dict[str, object]:
    """Return any page by the name of its address as one line of the menu."""
    link = reverse_lazy(name)
    return {
        "title": title,
        "icon": icon,
        "link": link,
        "active": lambda request: _is_here(request.path, str(link)),
        "permission": lambda request: request.user.has_perm(permission),
    }


def _is_here(path: str, link: str) -> bool:
    """Say whether a page lies under this entry and under none that leads closer to it: one entry is marked, not two."""
    links = [str(item["link"]) for group in UNFOLD["SIDEBAR"]["navigation"] for item in group["items"]]
    return path.startswith(link) and not any(path.startswith(other) and len(other) > len(link) for other in links)


_STEPS = ("50", "100", "200", "300", "400", "500", "600", "700", "800", "900", "950")

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Wegweiser",
    "SITE_HEADER": "Wegweiser",
    "SITE_SYMBOL": "signpost",
    "SITE_URL": "/",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("icon.svg")},
    ],
    "SHOW_HISTORY": True,
    "SHOW_LANGUAGES": True,
    "STYLES": [lambda request: static("css/tokens.css"), lambda request: static("css/desk.css")],
    # All from static/css/tokens.css, like the public pages.
    "BORDER_RADIUS": "var(--radius)",
    "COLORS": {
        "base": {step: f"var(--neutral-{step})" for step in _STEPS},
        "primary": {step: f"var(--brand-{step})" for step in _STEPS},
        "font": {
            "subtle-light": "var(--neutral-600)",
            "subtle-dark": "var(--neutral-400)",
            "default-light": "var(--neutral-700)",
            "default-dark": "var(--neutral-300)",
            "important-light": "var(--neutral-950)",
            "important-dark": "var(--neutral-100)",
        },
    },
    # In the order of a day at the desk.
    "SIDEBAR": {
        "navigation": [
            {
                "title": _("Rules for answers"),
                "items": [
                    _link(_("Rules"), "account_tree", "rules_rule", "rules.view_rule"),
                    _page(_("Try a question"), "quiz", "answering:bench", "answering.view_bench"),
                    _page(_("Try the rules"), "rule", "answering:try", "rules.view_rule"),
                    _link(_("Releases"), "publish", "rules_release", "rules.view_release"),
                    _link(_("Backtests"), "compare_arrows", "rules_backtest", "rules.view_backtest"),
                    _link(_("Protected terms"), "shield", "rules_protectedterm", "rules.view_protectedterm"),
                    _link(
                        _("Settings of answers"), "tune", "answering_answersettings", "answering.view_answersettings"
                    ),
                ],
            },
            {
                "title": _("Sources of answers"),
                "items": [
                    _link(_("Documents"), "description", "documents_document", "documents.view_document"),
                    _link(_("Collections"), "shelves", "documents_collection", "documents.view_collection"),
                    _link(_("Parties"), "groups", "documents_party", "documents.view_party"),
                    _link(_("Feeds"), "rss_feed", "documents_feed", "documents.view_feed"),
                    _link(_("Curated links"), "bookmark", "documents_curatedlink", "documents.view_curatedlink"),
                ],
            },
            {
                "title": _("Question builder"),
                "items": [
                    _link(_("Buttons"), "smart_button", "chat_facet", "chat.view_facet"),
                    _link(_("Templates"), "dynamic_form", "chat_buildertemplate", "chat.view_buildertemplate"),
                    _link(_("Checked combinations"), "rule", "chat_builderpair", "chat.view_builderpair"),
                ],
            },
            {
                "title": _("The page for readers"),
                "items": [
                    _link(_("Suggested questions"), "lightbulb", "chat_suggestion", "chat.view_suggestion"),
                    _link(_("Shared answers"), "share", "chat_sharedanswer", "chat.view_sharedanswer"),
                    _link(_("Sections of “How it works”"), "help", "chat_guidesection", "chat.view_guidesection"),
                ],
            },
            {
                "title": _("What readers ask"),
                "items": [
                    _page(_("Overview of topics"), "monitoring", "admin:topics_overview", "topics.view_topic"),
                    _link(_("Topics"), "topic", "topics_topic", "topics.view_topic"),
                    {
                        **_link(_("Gaps"), "troubleshoot", "topics_gap", "topics.view_gap"),
                        "badge": "apps.topics.services.gaps.open_label",
                        "badge_variant": "warning",
                    },
                    {
                        **_link(_("Proposals to merge"), "merge", "topics_mergeproposal", "topics.view_topic"),
                        "badge": "apps.topics.services.merging.open_merges_label",
                        "badge_variant": "info",
                    },
                    _page(_("Map of the topics"), "scatter_plot", "admin:topics_map", "topics.view_topic"),
                    _page(_("Parties and topics"), "grid_on", "admin:topics_parties", "topics.view_topic"),
                    _page(_("Quality of questions"), "checklist", "admin:topics_quality", "topics.view_topic"),
                    _link(_("Topic runs"), "cycle", "topics_topicrun", "topics.view_topicrun"),
                    _link(_("Questions and answers"), "forum", "querylog_turn", "querylog.view_turn"),
                    {
                        **_link(_("Handed to the desk"), "inbox", "querylog_handover", "querylog.view_handover"),
                        "badge": "apps.querylog.handing_over.waiting_label",
                        "badge_variant": "info",
                    },
                    _page(_("Who is asked about"), "groups", "admin:querylog_turn_mentions", "querylog.view_turn"),
                    _link(
                        _("Feedback on answers"),
                        "thumbs_up_down",
                        "querylog_answerfeedback",
                        "querylog.view_answerfeedback",
                    ),
                    _link(_("Reported sentences"), "report", "querylog_sentencereport", "querylog.view_sentencereport"),
                    _link(_("Reported sources"), "report", "querylog_sourcereport", "querylog.view_sourcereport"),
                    _link(_("Who has read words"), "visibility", "querylog_accessentry", "querylog.view_accessentry"),
                ],
            },
            {
                "title": _("Quality"),
                "items": [
                    _link(_("Question sets"), "checklist", "evaluation_questionset", "evaluation.view_questionset"),
                    _link(_("Evaluation runs"), "speed", "evaluation_evaluationrun", "evaluation.view_evaluationrun"),
                ],
            },
            {
                "title": _("Users and groups"),
                "items": [
                    _link(_("Users"), "person", "auth_user", "auth.view_user"),
                    _link(_("Groups"), "badge", "auth_group", "auth.view_group"),
                ],
            },
        ]
    },
}
