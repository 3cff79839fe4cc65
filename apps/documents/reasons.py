"""Why a file or an address was not taken in, in the language of whoever looks. Stored reasons are English."""

from __future__ import annotations

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

# By code: what parsing, fetching, indexing and the services say (they keep the exact sentence in English).
REASONS = {
    "empty": _("The file is empty."),
    "encrypted": _("The file is protected by a password. Please save it without one."),
    "damaged": _("The file is damaged or has a form that is not known. Please save it again and try once more."),
    "unsupported": _("This kind of file is not read. Please save it as PDF, DOCX or text."),
    "scanned": _("The file holds pictures of pages and no text. It needs text recognition first."),
    "too_large": _("The file is too large."),
    "too_many_pages": _("The document has too many pages. Please split it."),
    "bomb": _("The file grows beyond measure when it is unpacked and was not read."),
    "timeout": _("It took too long and was stopped."),
    "memory": _("The file needs more memory than one file may use."),
    "crashed": _("The file made the parser crash. Please save it again and try once more."),
    "no_text": _("No text was found in the file."),
    "storage": _("The stored file is gone or damaged. Please upload it again."),
    "embedding": _("The embedder refused the text. The operator finds the reason in the log."),
    "unavailable": _("The embedder or the database did not answer for a long time. Index the document again later."),
    "failed": _("Reading failed for a reason that was not foreseen. The operator finds it in the log."),
    "review": _("An editor found the recognised text not good enough."),
    "bad_address": _("This is not a web address that can be fetched."),
    "scheme": _("Only addresses that begin with https:// or http:// are fetched."),
    "port": _("Only the usual ports 80 and 443 are fetched from."),
    "private": _("The address does not lead to the public internet and is not fetched."),
    "status": _("The site did not give out the page. Check the address in your browser."),
    "unresolved": _("There is no site of this name."),
    "unreachable": _("The site cannot be reached."),
    "tls": _("No secure connection to the site was possible."),
    "protocol": _("The site broke off or did not answer properly."),
    "redirects": _("The address redirects too often."),
    "encoding": _("The site sends the page in a way that is not read."),
}

# By kind (language.orders.OrderKind): why a passage waits for an editor.
SUSPICIONS = {
    "override": _("It tells a machine to forget what it was told."),
    "address": _("It speaks to an assistant instead of to readers."),
    "role": _("It tells a machine to be somebody else."),
    "say": _("It tells a machine what to answer."),
    "leak": _("It asks a machine for its own instructions."),
    "marker": _("It holds marks that only machines write."),
    "code": _("It holds a script, or a link that would carry something away."),
}


def explain(code: str, reason: str) -> str:
    """Return the exact sentence to whoever reads English, else the sentence for its code."""
    if (get_language() or "").startswith("en"):
        return reason
    return str(REASONS.get(code, reason))
