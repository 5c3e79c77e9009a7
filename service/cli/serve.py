"""`shardwise serve`: the page, the API and its docs on one address."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from service.errors import SettingsInvalid, SetupError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from service.settings import Settings


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on.")] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.")
    ] = False,
) -> None:
    """Start the service: page, API and its docs. 启动服务：网页、接口与接口文档。"""
    import uvicorn

    from service.app import create_app
    from service.observe.logs import configure_logs
    from service.settings import read_settings

    settings = read_settings()
    changes = {name: value for name, value in (("host", host), ("port", port)) if value}
    settings = settings.model_copy(update=changes)
    configure_logs(settings.log_level)
    app = create_app(settings)
    address = f"http://{settings.host}:{settings.port}"
    typer.echo(
        f"Shardwise: {address}  (API docs: {address}/docs)  Ctrl+C stops. 按 Ctrl+C 停止。",
        err=True,
    )
    if open_page:
        typer.launch(address)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            log_config=None,  # its lines take our own form
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=5,
        )
    )
    try:
        with suppress(KeyboardInterrupt):  # the ordinary way to stop
            server.run()
    except SystemExit as leaving:  # the server's own way to say that it could not start
        raise start_failure(app, settings) from leaving


def start_failure(app: "FastAPI", settings: "Settings") -> SetupError:
    """Why the service did not start, as a sentence about what to mend."""
    failed: object = getattr(app.state, "setup_error", None)
    if isinstance(failed, SetupError):
        return failed
    return SettingsInvalid(
        "Nothing can listen on {host}, port {port}; is another program there? Choose another port.",
        host=settings.host,
        port=settings.port,
    )
