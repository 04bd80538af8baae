"""Logs: one line of JSON an entry in production, one readable line on a developer's screen.

Settings say `LOGGING = log.configuration(format, level)`; whatever a log call hands over as `extra=` becomes fields of the line.
"""
import logging
from datetime import UTC, datetime

import orjson

FORMATS = ("text", "json")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}
UNTOLD = frozenset({"request", "server_time"})        # what Django and its servers attach for their own handlers


class JSONLines(logging.Formatter):
    """{"time", "level", "logger", "message", ...extra fields, "exception"}; what JSON has no form for is written as text."""

    def format(self, record):
        line = {"time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
                "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage(), "process": record.process}
        line.update((name, value) for name, value in record.__dict__.items() if name not in STANDARD and name not in UNTOLD)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


class TextLines(logging.Formatter):
    """What a person reads: time, level, logger and message, then the extra fields as name=value."""

    def format(self, record):
        text = super().format(record)
        fields = [f"{name}={value}" for name, value in record.__dict__.items() if name not in STANDARD and name not in UNTOLD]
        return " ".join([text, *fields])


def configuration(format="text", level="INFO"):
    """The dict for Django's LOGGING. Raises ValueError for a format or level that is not known."""
    if format not in FORMATS:
        raise ValueError(f"log format {format!r} is not one of {', '.join(FORMATS)}")
    if level.upper() not in LEVELS:
        raise ValueError(f"log level {level!r} is not one of {', '.join(LEVELS)}")
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JSONLines},
                       "text": {"()": TextLines, "format": "{asctime} {levelname:<7} {name}: {message}", "style": "{"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": format}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {"lifecycle": {"level": level.upper()},
                    # Django's own handlers would say everything a second time.
                    "django": {"handlers": [], "level": "INFO"},
                    "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
                    # The lines of lifecycle.requests take the place of these.
                    "django.channels.server": {"level": "WARNING"},
                    "daphne": {"level": "WARNING"}},
    }
