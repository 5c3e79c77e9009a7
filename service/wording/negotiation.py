"""Which language a reader gets: the remembered choice first, then what the browser asks for."""

from typing import Final

from service.domain.language import Lang

LANG_COOKIE: Final = "lang"
DEFAULT: Final = Lang.EN


def negotiate(accept_language: str | None, chosen: str | None = None) -> Lang:
    """`chosen` is the remembered choice; `accept_language` the header of that name (RFC 9110)."""
    remembered = _known(chosen or "")
    if remembered:
        return remembered
    ranked = sorted(_weighted(accept_language or ""), key=lambda pair: -pair[1])
    return next((lang for tag, weight in ranked if weight > 0 and (lang := _known(tag))), DEFAULT)


def _known(tag: str) -> Lang | None:
    primary = tag.strip().lower().replace("_", "-").split("-")[0]
    return next((lang for lang in Lang if lang.value == primary), None)


def _weighted(header: str) -> list[tuple[str, float]]:
    """Language tags with their quality; a malformed quality counts as nought."""
    pairs: list[tuple[str, float]] = []
    for part in header[:1_000].split(","):
        tag, _, parameter = part.partition(";")
        pairs.append((tag, _quality(parameter)))
    return pairs


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name.strip() == "q" else 0.0
    except ValueError:
        return 0.0
