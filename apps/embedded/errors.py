"""What goes wrong with the embedded servers, in sentences for whoever typed the command."""


class EmbeddedError(Exception):
    """The embedded servers cannot be used; the message says what to do about it."""
