"""`manage.py serve`: everything under one command. Migrates, makes the demo instructor on the first start, and serves pages, sockets and a worker."""
import os

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from lifecycle import memory


class Command(BaseCommand):
    help = "Serves Lifecycle, after bringing database and static files up to date: pages and sockets here, the worker in a child process."

    def add_arguments(self, parser):
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"), help="address to listen at (HOST, or 127.0.0.1)")
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000), help="port to listen at (PORT, or 8000)")
        parser.add_argument("--certificate", default=settings.TLS_CERTIFICATE, help="PEM file with a certificate, for https (TLS_CERTIFICATE)")
        parser.add_argument("--key", default=settings.TLS_KEY, help="PEM file with its private key (TLS_KEY)")
        parser.add_argument("--worker", choices=("process", "task", "none"), default="process",
                            help="where clusters are moved: in a child process, in this process, or elsewhere (process)")

    def handle(self, *, host, port, worker, certificate, key, **options):
        if bool(certificate) != bool(key):
            raise CommandError("https needs both a certificate and its key")
        prepare(self.stdout)
        from lifecycle.server import Server
        memory.tune()
        scheme = "https" if certificate else "http"
        server = Server(worker=worker, application=application(), endpoints=[endpoint(host, port, certificate, key)], server_name="lifecycle",
                        ready_callable=lambda: self.stdout.write(f"Lifecycle is at {scheme}://{host}:{port}/ - stop it with Ctrl-C"))
        server.run()
        if server.abort_start:
            raise CommandError(f"nothing can listen at {host}:{port}; choose another with --port or PORT")


def prepare(out):
    """Bring database and static files up to date."""
    call_command("migrate", verbosity=0, interactive=False)
    call_command("make_demo_instructor", stdout=out)
    call_command("sweep", verbosity=0)
    if not settings.DEBUG:
        call_command("collectstatic", verbosity=0, interactive=False)


def application():
    from lifecycle.asgi import application
    return application


def endpoint(host, port, certificate="", key=""):
    """Twisted's words for an address, over TLS with a certificate and its key."""
    if certificate:
        return f"ssl:port={port}:interface={_quoted(host)}:certKey={_quoted(certificate)}:privateKey={_quoted(key)}"
    return f"tcp:port={port}:interface={_quoted(host)}"


def _quoted(text):
    return str(text).replace("\\", "\\\\").replace(":", "\\:")
