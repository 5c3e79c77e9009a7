"""FastAPI's own OpenTelemetry hook: off, or spans without the words people search for."""

from collections.abc import Sequence
from typing import Final

from fastapi.telemetry import TelemetryConfig
from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import Span, SpanProcessor, TracerProvider

# Named one by one: the hook's own defaults would join whatever another library has set up.
OFF: Final[TelemetryConfig] = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
QUERY: Final = "url.query"
HIDDEN: Final = "REDACTED"


class HiddenQueries(SpanProcessor):
    """A query string may be somebody's question; only that there was one is told."""

    def on_start(
        self,
        span: Span,
        parent_context: Context | None = None,  # noqa: ARG002 - named by the SDK
    ) -> None:
        if span.attributes and QUERY in span.attributes:
            span.set_attribute(QUERY, HIDDEN)


def telemetry_config(more: Sequence[SpanProcessor] = ()) -> TelemetryConfig:
    """Spans by our own provider, sent where the OTEL_EXPORTER_OTLP_* variables say.

    Log records stay off: they would carry the messages of exceptions.
    """
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: "shardwise"}))
    for processor in (HiddenQueries(), *more):
        provider.add_span_processor(processor)
    return {"tracer_provider": provider, "logs": False, "auto_configure": True}
