"""People at the desk and a small tree for the tests of its pages."""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from django.test import Client

from apps.rules.models import Rule
from apps.rules.services import rule_save
from apps.rules.types import Phrase, RuleSpec

LIST = "/admin/rules/rule/"
ARRANGE = f"{LIST}arrange/"
REVIEW = "/admin/rules/release/review/"
# What somebody may type into an address or send by hand.
HOSTILE = [
    "\x00",
    "%00",
    "%ED%A0%80",
    "'; DROP TABLE rules_rule; --",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "-1",
    "0",
    "9" * 400,
    "١٢٣",
    "ä" * 5_000,
    "%s%s%(x)s{}",
    "\\",
    "🙂",
]


def member(client: Client, *groups: str) -> Client:
    """Log somebody of these groups in and return the client."""
    user, _ = User.objects.get_or_create(username="-".join(groups) or "nobody", is_staff=True)
    user.groups.set(Group.objects.filter(name__in=groups))
    client.force_login(user)
    return client


def save(uid: str, **fields: object) -> Rule:
    """Save a rule with a phrase of its own, or as the fields say."""
    spec = RuleSpec(uid=uid, **{"title": uid.title(), "phrases": (Phrase(f"Frage {uid}"),), **fields})  # type: ignore[arg-type]
    return rule_save(spec=spec, author=None)


def small_tree() -> None:
    """Two roots, the first a folder with two rules, of which one has another below it."""
    save("voting", title="Rund um die Wahl", phrases=(), position=1)
    save("parties", title="Parteien", position=2)
    save("postal", title="Briefwahl", parent="voting", phrases=(Phrase("Wie beantrage ich Briefwahl?"),), position=1)
    save("date", title="Wahltermin", parent="voting", position=2, tags=("service",))
    save("abroad", title="Aus dem Ausland", parent="postal", phrases=(Phrase("Briefwahl aus München im Ausland"),))


def places() -> dict[str, list[str]]:
    """Return the order of the rules below each parent."""
    found: dict[str, list[str]] = {}
    for uid, parent in Rule.objects.order_by("position", "uid").values_list("uid", "parent__uid"):
        found.setdefault(parent or "", []).append(uid)
    return found
