import { type Block, toLiteral, type Tool, toSteps } from "./tool.ts";

export const puppeteer: Tool = {
  id: "puppeteer",
  name: "Puppeteer",
  needs: "Requires Node 20 or later. puppeteer-core is Puppeteer without a bundled browser.",
  toBlocks: (url) => toNodeBlocks(url, "puppeteer-core", `import puppeteer from "puppeteer-core";`, PUPPETEER),
};

const PUPPETEER = `const browser = await puppeteer.connect({ browserWSEndpoint: address });
const [page] = await browser.pages(); // open already, so faster than a new one
await page.goto("https://example.com");
console.log(await page.title());
await browser.disconnect();`;

export const playwright: Tool = {
  id: "playwright",
  name: "Playwright",
  needs: "Requires Node 20 or later. playwright-core is Playwright without bundled browsers.",
  toBlocks: (url) => toNodeBlocks(url, "playwright-core", `import { chromium } from "playwright-core";`, PLAYWRIGHT),
};

const PLAYWRIGHT = `const browser = await chromium.connectOverCDP(address);
const [page] = browser.contexts()[0].pages(); // open already, so faster than a new one
await page.goto("https://example.com");
console.log(await page.title());
await browser.close(); // this only disconnects`;

/**
 * Returns the blocks of a Node program that opens a browser, connects a library to it, and closes the browser.
 * @param use Statements that use `address`.
 */
function toNodeBlocks(url: string, library: string, from: string, use: string): readonly Block[] {
  const file = "quick-start.mjs";
  return toSteps(`npm install ${library}\n`, [file, toProgram(url, from, use)], `node ${file}\n`);
}

function toProgram(url: string, from: string, use: string): string {
  return `${from}

const service = ${toLiteral(url)};

async function call(operation, body) {
  const answer = await fetch(\`\${service}/api/v1/Browser/\${operation}\`, {
    method: "POST",
    headers: { Authorization: \`Bearer \${process.env.RBS_TOKEN}\`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(\`\${operation}: \${result.name}: \${result.message}\`);
  return result;
}

const { address } = await call("Open", { Label: "quick start" });
try {
${use.replaceAll(/^(?=.)/gm, "  ")}
} finally {
  await call("Close", { address });
}
`;
}
