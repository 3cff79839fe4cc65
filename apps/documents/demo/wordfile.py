"""Write a demo document as DOCX with heading styles of a German Word, numbered lists, tables, head and foot."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_FIXED_TIME = (2026, 11, 1, 0, 0, 0)
_BULLETS, _NUMBERS = 1, 2


def write_docx(markdown: str, *, title: str, author: str) -> bytes:
    """Return the DOCX of a Markdown text: headings, paragraphs, lists, tables; inline marks are not read."""
    tokens = MarkdownIt().enable("table").parse(markdown)
    body, numbered_lists = _body(tokens)
    parts = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations(
            ("officeDocument", "word/document.xml"), ("metadata/core-properties", "docProps/core.xml")
        ),
        "docProps/core.xml": _core(title, author),
        "word/document.xml": _document(body),
        "word/_rels/document.xml.rels": _relations(
            ("styles", "styles.xml"),
            ("numbering", "numbering.xml"),
            ("header", "header1.xml"),
            ("footer", "footer1.xml"),
        ),
        "word/styles.xml": _styles(),
        "word/numbering.xml": _numbering(numbered_lists),
        "word/header1.xml": f'{_HEAD}<w:hdr xmlns:w="{_WORD}">{_paragraph(f"{author} · {title}")}</w:hdr>',
        "word/footer1.xml": f'{_HEAD}<w:ftr xmlns:w="{_WORD}">{_page_number()}</w:ftr>',
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _FIXED_TIME), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _body(tokens: Sequence[Token]) -> tuple[str, int]:
    """Return the body's XML and how many numbered lists it holds (each restarts at 1, so each needs its own id)."""
    parts: list[str] = []
    lists: list[int] = []
    numbered, style, row, rows = 0, "", [""], [""]
    for token in tokens:
        match token.type:
            case "heading_open":
                style = f"berschrift{token.tag[1]}"
            case "bullet_list_open":
                lists.append(_BULLETS)
            case "ordered_list_open":
                numbered += 1
                lists.append(_NUMBERS + numbered - 1)
            case "bullet_list_close" | "ordered_list_close":
                lists.pop()
            case "table_open":
                rows = []
            case "tr_open":
                row = []
            case "th_close" | "td_close":
                row.append(f"<w:tc><w:tcPr/>{parts.pop()}</w:tc>")
            case "tr_close":
                header = "" if rows else "<w:trPr><w:tblHeader/></w:trPr>"
                rows.append(f"<w:tr>{header}{''.join(row)}</w:tr>")
            case "table_close":
                parts.append(_table(rows))
            case "inline":
                parts.append(_paragraph(token.content, style=style, numbering=lists[-1] if lists else 0))
                style = ""
    return "".join(parts), numbered


def _paragraph(text: str, *, style: str = "", numbering: int = 0) -> str:
    style = style or ("Listenabsatz" if numbering else "")
    marks = f'<w:pStyle w:val="{style}"/>' if style else ""
    if numbering:
        marks += f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{numbering}"/></w:numPr>'
    return f'<w:p><w:pPr>{marks}</w:pPr><w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def _table(rows: Sequence[str]) -> str:
    edges = "".join(
        f'<w:{edge} w:val="single" w:sz="4" w:space="0" w:color="777777"/>'
        for edge in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    return f"<w:tbl><w:tblPr><w:tblBorders>{edges}</w:tblBorders></w:tblPr>{''.join(rows)}</w:tbl><w:p/>"


def _document(body: str) -> str:
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="rId3"/>'
        '<w:footerReference w:type="default" r:id="rId4"/><w:pgSz w:w="11906" w:h="16838"/>'
        '<w:pgMar w:top="1417" w:right="1417" w:bottom="1134" w:left="1417"/></w:sectPr>'
    )
    return f'{_HEAD}<w:document xmlns:w="{_WORD}" xmlns:r="{_OFFICE}"><w:body>{body}{section}</w:body></w:document>'


def _page_number() -> str:
    field = '<w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple>'
    return f'<w:p><w:r><w:t xml:space="preserve">Seite </w:t></w:r>{field}</w:p>'


def _styles() -> str:
    headings = "".join(
        f'<w:style w:type="paragraph" w:styleId="berschrift{level}"><w:name w:val="heading {level}"/>'
        f'<w:basedOn w:val="Standard"/><w:pPr><w:keepNext/><w:spacing w:before="240" w:after="120"/>'
        f'<w:outlineLvl w:val="{level - 1}"/></w:pPr><w:rPr><w:b/><w:sz w:val="{40 - 6 * level}"/></w:rPr></w:style>'
        for level in (1, 2, 3)
    )
    return (
        f'{_HEAD}<w:styles xmlns:w="{_WORD}"><w:docDefaults><w:rPrDefault><w:rPr>'
        '<w:rFonts w:ascii="Liberation Serif" w:hAnsi="Liberation Serif"/><w:sz w:val="22"/><w:lang w:val="de-DE"/>'
        "</w:rPr></w:rPrDefault></w:docDefaults>"
        '<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/>'
        '<w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:style>'
        f'{headings}<w:style w:type="paragraph" w:styleId="Listenabsatz"><w:name w:val="List Paragraph"/>'
        '<w:basedOn w:val="Standard"/><w:pPr><w:ind w:left="720"/></w:pPr></w:style></w:styles>'
    )


def _numbering(numbered_lists: int) -> str:
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    numbers = "".join(
        f'<w:num w:numId="{_NUMBERS + place}"><w:abstractNumId w:val="1"/>{restart}</w:num>'
        for place in range(numbered_lists)
    )
    return (
        f'{_HEAD}<w:numbering xmlns:w="{_WORD}">{_list_kind(0, "bullet", "•")}{_list_kind(1, "decimal", "%1.")}'
        f'<w:num w:numId="{_BULLETS}"><w:abstractNumId w:val="0"/></w:num>{numbers}</w:numbering>'
    )


def _list_kind(number: int, kind: str, mark: str) -> str:
    return (
        f'<w:abstractNum w:abstractNumId="{number}"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{mark}"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>'
    )


def _relations(*targets: tuple[str, str]) -> str:
    def address(kind: str) -> str:
        return f"{_PACKAGE}/relationships/{kind}" if "/" in kind else f"{_OFFICE}/{kind}"

    links = "".join(
        f'<Relationship Id="rId{place}" Type="{address(kind)}" Target="{target}"/>'
        for place, (kind, target) in enumerate(targets, start=1)
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'


def _content_types() -> str:
    parts = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPE}.{kind}+xml"/>'
        for name, kind in [
            ("document", "document.main"),
            ("styles", "styles"),
            ("numbering", "numbering"),
            ("header1", "header"),
            ("footer1", "footer"),
        ]
    )
    return (
        f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
        f"{parts}</Types>"
    )


def _core(title: str, author: str) -> str:
    return (
        f'{_HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escape(title)}</dc:title><dc:creator>{escape(author)}</dc:creator><dc:language>de-DE</dc:language>"
        "</cp:coreProperties>"
    )
