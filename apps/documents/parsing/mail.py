"""E-mails: EML by the standard library, MSG by python-oxmsg. Attachments are named, not read."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from email.utils import parseaddr, parsedate_to_datetime

from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.html import hidden_warnings, html_tree
from apps.documents.parsing.htmlwalk import walk_html
from apps.documents.parsing.plain import parse_plain
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument, ParsingError


def parse_eml(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return subject and body of an e-mail; the HTML body where there is one."""
    message = message_from_bytes(data, policy=policy.default)
    if not isinstance(message, EmailMessage):
        raise ParsingError("damaged", "The e-mail cannot be read.")
    body = message.get_body(preferencelist=("html", "plain"))
    text, is_html = "", False
    if body is not None:
        text, is_html = _part_text(body), body.get_content_subtype() == "html"
    return _document(
        subject=_header(message, "subject"),
        sender=_header(message, "from"),
        sent=_sent(_header(message, "date")),
        text=text,
        is_html=is_html,
        attachments=[part.get_filename() or "" for part in message.iter_attachments()],
    )


def parse_msg(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return subject and body of an Outlook message. Raises ParsingError ``damaged``."""
    from oxmsg import Message

    try:
        message = Message.load(io.BytesIO(data))
        sent = message.sent_date
        return _document(
            subject=message.subject or "",
            sender=message.sender or "",
            sent=sent.date() if isinstance(sent, datetime) else None,
            text=message.body or message.html_body or "",
            is_html=not message.body and bool(message.html_body),
            attachments=[attachment.file_name or "" for attachment in message.attachments],
        )
    except (OSError, ValueError, KeyError, IndexError, AttributeError, TypeError) as error:
        raise ParsingError("damaged", "The Outlook message cannot be read.") from error


def _document(
    *, subject: str, sender: str, sent: date | None, text: str, is_html: bool, attachments: Sequence[str]
) -> ParsedDocument:
    title = squeeze(subject)
    blocks = [Block(BlockKind.HEADING, title, level=1)] if title else []
    hidden: tuple[str, ...] = ()
    if is_html and text.strip():
        walker = walk_html(html_tree(text))
        blocks.extend(walker.blocks)
        hidden = tuple(walker.hidden)
    elif text.strip():
        blocks.extend(parse_plain(text.encode("utf-8", "replace")).blocks)
    notes = tuple(f"The attachment “{squeeze(file)}” was not read." for file in attachments)
    return ParsedDocument(
        tuple(blocks),
        title=title,
        author=squeeze(parseaddr(sender)[0] or parseaddr(sender)[1]),
        published=sent,
        warnings=hidden_warnings(hidden) + notes,
        hidden=hidden,
    )


def _header(message: EmailMessage, name: str) -> str:
    try:
        return str(message.get(name) or "")
    except (IndexError, ValueError, AttributeError, TypeError, LookupError):
        # The standard library's header parser gives way on broken headers; the text as written will do.
        return next((value for key, value in message.raw_items() if key.lower() == name), "")


def _part_text(part: MIMEPart) -> str:
    try:
        content = part.get_content()
    except (LookupError, UnicodeError, ValueError):
        payload = part.get_payload(decode=True)
        return payload.decode("cp1252", "replace") if isinstance(payload, bytes) else ""
    return content if isinstance(content, str) else ""


def _sent(text: str) -> date | None:
    try:
        return parsedate_to_datetime(text).date() if text else None
    except (ValueError, TypeError):
        return None
