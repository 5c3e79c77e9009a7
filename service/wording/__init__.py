"""Sentences in the reader's language: catalogues, and which language a reader wants."""

from service.wording.catalogue import Wording, load_wording
from service.wording.negotiation import LANG_COOKIE, negotiate

__all__ = ["LANG_COOKIE", "Wording", "load_wording", "negotiate"]
