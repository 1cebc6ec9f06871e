import type { Service } from "./app.ts";
import type { Verdict } from "./services/readiness.ts";

/** What a started server tells the person who started it. */
export function welcome({ url, firstAccount }: Service, verdict: Verdict): string {
  const lines: string[] = [];
  if (firstAccount !== undefined) {
    lines.push(
      `Account: ${firstAccount.email}`,
      `Token:   ${firstAccount.token}   (shown this once; a new one: npm run account -- token --email ${firstAccount.email})`,
      "",
      "Open a browser and look at a page with it:",
      "",
      ...snippet(url, firstAccount.token).map((line) => `  ${line}`),
      "",
    );
  }
  if (!verdict.isReady) lines.push(`No browser can be opened: ${verdict.message}`, "");
  lines.push(verdict.isReady ? `Ready on ${url.origin}` : `Listening on ${url.origin}`);
  return `${lines.join("\n")}\n`;
}

/** A command for the workspace's own folder, where Puppeteer is installed. */
function snippet(url: URL, token: string): string[] {
  return [`RBS_URL=${url.origin} RBS_TOKEN=${token} npx node docs/first-browser.ts`];
}
