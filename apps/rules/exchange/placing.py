"""What is wrong with the tree that a file would make, before anything is saved. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.rules.serialising import RuleFormatError, gettext_noop
from apps.rules.types import MOST_LEVELS


@dataclass(frozen=True, slots=True)
class Node:
    """A rule of a file: its row and the rule that it stands below; ``has_parent`` says whether the file names one."""

    number: int
    uid: str
    parent: str | None = None
    has_parent: bool = True


def tree_errors(nodes: Sequence[Node], stored: Mapping[str, str | None]) -> dict[int, RuleFormatError]:
    """Return what is wrong, by row: no uid, twins, a missing parent, cycles, too many levels.

    ``stored`` maps every rule of the desk to its parent.
    """
    errors: dict[int, RuleFormatError] = {}
    rows: dict[str, int] = {}
    for node in nodes:
        if not node.uid:
            errors[node.number] = RuleFormatError(gettext_noop("The rule has no “uid”."), field="uid")
        elif node.uid in rows:
            twins = {"uid": node.uid, "first": rows[node.uid], "second": node.number}
            sentence = gettext_noop("Rows %(first)s and %(second)s are both the rule “%(uid)s”.")
            for number in (rows[node.uid], node.number):
                errors.setdefault(number, RuleFormatError(sentence, field="uid", **twins))
        else:
            rows[node.uid] = node.number
    parents = _parents(nodes, stored)
    for node in nodes:
        error = None if node.number in errors else _place_error(node, parents, rows)
        if error:
            errors[node.number] = error
    return errors


def _parents(nodes: Sequence[Node], stored: Mapping[str, str | None]) -> dict[str, str | None]:
    named = {node.uid: node.parent for node in nodes if node.has_parent}
    return {**{node.uid: None for node in nodes}, **stored, **named}


def _path(uid: str, parents: Mapping[str, str | None]) -> list[str]:
    """Return the rules from this one up; ends where a rule comes a second time, which is then the last."""
    path = [uid]
    while (parent := parents.get(path[-1])) is not None:
        path.append(parent)
        if parent in path[:-1]:
            break
    return path


def _place_error(node: Node, parents: Mapping[str, str | None], rows: Mapping[str, int]) -> RuleFormatError | None:
    path = _path(node.uid, parents)
    if path[-1] not in parents and len(path) == 2:
        sentence = gettext_noop("There is no rule “%(parent)s” to stand below, neither on the desk nor in this file.")
        return RuleFormatError(sentence, field="parent", parent=path[-1])
    if path[-1] in path[:-1]:
        circle = path[path.index(path[-1]) :]
        numbers = ", ".join(str(number) for number in sorted({rows[uid] for uid in circle if uid in rows}))
        sentence = gettext_noop("A rule cannot stand below itself: %(circle)s (rows: %(rows)s).")
        return RuleFormatError(sentence, field="parent", circle=" › ".join(circle), rows=numbers)
    if len(path) > MOST_LEVELS:
        sentence = gettext_noop("A tree of rules has at most %(most)s levels. Choose a rule further up.")
        return RuleFormatError(sentence, field="parent", most=MOST_LEVELS)
    return None
