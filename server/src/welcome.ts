import type { Service } from "./app.ts";
import type { Verdict } from "./services/readiness.ts";

/**
 * The operator's account, which a first start has made, and a command that opens a first browser with it.
 * @param isFake Fake browsers speak too little DevTools for that.
 */
export function introduce({ url, firstAccount }: Service, isFake: boolean): string {
  if (firstAccount === undefined) return "";
  const { email, token } = firstAccount;
  return [
    `Account: ${email}`,
    `Token:   ${token}   (shown this once; a new one: npm run -s account -- token --email ${email})`,
    "",
    ...(isFake
      ? ["Its browsers are fake: they are opened, listed and closed, and no automation library can drive them."]
      : [
          "Open a browser and look at a page with it, from this folder:",
          "",
          `  RBS_URL=${url.origin} RBS_TOKEN=${token} npx node docs/first-browser.ts`,
        ]),
    "",
    "",
  ].join("\n");
}

/** Whether the server is ready, and where. */
export function announce({ url }: Service, verdict: Verdict): string {
  if (verdict.isReady) return `Ready on ${url.origin}\n`;
  return `No browser can be opened: ${verdict.message}\nListening on ${url.origin}\n`;
}
