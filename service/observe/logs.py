"""One JSON object a line on standard error: ids, names and figures, never a person's text.

Other libraries' lines lose all but their first, and errors all but their kind and their place:
a message may quote what somebody wrote.
"""

import json
import logging
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from traceback import walk_tb
from typing import Any, Final, TextIO

import structlog

OURS: Final = "service"
FRAMES: Final = 12
# What a line may not hold although it is text: it would look like a line of its own.
BREAKS: Final = dict.fromkeys(map(ord, "\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def configure_logs(level: str, stream: TextIO | None = None) -> None:
    """Send our own lines of `level` and above, and others' warnings, to `stream`."""
    target = stream or sys.stderr
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level)),
        logger_factory=structlog.PrintLoggerFactory(target),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(target)
    handler.setFormatter(OneLine())
    handler.addFilter(is_for_us)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(level)


def is_for_us(record: logging.LogRecord) -> bool:
    """At their finer levels model and database clients print whole requests."""
    own = record.name == OURS or record.name.startswith(f"{OURS}.")
    return own or record.levelno >= logging.WARNING


class OneLine(logging.Formatter):
    """The form of our own lines for what the standard library's logging carries."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "event": _first_line(record.getMessage()),
            "logger": record.name,
            "level": record.levelname.lower(),
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        if record.exc_info and record.exc_info[1]:
            said |= failure(record.exc_info[1])
        return json.dumps(said)


def _first_line(text: str) -> str:
    """Of a traceback that came as text, the kind of error in its last line."""
    lines = text.strip().splitlines() or [""]
    if lines[0].startswith("Traceback"):
        return lines[-1].partition(":")[0].translate(BREAKS)
    return lines[0].translate(BREAKS)


def failure(error: BaseException) -> dict[str, Any]:
    """What an error is and where it came from; its message stays unsaid."""
    return {"error": [_kind(e) for e in _chain(error)], "where": _places(error)}


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__ or current.__context__


def _kind(error: BaseException) -> str:
    kind = type(error)
    return f"{kind.__module__}.{kind.__qualname__}"


def _places(error: BaseException) -> list[str]:
    """The innermost frames, the last one first."""
    frames = [
        f"{_short(frame.f_code.co_filename)}:{line} {frame.f_code.co_name}"
        for frame, line in walk_tb(error.__traceback__)
    ]
    return frames[::-1][:FRAMES]


def _short(filename: str) -> str:
    return "/".join(Path(filename).parts[-3:])
