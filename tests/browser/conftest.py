"""A headless Chromium for the tests of pages: the one on this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Its own services ask the network at every start; a page must not, and the tests would not know who did.
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
NONE = "no Chromium on this machine: `make browser` installs Debian's (as root)"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser, started once a module: while it runs, its library's event loop lets no other run in this thread.

    Without one the test is skipped.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(NONE)
    with sync_playwright() as engine:
        started = engine.chromium.launch(executable_path=found, args=list(QUIET))
        yield started
        started.close()
