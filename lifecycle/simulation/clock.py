"""Virtual time: whole milliseconds since the cluster was made, and how Kubernetes writes them."""
from datetime import UTC, datetime

EPOCH = 1_767_225_600_000      # 2026-01-01T00:00:00Z in milliseconds since 1970: where a cluster's time begins unless told otherwise


class Clock:
    """Says what time it is in the cluster; only the cluster moves it.

    `now` is in virtual milliseconds since the start. Nothing in the simulation looks at any other clock.
    """

    def __init__(self, now=0, epoch=EPOCH):
        self.now = now
        self.epoch = epoch
        self._second, self._text = -1, ""

    def timestamp(self, at=None):
        """`metav1.Time`: "2026-01-01T00:00:05Z", cut to whole seconds as Kubernetes does."""
        second = (self.epoch + (self.now if at is None else at)) // 1000
        if second != self._second:
            self._second = second
            self._text = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return self._text

    def microtime(self, at=None):
        """`metav1.MicroTime`: "2026-01-01T00:00:05.123000Z"."""
        at = self.now if at is None else at
        return f"{self.timestamp(at)[:-1]}.{(self.epoch + at) % 1000:03d}000Z"

    def parse(self, text):
        """Virtual milliseconds of a timestamp in either form; may be negative for times before the start."""
        return round(datetime.fromisoformat(text).timestamp() * 1000) - self.epoch

    def since(self, text):
        """Virtual milliseconds from a timestamp until now."""
        return self.now - self.parse(text)
