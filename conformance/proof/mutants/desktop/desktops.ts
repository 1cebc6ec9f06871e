import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../../../server/src/domain/failure.ts";
import type { OpenBrowser } from "../../../../server/test/interface.ts";
import { type Mutant, mutant } from "../../mutant.ts";
import { failing, onCall, onFailure, onText, pathOf, refusal } from "../../faults/alter.ts";
import { instead, onDesktops } from "../../faults/use-cases.ts";

/** What Start does. */
export const DESKTOP_MUTANTS: readonly Mutant[] = [
  mutant("desktop-password-in-query", ["RBS-DESKTOP-01"], "url contains the password in its query", () =>
    onText("startRemoteDesktop", "url", (url) => url.replace("#", "?password=")),
  ),
  mutant("desktop-view-in-fragment", ["RBS-DESKTOP-01"], "url contains the view-only password", () =>
    onText("startRemoteDesktop", "url", (url, { viewPassword }) => url.replace(/#.*/, `#${String(viewPassword)}`)),
  ),
  mutant("desktop-rfb-http", ["RBS-DESKTOP-01", "RBS-ANSWER-02"], "rfbUrl begins with http://", () =>
    onText("startRemoteDesktop", "rfbUrl", (url) => url.replace("ws", "http")),
  ),
  mutant("desktop-page-token", ["RBS-DESKTOP-11"], "The desktop's web page requires a token", () =>
    onCall((request) => (pathOf(request).startsWith("/desktop/") ? refusal("AuthorizationError") : undefined)),
  ),
  mutant("desktop-start-again-refused", ["RBS-DESKTOP-05"], "Start returns 409 if the desktop is already started", () =>
    onDesktops((desktops, browsers) => ({
      async start(account, address, base) {
        if (desktops.passwordOf(browsers.find(account, address)) !== undefined) {
          throw new Failure("DesktopUnavailable", "The desktop has already been started.");
        }
        return desktops.start(account, address, base);
      },
    })),
  ),
  mutant("desktop-start-again-anew", ["RBS-DESKTOP-05"], "Start replaces a started desktop's passwords", () =>
    onDesktops((desktops) => ({
      async start(account, address, base) {
        await desktops.stop(account, address);
        return desktops.start(account, address, base);
      },
    })),
  ),
  mutant("desktop-starts-race", ["RBS-DESKTOP-17"], "Concurrent Start requests return different passwords", () => {
    const underWay = new Set<OpenBrowser>();
    return onDesktops((desktops, browsers) => ({
      async start(account, address, base) {
        const browser = browsers.find(account, address);
        const isSecond = underWay.has(browser);
        underWay.add(browser);
        // Simulates the time that a database takes to return the desktop's state.
        await sleep(50);
        try {
          if (isSecond) await desktops.stop(account, address);
          return await desktops.start(account, address, base);
        } finally {
          underWay.delete(browser);
        }
      },
    }));
  }),
  mutant(
    "desktop-headless-started",
    ["RBS-DESKTOP-09", "RBS-OPEN-21"],
    "Start returns 200 for a headless browser",
    () =>
      onFailure("DesktopUnavailable", (_, request) => {
        const place = `//${new URL(request.url).host}/desktop/${"0".repeat(32)}`;
        const passwords = { password: "Xk7wPq2m", viewPassword: "hT4nRb9c" };
        const urls = { url: `http:${place}#Xk7wPq2m`, rfbUrl: `ws:${place}/rfb` };
        return { status: 200, body: { status: 200, ...passwords, ...urls } };
      }),
  ),
  mutant("desktop-409-for-closed", ["RBS-DESKTOP-10"], "Start returns 409 for an unknown browser", () =>
    onFailure("BrowserNotFound", ({ body }, request) =>
      pathOf(request).endsWith("/startremotedesktop") ? failing("DesktopUnavailable", body) : {},
    ),
  ),
  mutant("desktop-409-first", ["RBS-DESKTOP-10"], "Start still returns 409 for a closed headless browser", () => ({
    services({ localBrowsers: browsers, desktops, ...others }) {
      const headless = new Set<string>();
      return {
        ...others,
        localBrowsers: instead(browsers, {
          async openNew(...call) {
            const browser = await browsers.openNew(...call);
            if (browser.screen === undefined) headless.add(browser.address);
            return browser;
          },
        }),
        desktops: instead(desktops, {
          async start(account, selector, base) {
            if ("address" in selector && headless.has(selector.address))
              throw new Failure("DesktopUnavailable", "This browser is headless.");
            return desktops.start(account, selector, base);
          },
        }),
      };
    },
  })),
];
