"""E-mails: subject, visible body, attachments named."""

from __future__ import annotations

from datetime import date
from email.message import EmailMessage
from pathlib import Path

import pytest

from apps.documents.parsing.mail import parse_eml, parse_msg
from apps.documents.parsing.types import BlockKind, ParsingError


def message() -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Pressestelle <presse@example.org>"
    mail["Subject"] = "Grüße zur Wahl"
    mail["Date"] = "Fri, 31 Jan 2025 10:00:00 +0100"
    mail.set_content("Nur Text.")
    return mail


def test_a_plain_mail():
    document = parse_eml(message().as_bytes())
    assert [(block.kind, block.text) for block in document.blocks] == [
        (BlockKind.HEADING, "Grüße zur Wahl"),
        (BlockKind.PARAGRAPH, "Nur Text."),
    ]
    assert (document.author, document.published) == ("Pressestelle", date(2025, 1, 31))


def test_the_html_body_is_read_as_a_reader_sees_it():
    mail = message()
    mail.add_alternative("<p>Schön <span style='display:none'>Nein</span>hier.</p>", subtype="html")
    mail.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="Programm.pdf")
    document = parse_eml(mail.as_bytes())
    assert document.blocks[1].text == "Schön hier."
    assert document.hidden == ("Nein",)
    assert "The attachment “Programm.pdf” was not read." in document.warnings


def test_an_unknown_charset_is_no_crash():
    raw = b"Subject: x\nContent-Type: text/plain; charset=x-none\n\nGr\xfc\xdfe."
    assert parse_eml(raw).blocks[1].text == "Grüße."


def test_a_broken_outlook_file_is_damaged():
    with pytest.raises(ParsingError) as caught:
        parse_msg(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 3000)
    assert caught.value.code == "damaged"


def test_outlook_files_are_read(data_sets: Path):
    document = parse_msg((data_sets / "parser-fixtures/email/sources/msg_with_attachment.msg").read_bytes())
    assert document.title
    assert any("was not read" in warning for warning in document.warnings)
