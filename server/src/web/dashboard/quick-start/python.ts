import { toLiteral, type Tool, toSteps } from "./tool.ts";

export const python: Tool = {
  id: "python",
  name: "Python client",
  needs: "Requires Python 3.10 or later. The example controls the browser with Playwright.",
  toBlocks: (url) =>
    toSteps(
      `pip install "CLONE/clients/python[playwright]"\n`,
      ["quick_start.py", toProgram(url)],
      "python quick_start.py\n",
    ),
};

function toProgram(url: string): string {
  return `import remote_browser.playwright
from playwright.sync_api import sync_playwright
from remote_browser import RemoteBrowserClient

client = RemoteBrowserClient(${toLiteral(url)})
with client.open(label="quick start") as browser, sync_playwright() as playwright:
    page = remote_browser.playwright.connect(browser, playwright).contexts[0].pages[0]
    page.goto("https://example.com")
    print(page.title())
`;
}
