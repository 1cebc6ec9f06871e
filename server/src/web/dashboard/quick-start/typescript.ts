import { toLiteral, type Tool, toSteps } from "./tool.ts";

export const typescript: Tool = {
  id: "typescript",
  name: "TypeScript client",
  needs: "Requires Node 24 or later. The example controls the browser with Puppeteer.",
  toBlocks: (url) => toSteps(INSTALL, ["quick-start.mts", toProgram(url)], "node quick-start.mts\n"),
};

const INSTALL = `(cd CLONE && npm ci && npm run build -w clients/typescript)
npm install $(npm pack --silent CLONE/clients/typescript/dist) puppeteer-core
`;

function toProgram(url: string): string {
  return `import { RemoteBrowserClient } from "@remote-browser/client";
import { connectPuppeteer } from "@remote-browser/client/puppeteer";

const client = new RemoteBrowserClient({ url: ${toLiteral(url)} });
await using browser = await client.open({ label: "quick start" });

const puppeteer = await connectPuppeteer(browser);
const [page] = await puppeteer.pages();
await page.goto("https://example.com");
console.log(await page.title());
await puppeteer.disconnect();
`;
}
