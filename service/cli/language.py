"""Which language a terminal speaks."""

import locale

from service.domain.language import Lang, detect_language


def reader_language(asked: str, text: str = "") -> Lang:
    """`zh` or `en` when asked for, else what the terminal's locale says, else the text's own.

    A locale without a language (C, POSIX) says nothing.
    """
    if asked in set(Lang):
        return Lang(asked)
    name = _locale_name().lower()
    named = next((lang for lang in Lang if name.startswith(lang.value)), None)
    if named is Lang.ZH or not text:
        return named or Lang.EN
    return detect_language(text)


def _locale_name() -> str:
    try:
        return locale.setlocale(locale.LC_CTYPE, "")
    except locale.Error:  # a locale that is not installed here
        return ""
