"""A real browser for tests of pages, where there is one."""

import contextlib
import shutil
import tempfile

_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _chromium():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


def why_none():
    """What is missing for a browser, or None."""
    try:
        import axe_playwright_python.sync_playwright  # noqa: F401
        import playwright.sync_api  # noqa: F401
    except ImportError as error:
        return f"{error.name} is not installed (the dependency group `browser`)"
    return None if _chromium() else "Chromium is not installed"


@contextlib.contextmanager
def open_browser():
    """Context of a browser with a directory of its own, which is removed after it."""
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory() as directory,
        sync_playwright() as playwright,
        contextlib.closing(
            playwright.chromium.launch_persistent_context(
                directory, executable_path=_chromium(), headless=True, args=_FLAGS
            )
        ) as browser,
    ):
        yield browser


def open_page(browser, address, width=900, height=600, scheme="light", **options):
    """A page at an address, with the list `messages` of what went wrong in it."""
    page = browser.new_page(**options)
    page.messages = []
    page.on("console", lambda message: page.messages.append(message.text))
    page.on("pageerror", lambda error: page.messages.append(str(error)))
    page.on("requestfailed", lambda request: page.messages.append(request.url))
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    return page


def violations(page):
    """What axe finds wrong with a page: lines of rule, help and element."""
    from axe_playwright_python.sync_playwright import Axe

    return [
        f"{found['id']}: {found['help']}: {node['html']}"
        for found in Axe().run(page).response["violations"]
        for node in found["nodes"]
    ]
