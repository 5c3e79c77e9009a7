"""The candidate's words said back: verbatim, without a leading connective."""

# ruff: noqa: E501 - patterns are read in one piece

import re
from typing import Final

LEAST: Final = 4  # characters; shorter ones are quoted as they are
_LEADING: Final = re.compile(
    r"^(?:[\s，,、：:；;。.…—-]+"
    r"|但是|不过|然而|可是|只是|所以|因此|因而|于是|因为|而且|并且|况且|然后|接着|接下来|随后|另外|此外|同时"
    r"|首先|其次|再次|最后|还有|以及|也就是说|就是说|换句话说|总之|其实|实际上|那么|比如说?|例如|至于|反之|否则"
    r"|嗯+|呃+|额+|啊|哦|但(?!凡)|而(?!言|已|非)|并(?=不是|没有|且)|且(?!慢)|那(?=[，, 就])|就是(?=[，, 说])"
    r"|(?:and|but|so|because(?! of)|since|however|therefore|thus|hence|then|also|or|nor|yet|plus|well|um+|uh+|er+|hmm+"
    r"|actually|basically|besides|moreover|furthermore|meanwhile|otherwise|instead|which means(?: that)?|which|whereas"
    r"|while|although|though|first(?:ly)?|second(?:ly)?|finally|next|i mean|you know|like|for example|e\.g\.|that is(?=,))\b"
    r"(?!-))",
    re.IGNORECASE,
)


def quotable(quote: str) -> str:
    """The end of `quote` that can stand by itself: `and so X` is said back as `X`."""
    kept = quote.strip()
    while (found := _LEADING.match(kept)) and found.end() < len(kept):
        rest = kept[found.end() :].lstrip()
        if sum(c.isalnum() for c in rest) < LEAST:
            break
        kept = rest
    return kept
