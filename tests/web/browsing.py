"""A real server on loopback and a real Chromium in front of it."""

import asyncio
import os
import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, Request, sync_playwright

from service.app import create_app
from service.assembly import Seams
from service.corpus.load import load_knowledge
from service.domain.tasks import Task
from service.engine.port import Engine, Performed
from service.retrieval.open import open_retriever
from service.retrieval.port import Retriever
from service.settings import ROOT, Settings

CHROMIUM: Final = Path("/usr/bin/chromium")
ARGUMENTS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
START_SECONDS: Final = 60.0
LOCALES: Final = {"zh": "zh-CN", "en": "en-US"}


class SlowEngine:
    """Another engine after a pause, so that what happens meanwhile can be seen."""

    def __init__(self, inner: Engine, seconds: float) -> None:
        self._inner = inner
        self._seconds = seconds

    async def perform(self, task: Task[Any]) -> Performed[Any]:
        await asyncio.sleep(self._seconds)
        return await self._inner.perform(task)


@cache
def by_words() -> Retriever:
    """Search by words alone: building the index would cost more than all these tests."""
    knowledge = load_knowledge(ROOT / "knowledge")
    nowhere = ROOT / "knowledge"  # only read from, and there is no index in it
    return open_retriever(knowledge.facts, knowledge.digest, nowhere, start=lambda _: None)


@contextmanager
def serving(folder: Path, engine: Engine | None = None, port: int = 0) -> Generator[str]:
    """The service over `folder`; gives its address. A second call on the folder is a restart."""
    settings = Settings(data_dir=folder, engine="builtin", model=None)
    app = create_app(settings, Seams(engine=engine, retriever=by_words()))
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        _wait(server, thread)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def _wait(server: uvicorn.Server, thread: threading.Thread) -> None:
    end = time.monotonic() + START_SECONDS
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        assert time.monotonic() < end, "the service starts too slowly"
        time.sleep(0.02)


@contextmanager
def chromium() -> Generator[Browser]:
    """Skips where there is no Chromium; in CI its absence is a failure."""
    if not CHROMIUM.exists():
        if os.environ.get("CI") == "true":  # noqa: TID251 - the tests' own door
            pytest.fail("Chromium is missing in CI.")
        pytest.skip("no Chromium here")
    with sync_playwright() as started:
        browser = _launch(started)
        yield browser
        browser.close()


def _launch(started: Playwright) -> Browser:
    return started.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))


@dataclass
class Visit:
    """One person's browser. `complaints` are console messages and errors, `elsewhere` requests
    to other hosts; `calm` asserts that there are none."""

    page: Page
    base: str
    complaints: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    def calm(self) -> None:
        assert self.complaints == []
        assert self.elsewhere == []

    def heard(self, message: ConsoleMessage) -> None:
        self.complaints.append(f"{message.type}: {message.text}")

    def asked(self, request: Request) -> None:
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.elsewhere.append(request.url)

    def button(self, name: str, within: str = "body") -> None:
        self.page.locator(within).get_by_role("button", name=name, exact=True).click()

    def link(self, name: str) -> None:
        self.page.get_by_role("link", name=name, exact=True).first.click()


@contextmanager
def visiting(browser: Browser, base: str, lang: str = "en", **options: Any) -> Generator[Visit]:
    """A fresh browser profile; at its end nothing was complained of and nobody else asked."""
    context = browser.new_context(locale=LOCALES[lang], **options)
    context.set_default_timeout(20_000)
    visit = Visit(context.new_page(), base)
    visit.page.on("console", visit.heard)
    visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    context.on("request", visit.asked)
    try:
        yield visit
        visit.calm()
    finally:
        context.close()
