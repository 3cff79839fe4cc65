"""Does a sentence go on behind the end of a column or page? A noun's capital says nothing, the words before it do."""

from __future__ import annotations

import re
from typing import Final

from apps.language.normalising import fold
from apps.language.stopwords import stop_words

# After these a sentence cannot end, not even an entry of a list, which has no full stop.
_ASKING: Final = (
    "der die das des dem den ein eine einer eines einem einen kein keine keiner keines keinem keinen und oder sowie als"
    " wie wenn dass ob für von vom zum zur im ins beim durch ohne gegen unsere unserer unseres unserem unseren ihre"
    " ihrer ihres ihrem ihren seine seiner seines seinem seinen diese dieser dieses diesem diesen jede jeder jedes"
    " jedem jeden alle aller allen a an the of and or to in for with from by at as that which our their"
)
_ASKS_FOR_MORE: Final = frozenset(_ASKING.split())
# Beginnings of sentences that look like nouns.
_NO_NOUN: Final = stop_words("de") | stop_words("en")
_ATTRIBUTE: Final = re.compile(r"[a-zäöüß]{2,}(?:e|er|es|em)|[a-zäöüß]+(?:lich|isch|bar|sam|end)en")
_LAST_WORD: Final = re.compile(r"([^\W\d_]+)$")
_FIRST_WORD: Final = re.compile(r"\W*([^\W\d_]+)")


def goes_on(before: str, after: str, *, in_list: bool = False) -> bool:
    """Say whether ``after`` continues the open sentence at the end of ``before``.

    ``before`` has no mark at its end (see ``Paragraph.is_open``), ``after`` begins with a capital. What stands in a
    list may end without a mark, so there only words that ask for more count.
    """
    if before.count("(") > before.count(")"):
        return True
    if before.endswith(","):
        return not in_list
    last, first = _LAST_WORD.search(before), _FIRST_WORD.match(after)
    if last is None or first is None or not last[1].islower():
        return False
    if last[1] in _ASKS_FOR_MORE:
        return True
    if in_list or fold(first[1]) in _NO_NOUN:
        return False
    return fold(last[1]) in _NO_NOUN or _ATTRIBUTE.fullmatch(last[1]) is not None
