"""`manage.py make_demo_instructor`: on a first start, an account for the admin panel; its random password is printed once."""
from django.core.management.base import BaseCommand

from lifecycle.accounts import DEMO_INSTRUCTOR, make_demo_instructor


class Command(BaseCommand):
    help = f"Makes the account {DEMO_INSTRUCTOR!r} in the group of instructors, unless there is one, and prints its password."

    def handle(self, **options):
        password = make_demo_instructor()
        if password:
            self.stdout.write(f"Instructor for /admin/: user {DEMO_INSTRUCTOR}, password {password} (shown only now; change it after logging in)")
