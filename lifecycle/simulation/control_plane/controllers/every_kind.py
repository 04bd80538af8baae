"""Watching everything: what controllers do that care about kinds nobody knew of when they started."""

IGNORED = ("events", "events.events.k8s.io")


class EveryKind(dict):
    """`watched()` of a controller with one watch function for every kind that there is or will be, Events aside."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def __contains__(self, qualified):
        return qualified not in IGNORED

    def __missing__(self, qualified):
        return self.function
