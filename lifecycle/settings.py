"""Settings, by environment variables (README.md lists them); without any, everything runs on this machine with SQLite and no other service."""
import os
from pathlib import Path

import dj_database_url

from . import log
from .environment import flag, number, secret, words

BASE_DIR = Path(__file__).resolve().parent.parent

DEBUG = flag("DEBUG")
SECRET_KEY = secret("SECRET_KEY", BASE_DIR / "var" / "secret-key")
ALLOWED_HOSTS = words("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")
LOGGING = log.configuration(os.environ.get("LOG_FORMAT", "text"), os.environ.get("LOG_LEVEL", "INFO"))

INSTALLED_APPS = [
    "lifecycle",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
]
MIDDLEWARE = [
    "lifecycle.health.health",
    "lifecycle.middleware.request_log",
    "lifecycle.middleware.security_headers",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "lifecycle.urls"
ASGI_APPLICATION = "lifecycle.asgi.application"
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "DIRS": [BASE_DIR / "templates"],
    "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.request",
        "django.template.context_processors.i18n",
        "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages",
    ]},
}]

# -- database: SQLite, or what DATABASE_URL names --------------------------------------------------------------------------
SQLITE = {
    # A transaction takes the write lock when it begins: it never has to give up half-way.
    "transaction_mode": "IMMEDIATE",
    # At worst a power cut takes the last transactions; it never breaks the file.
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA cache_size=-65536;PRAGMA temp_store=MEMORY;",
    "timeout": 20,
}
DATABASES = {"default": dj_database_url.config(default=f"sqlite:///{BASE_DIR / 'db.sqlite3'}")}
IS_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if IS_SQLITE:
    DATABASES["default"]["OPTIONS"] = SQLITE
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- channel layers and cache: Redis, or the server's own memory -----------------------------------------------------------
# `default` carries wake-ups to workers, each to one; `viewers` carries news to all servers.
REDIS_URL = os.environ.get("REDIS_URL", "")
BRIDGE = os.environ.get("LIFECYCLE_BRIDGE", "")        # set by `serve` for its worker: where the server listens


def _layers():
    if REDIS_URL:
        # Channels waits five seconds at a time for a message: a connection must not be given up before.
        host = {"address": REDIS_URL, "max_connections": 10_000, "socket_timeout": 30}
        return {"default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [host], "capacity": 10_000}},
                "viewers": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [host]}}}
    if BRIDGE:
        return {alias: {"BACKEND": "lifecycle.layers.BridgedLayer", "CONFIG": {"path": BRIDGE, "alias": alias}} for alias in ("default", "viewers")}
    return {alias: {"BACKEND": "lifecycle.layers.LocalLayer"} for alias in ("default", "viewers")}


CHANNEL_LAYERS = _layers()
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL, "KEY_PREFIX": "lifecycle"} if REDIS_URL else
          {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}}}
LIFECYCLE_ENGINE_THREADS = number("ENGINE_THREADS", 1 if IS_SQLITE else 4)         # of a worker; SQLite has one writer anyway
LIFECYCLE_API_THREADS = number("API_THREADS", 1 if IS_SQLITE else 4)               # of a server, for requests to clusters' Kubernetes API

# -- limits of learners ----------------------------------------------------------------------------------------------------
LIFECYCLE_CLUSTERS = number("CLUSTERS_PER_LEARNER", 10)
LIFECYCLE_COMMANDS_A_MINUTE = number("COMMANDS_PER_MINUTE", 120)
LIFECYCLE_REQUESTS_A_MINUTE = number("API_REQUESTS_PER_MINUTE", 6000)       # to a cluster's Kubernetes API
LIFECYCLE_OBJECTS = number("OBJECTS_PER_CLUSTER", 20_000)
LIFECYCLE_GUEST_DAYS = number("GUEST_DAYS", 30)         # that a guest's cluster is kept after somebody last looked at it
LIFECYCLE_PODS = number("PODS_PER_CLUSTER", 1000)

# -- accounts --------------------------------------------------------------------------------------------------------------
AUTH_PASSWORD_VALIDATORS = [{"NAME": f"django.contrib.auth.password_validation.{name}"} for name in (
    "UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"
SESSION_COOKIE_AGE = 90 * 24 * 3600    # a guest's clusters live as long as the session

# -- https: HTTPS=1 where it ends here or at a proxy in front --------------------------------------------------------------
TLS_CERTIFICATE, TLS_KEY = os.environ.get("TLS_CERTIFICATE", ""), os.environ.get("TLS_KEY", "")             # PEM files: then `serve` speaks https itself
LIFECYCLE_TLS_AUTHORITY = os.environ.get("TLS_AUTHORITY", "")           # a PEM file: whom kubectl is to trust, if no one else would
HTTPS = flag("HTTPS") or bool(TLS_CERTIFICATE)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = number("HSTS_SECONDS", 2_592_000) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
BEHIND_PROXY = flag("BEHIND_PROXY")
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# -- static files, languages -----------------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or BASE_DIR / "staticfiles")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE, LANGUAGE_COOKIE_SAMESITE = 365 * 24 * 3600, "Lax"
USE_TZ = True
TIME_ZONE = "UTC"
