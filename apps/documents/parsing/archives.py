"""Zip containers (DOCX, XLSX, ODT, ODS), judged by their table of contents before a byte is unpacked."""

from __future__ import annotations

import io
import zipfile

from lxml import etree

from apps.documents.parsing.limits import Limits
from apps.documents.parsing.types import ParsingError

# Repetitive XML reaches high ratios honestly when it is small.
_RATIO_MATTERS_FROM = 1024 * 1024
_NESTED = (".zip", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst")
_DIRECTORY_ENTRY = b"PK\x01\x02"


def open_archive(data: bytes, limits: Limits | None = None) -> zipfile.ZipFile:
    """Return the opened container. Raises ParsingError ``bomb``, ``encrypted`` or ``damaged``."""
    limits = limits or Limits()
    # Counted in the raw bytes: zipfile would build an object per entry before it could be asked.
    if data.count(_DIRECTORY_ENTRY) > limits.max_members:
        raise ParsingError("bomb", f"The file packs more than {limits.max_members} parts.")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
        raise ParsingError("damaged", "The file is damaged: its parts cannot be read.") from error
    _check_members(members, limits)
    return archive


def _check_members(members: list[zipfile.ZipInfo], limits: Limits) -> None:
    if any(member.flag_bits & 0x1 for member in members):
        raise ParsingError("encrypted", "The file is protected by a password. Please save it without one.")
    if any(member.filename.lower().endswith(_NESTED) for member in members):
        raise ParsingError("bomb", "The file packs another archive.")
    total = sum(member.file_size for member in members)
    if total > limits.max_uncompressed:
        raise ParsingError("bomb", f"Unpacked, the file would take {total // 1_000_000} MB.")
    for member in members:
        is_large = member.file_size > _RATIO_MATTERS_FROM
        if is_large and member.file_size > limits.max_ratio * max(member.compress_size, 1):
            raise ParsingError("bomb", f"A part of the file grows more than {limits.max_ratio} times when unpacked.")
    if len({member.header_offset for member in members}) < len(members):
        raise ParsingError("bomb", "Parts of the file overlap.")


def read_member(archive: zipfile.ZipFile, name: str) -> bytes | None:
    """Return one part's bytes, or None where the container has no such part. Raises ``damaged``."""
    try:
        return archive.read(name)
    except KeyError:
        return None
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, RuntimeError) as error:
        raise ParsingError("damaged", "The file is damaged: one of its parts cannot be read.") from error
    except Exception as error:  # zlib.error and lzma.LZMAError share no base class
        if isinstance(error, MemoryError):
            raise
        raise ParsingError("damaged", "The file is damaged: one of its parts cannot be unpacked.") from error


def read_xml(archive: zipfile.ZipFile, name: str) -> etree._Element | None:
    """Return the root element of a part, or None where it is missing. No entities, no network, no DTD."""
    data = read_member(archive, name)
    if data is None:
        return None
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise_if_memory(error)
        raise ParsingError("damaged", "The file is damaged: its text cannot be read.") from error
    if root.getroottree().docinfo.doctype:
        raise ParsingError("damaged", "The file declares entities, which office files never do.")
    return root


def raise_if_memory(error: etree.XMLSyntaxError) -> None:
    """Raise MemoryError where lxml reports a failed allocation as a fault of the file."""
    if error.code == etree.ErrorTypes.ERR_NO_MEMORY:
        raise MemoryError from error


def local_name(element: etree._Element) -> str:
    """Return the tag without its namespace, so that strict and transitional files read alike."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def local_attribute(element: etree._Element | None, name: str) -> str | None:
    """Return an attribute by its name without namespace, or None."""
    if element is None:
        return None
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return None


def local_child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """Return the first descendant along ``path`` of names without namespace, or None."""
    for name in path:
        if element is None:
            return None
        element = next((child for child in element if local_name(child) == name), None)
    return element
