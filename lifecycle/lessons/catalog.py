"""The lessons of the course, in their order."""
import logging
from functools import lru_cache
from importlib.resources import files

from .loading import LessonError, load

logger = logging.getLogger(__name__)


@lru_cache(1)
def catalog():
    """{slug: Lesson} of all lessons, in the order of their numbers. One that cannot be read is left out, and the log says why."""
    found = {}
    for folder in folders():
        try:
            lesson = load(folder)
        except LessonError as error:
            logger.error("lesson left out\n%s", error)
        else:
            found[lesson.slug] = lesson
    return found


def folders():
    """The folders of the course."""
    return sorted((entry for entry in (files(__package__) / "course").iterdir() if entry.is_dir() and entry.name[:1].isdigit()), key=lambda entry: entry.name)


def find(slug):
    """The Lesson with a slug, or None."""
    return catalog().get(slug)
