"""The door for pasted text: what is no text is refused with its reason."""

from service.domain.text import is_invisible
from service.errors import TextEmpty, TextInvalid, TextTooLong


def require_text(text: str, longest: int) -> str:
    """Return `text` as given, or refuse it.

    Raises:
        TextEmpty: nothing but white space and invisible characters.
        TextTooLong: more than `longest` code points.
        TextInvalid: NUL or lone surrogates, which no store and no model can take.
    """
    if len(text) > longest:
        raise TextTooLong(
            "The text has {length} characters; at most {longest} are read.",
            length=len(text),
            longest=longest,
        )
    if any(c == "\x00" or "\ud800" <= c <= "\udfff" for c in text):
        raise TextInvalid("The text holds characters that are no text; paste it as plain text.")
    if not any(not c.isspace() and not is_invisible(c) for c in text):
        raise TextEmpty("The text is empty.")
    return text
