"""Values of settings from environment variables."""
import os
import secrets


def flag(name, default=False):
    """Whether a variable says yes: 1, true, yes or on."""
    return os.environ.get(name, "1" if default else "").strip().lower() in ("1", "true", "yes", "on")


def number(name, default):
    """A whole number."""
    return int(os.environ.get(name) or default)


def words(name, default=""):
    """A list of what stands between commas."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def secret(name, file):
    """A variable's secret; without it, one that is made once and kept in a file that only its owner reads (for this process, where nothing can be kept)."""
    if name in os.environ:
        return os.environ[name]
    made = secrets.token_urlsafe(50)
    try:
        file.parent.mkdir(exist_ok=True)
        with open(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as new:
            new.write(made)
    except FileExistsError:
        return file.read_text()
    except OSError:
        return made
    return made
