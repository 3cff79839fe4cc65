"""Builds small office files for the tests of this folder."""

from __future__ import annotations

import io
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
CONTENT_TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


def zipped(members: dict[str, str | bytes], *, level: int = 6) -> bytes:
    """Return a zip container with these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def docx(
    body: str, *, styles: str = "", numbering: str = "", footnotes: str = "", before: str = "", namespace: str = W
) -> bytes:
    """Return a DOCX with this body and ``before`` in front; ``styles`` and so on are the inner XML of their parts."""

    def part(tag: str, inner: str) -> str:
        return f'<w:{tag} xmlns:w="{namespace}" xmlns:mc="{MC}" xmlns:wps="{WPS}">{inner}</w:{tag}>'

    parts = {"styles": styles, "numbering": numbering, "footnotes": footnotes}
    relations = "".join(
        f'<Relationship Id="r{kind}" Type="{REL}/{kind}" Target="{kind}.xml"/>' for kind in parts if parts[kind]
    )
    root = f'<Relationship Id="r1" Type="{REL}/officeDocument" Target="word/document.xml"/>'
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}">{root}</Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}">{relations}</Relationships>',
        "word/document.xml": part("document", f"{before}<w:body>{body}</w:body>"),
    }
    for kind, inner in parts.items():
        if inner:
            members[f"word/{kind}.xml"] = part(kind, inner)
    return zipped(members)


def paragraph(text: str, *, properties: str = "", run: str = "") -> str:
    """Return a DOCX paragraph with one run."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def odf(kind: str, body: str, *, styles: str = "") -> bytes:
    """Return an ODT (``kind`` "text") or ODS ("spreadsheet")."""
    names = "".join(
        f' xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in (
            ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("draw", "drawing"),
            ("fo", "xsl-fo-compatible"),
        )
    )  # fmt: skip
    content = (
        f"<office:document-content{names}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    return zipped({"mimetype": f"application/vnd.oasis.opendocument.{kind}", "content.xml": content})
