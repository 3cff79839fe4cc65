"""The PDF side of parsing. ``parse_pdf`` is the only entry."""

from apps.documents.parsing.pdf.parser import parse_pdf

__all__ = ["parse_pdf"]
