"""The project's one application."""
from django.apps import AppConfig


class LifecycleConfig(AppConfig):
    name = "lifecycle"
    verbose_name = "Lifecycle"

    def ready(self):
        from django.apps import apps
        if apps.is_installed("django.contrib.auth"):        # not so where only the simulation runs
            self.listen()

    def listen(self):
        from django.contrib.auth.signals import user_logged_in
        from django.db.models.signals import post_migrate

        from .accounts import keep_clusters, make_instructors_group
        user_logged_in.connect(keep_clusters)
        post_migrate.connect(make_instructors_group, sender=self)
