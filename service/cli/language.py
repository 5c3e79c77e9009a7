"""Which language a terminal speaks."""

import locale

from service.domain.language import Lang


def reader_language(asked: str) -> Lang:
    """`zh` or `en` when asked for, else what the terminal's locale says."""
    if asked in set(Lang):
        return Lang(asked)
    return Lang.ZH if (locale.getlocale()[0] or "").lower().startswith("zh") else Lang.EN
