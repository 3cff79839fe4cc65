"""Made-up PDFs whose text is light on dark, or otherwise unusual, and plainly visible: nothing of it may be lost."""

from __future__ import annotations

from apps.documents.suites.hidden_pdfs import HONEST, Case
from apps.documents.suites.raw_pdf import RawPdf, grey_image, literal

SHOWN = "Die weisse Schrift auf dunklem Grund ist fuer jeden sichtbar."
_X, _Y = 72, 600
_BOX = f"{_X - 12} {_Y - 14} 440 40 re f"


def honest_cases() -> list[Case]:
    """Files that hide nothing; ``honest`` is the sentence in light type."""
    makers = (
        _white_on_a_black_box,
        _white_on_a_dark_page,
        _white_on_a_shading,
        _white_on_a_dark_picture,
        _white_on_a_form,
        _white_on_a_thick_rule,
        _nearly_opaque_on_black,
        _white_filled_and_stroked,
        _small_yellow_on_red,
        _white_on_a_turned_page,
        _white_inside_a_clip,
        _green_on_equally_bright_red,
        _white_beside_a_white_box,
        _white_on_a_cropped_page,
    )
    cases = []
    for make in makers:
        pdf = RawPdf()
        if make is not _white_on_a_dark_page:
            pdf.text(HONEST, _X, 720)
        make(pdf)
        cases.append(Case(make.__name__.strip("_").replace("_", " "), pdf.finished(), SHOWN, ""))
    return cases


def _white(pdf: RawPdf, *, before: str = "1 g", size: float = 12) -> None:
    pdf.text(SHOWN, _X, _Y, before=before, size=size)


def _white_on_a_black_box(pdf: RawPdf) -> None:
    pdf.draw(f"0 g {_BOX}")
    _white(pdf)


def _white_on_a_dark_page(pdf: RawPdf) -> None:
    pdf.draw("0.05 0.1 0.3 rg 0 0 595 842 re f")
    _white(pdf)


def _white_on_a_shading(pdf: RawPdf) -> None:
    function = "<< /FunctionType 2 /Domain [0 1] /C0 [0.1 0 0.3] /C1 [0.4 0 0.1] /N 1 >>"
    shading = (
        f"<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 595 0] /Function {function} /Extend [true true] >>"
    )
    pdf.name("Shading", "S1", pdf.add(shading))
    pdf.draw("q 0 560 595 80 re W n /S1 sh Q")
    _white(pdf)


def _white_on_a_dark_picture(pdf: RawPdf) -> None:
    pdf.name("XObject", "I1", grey_image(pdf, 40))
    pdf.draw(f"q 480 0 0 60 {_X - 20} {_Y - 20} cm /I1 Do Q")
    _white(pdf)


def _white_on_a_form(pdf: RawPdf) -> None:
    entries = f"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources {pdf.resource_dictionary()}"
    shown = f"BT /F1 12 Tf 1 g 1 0 0 1 {_X} {_Y} Tm {literal(SHOWN)} Tj ET"
    pdf.name("XObject", "X1", pdf.stream(entries, f"0 0.3 0.2 rg {_BOX} {shown}"))
    pdf.draw("/X1 Do")


def _white_on_a_thick_rule(pdf: RawPdf) -> None:
    pdf.draw(f"30 w 0.2 G {_X - 10} {_Y + 4} m {_X + 440} {_Y + 4} l S")
    _white(pdf)


def _nearly_opaque_on_black(pdf: RawPdf) -> None:
    pdf.name("ExtGState", "G1", pdf.add("<< /Type /ExtGState /ca 0.85 >>"))
    pdf.draw(f"0 g {_BOX} q /G1 gs")
    _white(pdf)
    pdf.draw("Q")


def _white_filled_and_stroked(pdf: RawPdf) -> None:
    pdf.draw(f"0 0.25 0 rg {_BOX}")
    _white(pdf, before="2 Tr 1 g 1 G 0.3 w")


def _small_yellow_on_red(pdf: RawPdf) -> None:
    pdf.draw(f"0.6 0 0 rg {_BOX}")
    _white(pdf, before="1 1 0.5 rg", size=6)


def _white_on_a_turned_page(pdf: RawPdf) -> None:
    pdf.page_entries.append("/Rotate 90")
    pdf.draw("0.1 g 290 60 40 600 re f")
    pdf.draw(f"BT /F1 12 Tf 1 g 0 1 -1 0 312 80 Tm {literal(SHOWN)} Tj ET")


def _white_inside_a_clip(pdf: RawPdf) -> None:
    pdf.draw(f"q {_X - 12} {_Y - 14} 440 40 re W n 0 g 0 0 595 842 re f")
    _white(pdf)
    pdf.draw("Q")


def _green_on_equally_bright_red(pdf: RawPdf) -> None:
    pdf.draw(f"0.9 0 0.1 rg {_BOX}")
    _white(pdf, before="0 0.48 0 rg")


def _white_beside_a_white_box(pdf: RawPdf) -> None:
    pdf.draw(f"0 g {_BOX} 1 g {_X - 60} {_Y - 14} 58 40 re f")
    _white(pdf)


def _white_on_a_cropped_page(pdf: RawPdf) -> None:
    pdf.page_entries.append("/CropBox [40 400 560 800]")
    pdf.draw(f"0.15 g {_BOX}")
    _white(pdf)
