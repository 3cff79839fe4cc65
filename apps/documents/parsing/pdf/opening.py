"""Open a PDF or say why not."""

from __future__ import annotations

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from apps.documents.parsing.types import ParsingError

MAX_PAGES = 2000


def open_pdf(data: bytes, password: str | None = None, *, max_pages: int = MAX_PAGES) -> pdfium.PdfDocument:
    """The opened document. Raises ParsingError with the codes empty, encrypted, damaged or too_many_pages."""
    if not data.strip():
        raise ParsingError("empty", "The file is empty.")
    try:
        document = pdfium.PdfDocument(data, password=password)
        count = len(document)
    except pdfium.PdfiumError as error:
        raise _refusal(error) from error
    if count == 0:
        document.close()
        raise ParsingError("empty", "The PDF has no pages.")
    if count > max_pages:
        document.close()
        raise ParsingError("too_many_pages", f"The PDF has {count} pages; at most {max_pages} are allowed.")
    return document


def _refusal(error: pdfium.PdfiumError) -> ParsingError:
    code = getattr(error, "err_code", None)
    if code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        return ParsingError("encrypted", "The PDF is locked with a password.")
    return ParsingError("damaged", "The PDF is damaged or incomplete and cannot be opened.")
