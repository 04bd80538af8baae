"""`manage.py course`: writes docs/course.md, the table of what the lessons and messages carry of the source documents."""
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from lifecycle.lessons.coverage import table_of_course


class Command(BaseCommand):
    help = "Writes docs/course.md: which lessons and messages carry each statement of the source documents."
    requires_system_checks = ()

    def handle(self, **options):
        Path(settings.BASE_DIR, "docs", "course.md").write_text(table_of_course(), encoding="utf-8")
