"""Opens the container, finds its parts by their relations and puts the parsed document together."""

from __future__ import annotations

import posixpath
import zipfile

from lxml import etree

from apps.documents.parsing.archives import local_attribute, local_child, local_name, open_archive, read_xml
from apps.documents.parsing.cleaning import squeeze
from apps.documents.parsing.docx.numbering import Numbering
from apps.documents.parsing.docx.runs import Surroundings
from apps.documents.parsing.docx.styles import Styles, is_dark_colour
from apps.documents.parsing.docx.walker import DocxWalker
from apps.documents.parsing.html import hidden_warnings
from apps.documents.parsing.types import BlockKind, ParsedDocument, ParsingError


def parse_docx(data: bytes, *, name: str = "") -> ParsedDocument:
    """Return the body with text boxes, notes and list numbers. Raises ParsingError ``damaged`` or ``bomb``."""
    archive = open_archive(data)
    main = _main_part(archive)
    root = read_xml(archive, main)
    body = local_child(root, "body")
    if body is None:
        raise ParsingError("damaged", "The file is damaged: it has no text part.")
    styles = Styles(_related(archive, main, "styles"))
    walker = DocxWalker(
        styles=styles,
        numbering=Numbering(_related(archive, main, "numbering"), styles),
        notes=_notes(_related(archive, main, "footnotes"), "footnote")
        | _notes(_related(archive, main, "endnotes"), "endnote"),
    )
    ground = local_attribute(local_child(root, "background"), "color") or ""
    blocks = tuple(walker.walk(body, Surroundings(is_dark=is_dark_colour(ground))))
    core = _core_facts(archive)
    first = next((block.text for block in blocks if block.kind is BlockKind.HEADING), "")
    return ParsedDocument(
        blocks,
        title=core.get("title") or walker.title or first,
        author=core.get("creator", ""),
        # Neither the template's language nor the day the file was made says anything about the text.
        language=core.get("language", "").split("-")[0].lower(),
        warnings=hidden_warnings(tuple(walker.hidden)),
        hidden=tuple(walker.hidden),
    )


def _main_part(archive: zipfile.ZipFile) -> str:
    relations = read_xml(archive, "_rels/.rels")
    for relation in relations if relations is not None else ():
        if (relation.get("Type") or "").endswith("/officeDocument"):
            return (relation.get("Target") or "").lstrip("/")
    return "word/document.xml"


def _related(archive: zipfile.ZipFile, main: str, kind: str) -> etree._Element | None:
    folder, file = posixpath.split(main)
    relations = read_xml(archive, f"{folder}/_rels/{file}.rels")
    for relation in relations if relations is not None else ():
        is_wanted = (relation.get("Type") or "").endswith(f"/{kind}") and relation.get("TargetMode") != "External"
        if is_wanted:
            target = relation.get("Target") or ""
            path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            return read_xml(archive, path)
    return None


def _notes(root: etree._Element | None, kind: str) -> dict[tuple[str, str], etree._Element]:
    found = {}
    for note in root if root is not None else ():
        if local_name(note) == kind and local_attribute(note, "type") in (None, "normal"):
            found[(kind, local_attribute(note, "id") or "")] = note
    return found


def _core_facts(archive: zipfile.ZipFile) -> dict[str, str]:
    root = read_xml(archive, "docProps/core.xml")
    return {local_name(part): squeeze(part.text or "") for part in root} if root is not None else {}
