import { mkdir, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Child } from "../processes/child.ts";
import type { PeerKind, PeerPlace } from "./peer.ts";

/** Longer than any measurement with one browser. */
const SESSION_MS = 900_000;

/** Prints the path where Playwright, and therefore browserless, looks for Chromium. */
const PRINT_PATH = 'process.stdout.write(require("playwright-core").chromium.executablePath())';

/** https://www.npmjs.com/package/@browserless.io/browserless */
export const browserless: PeerKind = {
  name: "browserless",
  root: "node_modules/@browserless.io/browserless",
  entry: "build/index.js",
  install: "npm install --prefix . --ignore-scripts @browserless.io/browserless",
  atOnce: 8,
  probe: "/active",
  async configure(place) {
    const [routes, browsers] = [join(place.folder, "routes"), join(place.folder, "browsers")];
    await linkRoutes(join(place.root, "build/routes"), routes);
    await linkChromium(place, browsers);
    return { ROUTES: routes, PLAYWRIGHT_BROWSERS_PATH: browsers, TIMEOUT: `${SESSION_MS}` };
  },
  // Connecting opens a browser, and disconnecting closes it.
  open: async () => ({ path: "/chromium", close: async () => {} }),
};

/** Omits routes that break startup: routes for other browsers, and a route that requires the browserless repository. */
async function linkRoutes(from: string, to: string): Promise<void> {
  for (const group of ["chromium/http", "chromium/ws", "management/http"]) {
    await mkdir(join(to, group), { recursive: true });
    const names = (await readdir(join(from, group))).filter((name) => !name.startsWith("meta.get."));
    for (const name of names) await symlink(join(from, group, name), join(to, group, name));
  }
}

/** Links the machine's Chromium to the path where browserless looks for it. */
async function linkChromium({ root, folder, chromium }: PeerPlace, browsers: string): Promise<void> {
  await using child = await Child.start({
    command: process.execPath,
    arguments: ["--eval", PRINT_PATH],
    folder: root,
    environment: { PLAYWRIGHT_BROWSERS_PATH: browsers },
    log: join(folder, "log"),
  });
  const path = await child.output();
  await mkdir(dirname(path), { recursive: true });
  await symlink(chromium, path);
}
