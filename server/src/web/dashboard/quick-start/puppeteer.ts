import { toNodeProgram } from "./node-program.ts";
import type { Way } from "./way.ts";

export const puppeteer: Way = {
  id: "puppeteer",
  name: "Puppeteer",
  needs: "Node 20 or later; puppeteer-core is Puppeteer without a browser of its own.",
  toBlocks: (url) => [
    { id: "install", title: "Install", text: "npm install puppeteer-core\n" },
    {
      id: "program",
      title: "quick-start.mjs",
      text: toNodeProgram(url, { from: `import puppeteer from "puppeteer-core";`, use: USE }),
    },
    { id: "run", title: "Run", text: "node quick-start.mjs\n" },
  ],
};

const USE = `const browser = await puppeteer.connect({ browserWSEndpoint: address });
const page = await browser.newPage();
await page.goto("https://example.com");
console.log(await page.title());
await browser.disconnect();`;
