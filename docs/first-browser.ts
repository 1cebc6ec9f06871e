// Opens a browser, reads a page's title, takes a picture of it, and closes the browser again.
//
//   RBS_TOKEN=… npx node docs/first-browser.ts [URL of a page]
import { writeFile } from "node:fs/promises";
import puppeteer from "puppeteer";

const { RBS_URL = "http://127.0.0.1:8080", RBS_TOKEN } = process.env;
const [page = "data:text/html,<title>It works</title><h1>It works</h1>"] = process.argv.slice(2);

async function call(operation: string, options: object): Promise<{ address: string }> {
  const answer = await fetch(`${RBS_URL}/api/v1/Browser/${operation}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${RBS_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify(options),
  });
  const body = (await answer.json()) as { address: string; name?: string; message?: string };
  if (!answer.ok) throw new Error(`${operation}: ${body.name}: ${body.message}`);
  return body;
}

const { address } = await call("Open", { Headless: true, Label: "first browser" });
try {
  const browser = await puppeteer.connect({ browserWSEndpoint: address });
  const [tab = await browser.newPage()] = await browser.pages();
  await tab.goto(page);
  await writeFile("first-browser.png", await tab.screenshot());
  console.log(`${await browser.version()} shows "${await tab.title()}"; its picture is in first-browser.png`);
  await browser.disconnect();
} finally {
  await call("Close", { address });
}
