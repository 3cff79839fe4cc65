"""What a file is, judged by its content, and the parser for it. Called by the child process and by tests."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from pathlib import PurePosixPath

from apps.documents.parsing.limits import Limits
from apps.documents.parsing.types import ParsedDocument, ParsingError


class Format(StrEnum):
    """A format that we parse."""

    PDF = "pdf"
    DOCX = "docx"
    ODT = "odt"
    ODS = "ods"
    XLSX = "xlsx"
    CSV = "csv"
    HTML = "html"
    MARKDOWN = "markdown"
    PLAIN = "plain"
    FEED = "feed"
    EML = "eml"
    MSG = "msg"


_PARSERS = {
    Format.PDF: ("apps.documents.parsing.pdf", "parse_pdf"),
    Format.DOCX: ("apps.documents.parsing.docx", "parse_docx"),
    Format.ODT: ("apps.documents.parsing.odt", "parse_odt"),
    Format.ODS: ("apps.documents.parsing.ods", "parse_ods"),
    Format.XLSX: ("apps.documents.parsing.workbook", "parse_xlsx"),
    Format.CSV: ("apps.documents.parsing.delimited", "parse_csv"),
    Format.HTML: ("apps.documents.parsing.html", "parse_html"),
    Format.MARKDOWN: ("apps.documents.parsing.markdown", "parse_markdown"),
    Format.PLAIN: ("apps.documents.parsing.plain", "parse_plain"),
    Format.FEED: ("apps.documents.parsing.feeds", "parse_feed_document"),
    Format.EML: ("apps.documents.parsing.mail", "parse_eml"),
    Format.MSG: ("apps.documents.parsing.mail", "parse_msg"),
}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_REFUSED_STARTS = (
    (b"{\\rtf", "RTF files are not read. Please save the file as DOCX."),
    (b"\x89PNG", "This is a picture. Please upload a document with text."),
    (b"\xff\xd8\xff", "This is a picture. Please upload a document with text."),
    (b"GIF8", "This is a picture. Please upload a document with text."),
    (b"\x1f\x8b", "This is a packed archive. Please unpack it first."),
    (b"7z\xbc\xaf", "This is a packed archive. Please unpack it first."),
    (b"Rar!", "This is a packed archive. Please unpack it first."),
    (b"%!PS", "PostScript files are not read. Please save the file as PDF."),
)
_UNKNOWN = "This kind of file is not read."
_TEXT_BY_SUFFIX = {
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".csv": Format.CSV,
    ".tsv": Format.CSV,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".xhtml": Format.HTML,
    ".eml": Format.EML,
    ".txt": Format.PLAIN,
    ".text": Format.PLAIN,
}
_TEXT_BY_TYPE = {
    "text/markdown": Format.MARKDOWN,
    "text/csv": Format.CSV,
    "text/tab-separated-values": Format.CSV,
    "text/html": Format.HTML,
    "application/xhtml+xml": Format.HTML,
    "message/rfc822": Format.EML,
}
_XML_START = re.compile(r"\s*(?:<\?xml\b[^>]*>|<!--.*?-->|<\?[^>]*>|\s)*", re.DOTALL)
_HTML_START = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_FEED_START = re.compile(r"<(?:rss|feed|rdf:RDF)\b", re.IGNORECASE)
_HTML_TAG = re.compile(r"</?(?:p|div|h[1-6]|ul|ol|li|table|tr|td|br|a|span|article|section|img)\b[^>]*>", re.IGNORECASE)
_MAIL_HEADER = re.compile(
    r"(?:From|To|Subject|Date|MIME-Version|Received|Return-Path|Message-ID|Content-Type):\s", re.I
)
_MARKDOWN_SIGN = re.compile(r"^(?:#{1,6} \S|\|? *:?-{3,}:? *\||```|\[[^\]]+\]\(\S+\))", re.MULTILINE)
_PRINTED_BOM = "\ufeff"


def parse(
    data: bytes, *, name: str, content_type: str = "", crawled: bool = False, limits: Limits | None = None
) -> ParsedDocument:
    """Return the parsed document. Raises ParsingError; a document without any text is ``no_text``.

    ``crawled`` marks a web page with menus and teasers around its text: only the main text is kept.
    """
    limits = limits or Limits()
    if len(data) > limits.max_bytes:
        raise ParsingError("too_large", f"The file is larger than {limits.max_bytes // 1024 // 1024} MB.")
    kind = detect_format(name, data, content_type, limits=limits)
    module, function = _PARSERS[kind]
    parser: Callable[..., ParsedDocument] = getattr(importlib.import_module(module), function)
    facts = {"crawled": crawled, "content_type": content_type} if kind is Format.HTML else {}
    try:
        document = parser(data, name=name, **facts)
    except RecursionError as error:
        raise ParsingError("damaged", "The file is nested too deeply.") from error
    if len(document.pages) > limits.max_pages:
        raise ParsingError("too_many_pages", f"The document has more than {limits.max_pages} pages.")
    if len(document.blocks) > limits.max_blocks:
        raise ParsingError("too_large", f"The document has more than {limits.max_blocks} paragraphs. Please split it.")
    blocks = tuple(block for block in document.blocks if block.text.strip())
    if not blocks:
        raise ParsingError("no_text", "No text was found in the file.")
    return document if len(blocks) == len(document.blocks) else replace(document, blocks=blocks)


def detect_format(name: str, data: bytes, content_type: str = "", *, limits: Limits | None = None) -> Format:
    """Return what the content is; name and content type only decide between kinds of text.

    Raises ParsingError: ``empty``, ``unsupported``, ``encrypted``, or ``bomb`` for a hostile container.
    """
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        raise ParsingError("empty", "The file is empty.")
    head = data[:1024]
    if b"%PDF-" in head:
        return Format.PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _container_format(data, limits)
    if head.startswith(_OLE):
        return _compound_format(data)
    for start, reason in _REFUSED_STARTS:
        if head.startswith(start):
            raise ParsingError("unsupported", reason)
    return _text_format(name, data, content_type)


def _container_format(data: bytes, limits: Limits | None) -> Format:
    from apps.documents.parsing.archives import open_archive, read_member

    archive = open_archive(data, limits)
    mimetype = read_member(archive, "mimetype") or b""
    for ending, kind in ((b"opendocument.text", Format.ODT), (b"opendocument.spreadsheet", Format.ODS)):
        if ending in mimetype[:200]:
            if b"encryption-data" in (read_member(archive, "META-INF/manifest.xml") or b""):
                raise ParsingError("encrypted", "The file is protected by a password. Please save it without one.")
            return kind
    names = archive.namelist()
    if "[Content_Types].xml" in names:
        for folder, kind in (("word/", Format.DOCX), ("xl/", Format.XLSX)):
            if any(member.startswith(folder) for member in names):
                return kind
    raise ParsingError("unsupported", "This is an archive or a kind of office file that is not read.")


def _compound_format(data: bytes) -> Format:
    import io

    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as compound:
            if compound.exists("EncryptedPackage") or compound.exists("EncryptionInfo"):
                raise ParsingError("encrypted", "The file is protected by a password. Please save it without one.")
            if compound.exists("__properties_version1.0"):
                return Format.MSG
    except (OSError, ValueError, IndexError) as error:
        raise ParsingError("damaged", "The file is damaged: its parts cannot be read.") from error
    raise ParsingError("unsupported", "Old Word and Excel files are not read. Please save the file as DOCX or XLSX.")


def _text_format(name: str, data: bytes, content_type: str) -> Format:
    from apps.documents.parsing.decoding import declared_charset, decode

    _refuse_binary(data)
    sample = decode(data[:65536], charset=declared_charset(data, content_type)).lstrip(_PRINTED_BOM)
    start = _XML_START.match(sample)
    opening = sample[start.end() if start else 0 :]
    if _HTML_START.match(opening):
        return Format.HTML
    if _FEED_START.match(opening):
        return Format.FEED
    if sample.lstrip().startswith("<?xml"):
        raise ParsingError("unsupported", "XML files of this kind are not read.")
    suffix = PurePosixPath(name.lower().replace("\\", "/")).suffix
    hint = _TEXT_BY_SUFFIX.get(suffix) or _TEXT_BY_TYPE.get(content_type.partition(";")[0].strip().lower())
    if suffix in (".json", ".js", ".css", ".py", ".svg") or "json" in content_type:
        raise ParsingError("unsupported", _UNKNOWN)
    return _kind_of_text(sample, hint)


def _refuse_binary(data: bytes) -> None:
    sample = data[:65536]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    controls = len(sample) - len(sample.translate(None, bytes(range(1, 9)) + bytes(range(14, 27)) + b"\x7f\x00"))
    # A stray control character in a text is cleaned away; a file full of them is no text.
    if controls > max(2, len(sample) // 100):
        raise ParsingError("unsupported", _UNKNOWN)


def _kind_of_text(sample: str, hint: Format | None) -> Format:
    lines = [line for line in sample.splitlines()[:30] if line.strip()]
    headers = 0
    for line in lines:
        if not _MAIL_HEADER.match(line) and not line[0].isspace():
            break
        headers += bool(_MAIL_HEADER.match(line))
    if headers >= 3 or (hint is Format.EML and headers):
        return Format.EML
    tags = len(_HTML_TAG.findall(sample))
    if hint is Format.HTML:
        return Format.HTML if tags else Format.PLAIN
    if hint in (Format.MARKDOWN, Format.CSV):
        return hint
    if sample.lstrip().startswith("<") and tags >= 3:
        return Format.HTML
    if hint is None and len(_MARKDOWN_SIGN.findall(sample)) >= 2:
        return Format.MARKDOWN
    return Format.PLAIN
