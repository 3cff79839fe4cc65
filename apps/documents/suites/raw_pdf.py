"""A PDF writer of a few lines for the made-up files of the suite parsing:hidden. No dependency, no compression."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class RawPdf:
    """One page with one content stream; further objects are added by number."""

    media: tuple[int, int, int, int] = (0, 0, 595, 842)
    objects: list[bytes] = field(default_factory=list)
    resources: dict[str, dict[str, str]] = field(default_factory=dict)
    page_entries: list[str] = field(default_factory=list)
    catalog_entries: list[str] = field(default_factory=list)
    trailer_entries: list[str] = field(default_factory=list)
    content: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.objects = [b"", b"", b"", b""]
        font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
        self.name("Font", "F1", self.add(font))

    def add(self, body: str | bytes) -> str:
        """Store an indirect object and return the reference to it."""
        self.objects.append(body.encode("cp1252") if isinstance(body, str) else body)
        return f"{len(self.objects)} 0 R"

    def stream(self, dictionary: str, data: str | bytes) -> str:
        raw = data.encode("cp1252") if isinstance(data, str) else data
        head = f"<< {dictionary} /Length {len(raw)} >>\nstream\n".encode("cp1252")
        return self.add(head + raw + b"\nendstream")

    def name(self, kind: str, name: str, reference: str) -> None:
        """Give an object a name in the page's resources."""
        self.resources.setdefault(kind, {})[name] = reference

    def draw(self, operators: str) -> None:
        self.content.append(operators)

    def text(self, text: str, x: float, y: float, *, size: float = 12, before: str = "") -> None:
        """Show text at (x, y) in points from the lower left corner. ``before`` are operators inside the text object."""
        self.draw(f"BT /F1 {size} Tf {before} 1 0 0 1 {x} {y} Tm {literal(text)} Tj ET")

    def resource_dictionary(self) -> str:
        kinds = (
            f"/{kind} << " + " ".join(f"/{name} {ref}" for name, ref in names.items()) + " >>"
            for kind, names in self.resources.items()
        )
        return "<< " + " ".join(kinds) + " >>"

    def finished(self) -> bytes:
        """The finished file."""
        content = "\n".join(self.content).encode("cp1252")
        box = " ".join(map(str, self.media))
        self.objects[0] = f"<< /Type /Catalog /Pages 2 0 R {' '.join(self.catalog_entries)} >>".encode("cp1252")
        self.objects[1] = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
        self.objects[2] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents 4 0 R "
            f"/Resources {self.resource_dictionary()} {' '.join(self.page_entries)} >>"
        ).encode("cp1252")
        self.objects[3] = f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"
        return self._assembled()

    def _assembled(self) -> bytes:
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for number, body in enumerate(self.objects, start=1):
            offsets.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        start = len(out)
        out += f"xref\n0 {len(self.objects) + 1}\n0000000000 65535 f \n".encode()
        out += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
        extra = " ".join(self.trailer_entries)
        out += f"trailer\n<< /Size {len(self.objects) + 1} /Root 1 0 R {extra} >>\n".encode("cp1252")
        return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())


def literal(text: str) -> str:
    """A PDF string in parentheses."""
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"({escaped})"


def grey_image(pdf: RawPdf, level: int, *, size: int = 2) -> str:
    """An image of one grey level (0 black, 255 white)."""
    entries = f"/Type /XObject /Subtype /Image /Width {size} /Height {size} /ColorSpace /DeviceGray /BitsPerComponent 8"
    return pdf.stream(entries, bytes([level]) * (size * size))


def to_unicode(pdf: RawPdf, pairs: str, count: int) -> str:
    """A map from letters of a font to the text they claim to mean."""
    head = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def\n"
    spaces = "1 begincodespacerange\n<00> <ff>\nendcodespacerange\n"
    return pdf.stream("", f"{head}{spaces}{count} beginbfchar\n{pairs}\nendbfchar\nendcmap end end")


def add_claiming_font(pdf: RawPdf, pairs: str) -> None:
    """Helvetica as /F2 whose full stop means what ``pairs`` says."""
    font = f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {to_unicode(pdf, pairs, 1)} >>"
    pdf.name("Font", "F2", pdf.add(font))


def add_empty_font(pdf: RawPdf, text: str) -> None:
    """A font as /F2 that has a glyph without ink for each letter of ``text``."""
    codes = sorted({ord(char) for char in text})
    empty = pdf.stream("", "500 0 d0")
    glyphs = " ".join(f"/g{code} {empty}" for code in codes)
    names = " ".join(f"{code} /g{code}" for code in codes)
    pairs = "\n".join(f"<{code:02x}> <{code:04x}>" for code in codes)
    font = (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] "
        f"/CharProcs << {glyphs} >> /Encoding << /Type /Encoding /Differences [{names}] >> /FirstChar 0 "
        f"/LastChar 255 /Widths [{'500 ' * 256}] /Resources << >> /ToUnicode {to_unicode(pdf, pairs, len(codes))} >>"
    )
    pdf.name("Font", "F2", pdf.add(font))
