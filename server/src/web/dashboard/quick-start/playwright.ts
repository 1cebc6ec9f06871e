import { toNodeProgram } from "./node-program.ts";
import type { Way } from "./way.ts";

export const playwright: Way = {
  id: "playwright",
  name: "Playwright",
  needs: "Node 20 or later; playwright-core is Playwright without browsers of its own.",
  toBlocks: (url) => [
    { id: "install", title: "Install", text: "npm install playwright-core\n" },
    {
      id: "program",
      title: "quick-start.mjs",
      text: toNodeProgram(url, { from: `import { chromium } from "playwright-core";`, use: USE }),
    },
    { id: "run", title: "Run", text: "node quick-start.mjs\n" },
  ],
};

const USE = `const browser = await chromium.connectOverCDP(address);
const page = await browser.contexts()[0].newPage();
await page.goto("https://example.com");
console.log(await page.title());
await browser.close(); // this only disconnects`;
