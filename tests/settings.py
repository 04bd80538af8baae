"""Settings of the tests: the product's own, quicker and without files that are built."""
import os

os.environ.setdefault("SECRET_KEY", "of-the-tests")

from lifecycle.settings import *  # noqa: E402, F403
from lifecycle.settings import STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_AUTOREFRESH = True          # serve what the finders find
