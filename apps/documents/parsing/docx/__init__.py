"""DOCX by zipfile and lxml over local tag names: nothing that Word prints is lost, nothing hidden is read."""

from apps.documents.parsing.docx.document import parse_docx

__all__ = ["parse_docx"]
