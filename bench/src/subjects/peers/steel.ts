import type { PeerKind } from "./peer.ts";

/** https://github.com/steel-dev/steel-browser, as described by its source code. The bench hasn't run Steel yet. */
export const steel: PeerKind = {
  name: "Steel",
  root: "steel-browser",
  entry: "api/build/index.js",
  install: [
    "git clone https://github.com/steel-dev/steel-browser && cd steel-browser && npm ci --ignore-scripts",
    "npm ci --prefix api/extensions/recorder && npm run build --prefix api/extensions/recorder && npm run build -w api",
  ].join(" && "),
  // Each Steel process runs one browser, and every new session replaces it.
  atOnce: 1,
  probe: "/v1/health",
  configure: async ({ chromium }) => ({
    CHROME_EXECUTABLE_PATH: chromium,
    CHROME_HEADLESS: "true",
    // With `production`, Steel would delete /files on this machine.
    NODE_ENV: "staging",
  }),
  async open(url) {
    const { id, websocketUrl } = await post(new URL("/v1/sessions", url));
    const { pathname, search } = new URL(String(websocketUrl));
    return {
      path: `${pathname}${search}`,
      close: async () => void (await post(new URL(`/v1/sessions/${String(id)}/release`, url))),
    };
  },
};

async function post(url: URL): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url.pathname} returned ${answer.status}: ${text}`);
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
