"""Makes a question of a conversation stand alone, or says why it need not, cannot or must ask back. Pure."""

from apps.rag.rewriting.types import PastTurn, Reference, RewriteContext, Rewriting

__all__ = ["PastTurn", "Reference", "RewriteContext", "Rewriting"]
