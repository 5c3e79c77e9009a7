"""What applicant systems make of each thing that stands in a résumé's file, and what to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from service.domain.language import Message, msg


class Harm(StrEnum):
    """`lost`: usual parsers do not get it; `risky`: some misread it."""

    LOST = "lost"
    RISKY = "risky"


@dataclass(frozen=True, slots=True)
class Finding:
    harm: Harm
    what: Message
    remedy: Message


FINDINGS: Final[Mapping[str, Finding]] = {
    "columns": Finding(
        Harm.RISKY,
        msg("Text in columns side by side."),
        msg("Parsers that read across mix the columns line by line. Use one column."),
    ),
    "table": Finding(
        Harm.RISKY,
        msg("A table."),
        msg("Cells lose their order, and some parsers skip tables. Write lines instead."),
    ),
    "text_box": Finding(
        Harm.LOST,
        msg("A text box."),
        msg("Many parsers read paragraphs alone and never see it. Move the text into the page."),
    ),
    "running_title": Finding(
        Harm.LOST,
        msg("Text in a header or footer."),
        msg("It is often skipped, or mixed into the text. Put contacts into the page itself."),
    ),
    "image": Finding(
        Harm.LOST,
        msg("A picture."),
        msg("Nothing in a picture is read. Write as text what it says."),
    ),
    "icons": Finding(
        Harm.RISKY,
        msg("Signs of an icon font."),
        msg("They become stray letters beside your contacts. Use words: Email, Phone."),
    ),
    "no_unicode": Finding(
        Harm.LOST,
        msg("Letters without a character code."),
        msg("They look right and copy as nothing. Export the file again with its fonts embedded."),
    ),
    "hidden_text": Finding(
        Harm.LOST,
        msg("Text that nobody can see."),
        msg("It earns nothing here and gets applications thrown out elsewhere. Remove it."),
    ),
    "spaced_letters": Finding(
        Harm.RISKY,
        msg("Letters spaced apart."),
        msg("Parsers read single letters instead of a word. Set it without extra spacing."),
    ),
    "odd_heading": Finding(
        Harm.RISKY,
        msg("A heading of your own words."),
        msg("Parsers look for usual ones: Work Experience, Projects, Education, Skills."),
    ),
    "odd_dates": Finding(
        Harm.RISKY,
        msg("No date that can be counted from."),
        msg("Years of experience cannot be added up. Write month and year of start and end."),
    ),
}
