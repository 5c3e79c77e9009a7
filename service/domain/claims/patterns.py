"""Regular expressions written as lists of alternatives, one line or several per group."""

import re


def alternatives(block: str) -> str:
    """Lines of `a|b` joined into one alternation; white space at the ends of lines is dropped."""
    return "|".join(line.strip() for line in block.strip().splitlines() if line.strip())


def words(latin: str, chinese: str = "") -> re.Pattern[str]:
    """Latin alternatives match whole words only; Chinese ones anywhere."""
    whole = rf"(?<![a-z])(?:{alternatives(latin)})(?![a-z])"
    other = alternatives(chinese)
    return re.compile(f"{whole}|{other}" if other else whole)
