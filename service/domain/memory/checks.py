"""What the formulas accept: each check names the value that is out of bounds."""

from typing import Final

from service.errors import InputInvalid

# Far beyond any cluster; above it products leave the range in which figures mean something.
MOST: Final = 1e24
MOST_DEGREE: Final = 10**9


def positive(name: str, value: float) -> None:
    """Raises InputInvalid unless 0 < `value` <= MOST."""
    if not value > 0:
        raise InputInvalid("{name} must be above zero, got {value}", name=name, value=value)
    _not_absurd(name, value, MOST)


def not_negative(name: str, value: float) -> None:
    """Raises InputInvalid unless 0 <= `value` <= MOST."""
    if not value >= 0:
        raise InputInvalid("{name} must not be negative, got {value}", name=name, value=value)
    _not_absurd(name, value, MOST)


def _not_absurd(name: str, value: float, most: float) -> None:
    if not value <= most:
        raise InputInvalid("{name} must not be above {most}.", name=name, most=f"{most:g}")


def degree(name: str, value: int) -> None:
    """Raises InputInvalid unless `value` is a whole number from one up."""
    if value < 1 or value != int(value):
        raise InputInvalid(
            "{name} must be a whole number of at least 1, got {value}", name=name, value=value
        )
    _not_absurd(name, value, MOST_DEGREE)


def fraction(name: str, value: float) -> None:
    """Raises InputInvalid unless 0 < value <= 1."""
    if not 0 < value <= 1:
        raise InputInvalid("{name} must lie between 0 and 1, got {value}", name=name, value=value)


def divides(small_name: str, small: int, large_name: str, large: int) -> None:
    """Raises InputInvalid unless `small` divides `large`."""
    if large % small:
        raise InputInvalid(
            "{small_name} = {small} does not divide {large_name} = {large}",
            small_name=small_name,
            small=small,
            large_name=large_name,
            large=large,
        )
