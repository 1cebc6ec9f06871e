import { toLiteral, type Tool, toSteps } from "./tool.ts";

export const selenium: Tool = {
  id: "selenium",
  name: "Selenium",
  needs:
    "Requires Python 3.10 or later, Node 22.12 or later (for the tunnel that connects Selenium to the browser), " +
    "and a chromedriver in the PATH with the same major version as the browser (Debian package: chromium-driver).",
  toBlocks: (url) => toSteps(INSTALL, ["quick_start.py", toProgram(url)], "python quick_start.py\n"),
};

const INSTALL = `pip install "CLONE/clients/python[selenium]"
(cd CLONE && npm ci && npm run build -w clients/tunnel)
npm install -g CLONE/clients/tunnel/dist
`;

function toProgram(url: string): string {
  return `import remote_browser.selenium
from remote_browser import RemoteBrowserClient

client = RemoteBrowserClient(${toLiteral(url)})
with client.open(label="quick start") as browser:
    with remote_browser.selenium.open_driver(browser) as driver:
        driver.get("https://example.com")
        print(driver.title)
`;
}
