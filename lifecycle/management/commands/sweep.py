"""`manage.py sweep`: deletes what nobody will come back for. `serve` does it whenever it starts; other installations run it once a day."""
from datetime import timedelta
from time import time

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils.timezone import now

from lifecycle import clusters
from lifecycle.models import Cluster, LessonRun

DAY = 86400


class Command(BaseCommand):
    help = "Deletes guests' clusters that nobody has looked at for some days, and browser sessions that are over with what guests had learned in them."

    def add_arguments(self, parser):
        parser.add_argument("--days", type=int, default=settings.LIFECYCLE_GUEST_DAYS, help="how long a guest's cluster is kept (GUEST_DAYS, or 30)")

    def handle(self, *, days, verbosity, **options):
        abandoned = Cluster.objects.filter(owner=None, watched_until__lt=time() - days * DAY, created__lt=now() - timedelta(days=days))
        pks = list(abandoned.values_list("pk", flat=True))
        for pk in pks:
            clusters.delete(pk)
        LessonRun.objects.filter(owner=None, touched__lt=now() - timedelta(seconds=settings.SESSION_COOKIE_AGE)).delete()
        call_command("clearsessions")
        if verbosity:
            self.stdout.write(f"{len(pks)} clusters deleted")
