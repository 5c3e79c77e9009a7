"""Counts and durations of requests for Prometheus."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
# Seconds; a built-in turn is to stay below the third.
BUCKETS: Final = (0.01, 0.03, 0.12, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0)


class Metrics:
    """Counts and durations by route template and status; ids and texts are never labels."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "shardwise_requests_total",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "shardwise_request_seconds",
            "Time to the end of the response.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self.registry,
        )

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(method, route).observe(seconds)

    def page(self) -> bytes:
        return generate_latest(self.registry)
