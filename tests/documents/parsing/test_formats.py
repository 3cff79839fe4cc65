"""A file is what its content says; hostile and unknown files are refused with a reason."""

from __future__ import annotations

import struct
import zipfile

import pytest

from apps.documents.parsing.formats import Format, detect_format, parse
from apps.documents.parsing.limits import Limits
from apps.documents.parsing.types import ParsingError
from tests.documents.parsing.office_files import CONTENT_TYPES, docx, odf, paragraph, zipped

HTML = b"<!DOCTYPE html><html><body><p>Hallo</p></body></html>"
RSS = b'<?xml version="1.0"?><rss version="2.0"><channel><title>t</title></channel></rss>'
MAIL = b"From: desk@example.org\nSubject: Termin\nDate: Mon, 3 Feb 2025 10:00:00 +0100\n\nText"

DETECTED = {
    "PDF": ("a.pdf", b"%PDF-1.7\n...", "", Format.PDF),
    "PDF called DOCX": ("a.docx", b"%PDF-1.7\n...", "", Format.PDF),
    "PDF after leading bytes": ("a.pdf", b"\n\n%PDF-1.4", "", Format.PDF),
    "DOCX": ("a.docx", docx(paragraph("x")), "", Format.DOCX),
    "DOCX called PDF": ("a.pdf", docx(paragraph("x")), "", Format.DOCX),
    "ODT": ("a.odt", odf("text", ""), "", Format.ODT),
    "ODS called XLSX": ("a.xlsx", odf("spreadsheet", ""), "", Format.ODS),
    "HTML": ("a.html", HTML, "", Format.HTML),
    "HTML called PDF": ("a.pdf", HTML, "", Format.HTML),
    "HTML called Markdown": ("a.md", HTML, "", Format.HTML),
    "XHTML with declaration": ("a", b'<?xml version="1.0"?>' + HTML, "", Format.HTML),
    "HTML piece by its content type": ("a", b"<p>Hallo</p>", "text/html; charset=utf-8", Format.HTML),
    "feed": ("a", RSS, "", Format.FEED),
    "feed served as HTML": ("a.html", RSS, "text/html", Format.FEED),
    "Markdown by name": ("a.md", b"Nur Text", "", Format.MARKDOWN),
    "Markdown by content": ("a", b"# Titel\n\n## Punkt\n\nText", "", Format.MARKDOWN),
    "CSV by name": ("a.csv", b"a;b\n1;2", "", Format.CSV),
    "CSV by content type": ("download", b"a;b\n1;2", "text/csv", Format.CSV),
    "text": ("a.txt", "Grüße".encode("cp1252"), "", Format.PLAIN),
    "text called DOCX": ("a.docx", b"Nur Text", "", Format.PLAIN),
    "text in UTF-16": ("a.txt", "Grüße".encode("utf-16"), "", Format.PLAIN),
    "mail": ("a.eml", MAIL, "", Format.EML),
    "mail without its name": ("a", MAIL, "", Format.EML),
}


def compound(stream: str) -> bytes:
    """Return the smallest OLE container with one empty stream."""
    free, end, table = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9L", 0, 1, 1, 0, 4096, end, 0, end, 0) + struct.pack("<109L", 0, *[free] * 108)

    def entry(name: str, kind: int, child: int) -> bytes:
        written = name.encode("utf-16-le") + b"\0\0"
        fields = struct.pack("<HBBLLL", len(written), kind, 1, free, free, child)
        return written.ljust(64, b"\0") + fields + bytes(36) + struct.pack("<LQ", end, 0)

    sectors = struct.pack("<128L", table, end, *[free] * 126)
    return header + sectors + entry("Root Entry", 5, 1) + entry(stream, 2, free) + bytes(256)


REFUSED = {
    "encrypted Word file": ("a.docx", compound("EncryptedPackage"), "encrypted"),
    "old Word file, whole": ("a.doc", compound("WordDocument"), "unsupported"),
    "nothing": ("a.txt", b"", "empty"),
    "blanks only": ("a.txt", b" \n\t ", "empty"),
    "picture called PDF": ("a.pdf", b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, "unsupported"),
    "program": ("a.docx", b"MZ\x90\x00\x03\x00\x00\x00\x04" + bytes(range(256)) * 4, "unsupported"),
    "old Word file": ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "damaged"),
    "RTF": ("a.doc", b"{\\rtf1 text}", "unsupported"),
    "gzip": ("a.html", b"\x1f\x8b\x08" + b"\x00" * 20, "unsupported"),
    "JSON": ("a.json", b'{"a": 1}', "unsupported"),
    "other XML": ("a.xml", b'<?xml version="1.0"?><data/>', "unsupported"),
    "plain zip": ("a.docx", zipped({"a.txt": "x"}), "unsupported"),
    "presentation": ("a.pptx", zipped({"[Content_Types].xml": "<T/>", "ppt/p.xml": "<p/>"}), "unsupported"),
    "half a zip": ("a.docx", docx(paragraph("x"))[:300], "damaged"),
}


@pytest.mark.parametrize("case", DETECTED)
def test_content_decides(case: str):
    name, data, content_type, expected = DETECTED[case]
    assert detect_format(name, data, content_type) is expected


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_read_is_refused_with_a_sentence(case: str):
    name, data, code = REFUSED[case]
    with pytest.raises(ParsingError) as caught:
        parse(data, name=name)
    assert caught.value.code == code
    assert caught.value.reason.endswith(".")


def _many_parts() -> bytes:
    return zipped({"[Content_Types].xml": CONTENT_TYPES, **{f"word/{n}.xml": "" for n in range(50)}})


def _lying_sizes() -> bytes:
    """Return a DOCX whose directory claims one byte for a part that unfolds to three megabytes."""
    data = bytearray(zipped({"[Content_Types].xml": CONTENT_TYPES, "word/document.xml": b"<a/>" + b" " * 3_000_000}))
    place = data.rindex(b"PK\x01\x02")
    struct.pack_into("<I", data, place + 24, 1)
    return bytes(data)


BOMBS = {
    "ratio": (zipped({"[Content_Types].xml": CONTENT_TYPES, "word/document.xml": b" " * 5_000_000}), Limits()),
    "total": (
        zipped({"[Content_Types].xml": CONTENT_TYPES, "word/a.xml": bytes(range(256)) * 400}),
        Limits(max_uncompressed=50_000),
    ),
    "number of parts": (_many_parts(), Limits(max_members=20)),
    "archive inside": (zipped({"[Content_Types].xml": CONTENT_TYPES, "word/x.zip": b"PK"}), Limits()),
}


@pytest.mark.parametrize("case", BOMBS)
def test_bombs_are_refused_before_a_part_is_unpacked(case: str, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise AssertionError("A part was opened.")

    monkeypatch.setattr(zipfile.ZipFile, "open", refuse)
    data, limits = BOMBS[case]
    with pytest.raises(ParsingError) as caught:
        parse(data, name="a.docx", limits=limits)
    assert caught.value.code == "bomb"


def test_a_lying_directory_unfolds_nothing():
    with pytest.raises(ParsingError) as caught:
        parse(_lying_sizes(), name="a.docx")
    assert caught.value.code == "damaged"


def test_password_protected_parts_are_named_as_such():
    data = bytearray(docx(paragraph("x")))
    place = data.index(b"PK\x01\x02")
    data[place + 8] |= 1
    with pytest.raises(ParsingError) as caught:
        parse(bytes(data), name="a.docx")
    assert caught.value.code == "encrypted"


def test_an_encrypted_odt_is_named_as_such():
    manifest = "<manifest><encryption-data/></manifest>"
    data = zipped({"mimetype": "application/vnd.oasis.opendocument.text", "META-INF/manifest.xml": manifest})
    with pytest.raises(ParsingError) as caught:
        parse(data, name="a.odt")
    assert caught.value.code == "encrypted"


def test_a_file_above_the_limit_is_not_looked_at():
    with pytest.raises(ParsingError) as caught:
        parse(b"x" * 100, name="a.txt", limits=Limits(max_bytes=99))
    assert caught.value.code == "too_large"


def test_a_document_without_a_word_is_no_text():
    with pytest.raises(ParsingError) as caught:
        parse(docx(paragraph(" ")), name="a.docx")
    assert caught.value.code == "no_text"


def test_entities_are_not_unfolded():
    bomb = '<!DOCTYPE w [<!ENTITY a "aaaaaaaa">]><w:document xmlns:w="x"><w:body>&a;</w:body></w:document>'
    data = zipped({"[Content_Types].xml": CONTENT_TYPES, "word/document.xml": bomb})
    with pytest.raises(ParsingError) as caught:
        parse(data, name="a.docx")
    assert caught.value.code == "damaged"


def test_nesting_is_read_to_a_depth_and_then_damage():
    nested = "<w:sdt>" * 200 + paragraph("Ja") + "</w:sdt>" * 200
    assert [block.text for block in parse(docx(nested), name="a.docx").blocks] == ["Ja"]
    with pytest.raises(ParsingError) as caught:
        parse(docx("<w:x>" * 5000 + "</w:x>" * 5000), name="a.docx")
    assert caught.value.code == "damaged"
