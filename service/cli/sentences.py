"""What the commands say to people. Loaded when something is said, so that help stays quick."""

from typing import Final

from service.domain.language import msg

HOW_TO_ANSWER: Final = msg(
    "A blank line sends the answer. /skip leaves the question, /pause stops here, /end ends it."
)
HOW_TO_ASK: Final = msg(
    "/time tells the time left. In coached mode /hint gives a hint and /retry asks once more."
)
KEY_SHOWN_ONCE: Final = msg("(this is the only time the key is shown)")
FELL_BACK: Final = msg(
    "Some answers were read by the built-in engine because the model did not answer."
)
