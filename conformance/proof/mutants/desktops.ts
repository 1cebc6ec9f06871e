import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../../server/src/domain/failure.ts";
import type { OpenBrowser } from "../../../server/test/interface.ts";
import type { Mutant } from "../mutant.ts";
import { onAnswer, onCall, onFailure, pathOf, refusal } from "./alter.ts";
import { instead, onDesktops } from "./use-cases.ts";

/** What Start does. */
export const DESKTOP_MUTANTS: readonly Mutant[] = [
  {
    id: "desktop-password-in-query",
    title: "url contains the password in its query",
    killedBy: ["RBS-DESKTOP-01"],
    fault: () =>
      onAnswer("startRemoteDesktop", ({ body }) =>
        typeof body["url"] === "string" ? { body: { ...body, url: body["url"].replace("#", "?password=") } } : {},
      ),
  },
  {
    id: "desktop-view-in-fragment",
    title: "url contains the password for watching",
    killedBy: ["RBS-DESKTOP-01"],
    fault: () =>
      onAnswer("startRemoteDesktop", ({ body }) =>
        typeof body["url"] === "string"
          ? { body: { ...body, url: body["url"].replace(/#.*/, `#${String(body["viewPassword"])}`) } }
          : {},
      ),
  },
  {
    id: "desktop-rfb-http",
    title: "rfbUrl begins with http://",
    killedBy: ["RBS-DESKTOP-01", "RBS-ANSWER-02"],
    fault: () =>
      onAnswer("startRemoteDesktop", ({ body }) =>
        typeof body["rfbUrl"] === "string" ? { body: { ...body, rfbUrl: body["rfbUrl"].replace("ws", "http") } } : {},
      ),
  },
  {
    id: "desktop-page-token",
    title: "The desktop's web page requires a token",
    killedBy: ["RBS-DESKTOP-11"],
    fault: () =>
      onCall((request) => (pathOf(request).startsWith("/desktop/") ? refusal("AuthorizationError") : undefined)),
  },
  {
    id: "desktop-start-again-refused",
    title: "Start of a started desktop is refused with 409",
    killedBy: ["RBS-DESKTOP-05"],
    fault: () =>
      onDesktops((desktops, browsers) => ({
        async start(account, address, base) {
          if (desktops.passwordOf(browsers.find(account, address)) !== undefined) {
            throw new Failure("DesktopUnavailable", "The desktop is started already.");
          }
          return desktops.start(account, address, base);
        },
      })),
  },
  {
    id: "desktop-start-again-anew",
    title: "Start of a started desktop makes new passwords",
    killedBy: ["RBS-DESKTOP-05"],
    fault: () =>
      onDesktops((desktops) => ({
        async start(account, address, base) {
          await desktops.stop(account, address);
          return desktops.start(account, address, base);
        },
      })),
  },
  {
    id: "desktop-starts-race",
    title: "Concurrent Starts return different passwords",
    killedBy: ["RBS-DESKTOP-17"],
    fault: () => {
      const underWay = new Set<OpenBrowser>();
      return onDesktops((desktops, browsers) => ({
        async start(account, address, base) {
          const browser = browsers.find(account, address);
          const isSecond = underWay.has(browser);
          underWay.add(browser);
          // A delay as if the state were in a database.
          await sleep(50);
          try {
            if (isSecond) await desktops.stop(account, address);
            return await desktops.start(account, address, base);
          } finally {
            underWay.delete(browser);
          }
        },
      }));
    },
  },
  {
    id: "desktop-headless-started",
    title: "Start on a headless browser answers 200",
    killedBy: ["RBS-DESKTOP-09", "RBS-OPEN-21"],
    fault: () =>
      onFailure("DesktopUnavailable", (_, request) => {
        const place = `//${new URL(request.url).host}/desktop/${"0".repeat(32)}`;
        const passwords = { password: "Xk7wPq2m", viewPassword: "hT4nRb9c" };
        const urls = { url: `http:${place}#Xk7wPq2m`, rfbUrl: `ws:${place}/rfb` };
        return { status: 200, body: { status: 200, ...passwords, ...urls } };
      }),
  },
  {
    id: "desktop-409-for-closed",
    title: "Start on an unknown browser answers 409",
    killedBy: ["RBS-DESKTOP-10"],
    fault: () =>
      onFailure("BrowserNotFound", ({ body }, request) =>
        pathOf(request).endsWith("/startremotedesktop")
          ? { status: 409, body: { ...body, status: 409, name: "DesktopUnavailable" } }
          : {},
      ),
  },
  {
    id: "desktop-409-first",
    title: "Start on a closed headless browser still answers 409",
    killedBy: ["RBS-DESKTOP-10"],
    fault: () => ({
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
    }),
  },
];
