from __future__ import annotations

from playwright.sync_api import sync_playwright
from scenarios.stage import WORKSPACE, Stage

import remote_browser.playwright
import remote_browser.selenium

PAGE = "data:text/html,<title>First page</title>"

# Runs the same code as the package's command, from its source.
TUNNEL = [
    str(WORKSPACE / "node_modules/.bin/node"),
    str(WORKSPACE / "clients/tunnel/src/main.ts"),
]


def drive(stage: Stage) -> None:
    with stage.client().open(headless=True) as browser:
        with sync_playwright() as playwright:
            page = remote_browser.playwright.connect(browser, playwright).new_page()
            page.goto(PAGE)
            assert page.title() == "First page"
        with remote_browser.selenium.open_driver(browser, tunnel=TUNNEL) as driver:
            driver.get(PAGE)
            assert driver.title == "First page"
        # Both libraries have left it open.
        assert browser.address in [each.address for each in stage.client().list()]
