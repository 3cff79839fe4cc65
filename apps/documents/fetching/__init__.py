"""Safe download of an address that an editor or a feed names. Pure: resolver and connector are arguments."""

from apps.documents.fetching.addresses import Target, read_address
from apps.documents.fetching.downloading import fetch
from apps.documents.fetching.types import Fetched, FetchError, FetchLimits

__all__ = ["FetchError", "FetchLimits", "Fetched", "Target", "fetch", "read_address"]
