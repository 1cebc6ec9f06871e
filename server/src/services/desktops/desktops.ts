import { type DesktopAccess, toDesktopAccess, type ViewerPasswords } from "../../domain/browser/desktop.ts";
import { Mutex } from "../../concurrency/mutex.ts";
import { Failure } from "../../domain/failure.ts";
import type { BrowserSelector } from "../../domain/browser/selector.ts";
import type { Screen } from "../../ports/display.ts";
import type { Owner } from "../../ports/fleet.ts";
import type { Log } from "../../ports/log.ts";
import type { LocalBrowsers } from "../browsers/local-browsers.ts";
import type { AccountEvents } from "../store/account-events.ts";
import { Desktop } from "./desktop.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";

type DesktopsNeeds = {
  readonly localBrowsers: Pick<LocalBrowsers, "find">;
  readonly log: Log;
  readonly events: AccountEvents;
  /** Creates the secret in a desktop's URLs: at least 128 random bits, URL-safe. */
  readonly newKey: () => string;
  readonly newPasswords: () => ViewerPasswords;
};

export class Desktops {
  readonly #needs: DesktopsNeeds;
  /** Started desktops by the secret in their URLs. */
  readonly #started = new Map<string, Desktop>();
  /** Started desktops, keyed by browser. */
  readonly #byBrowser = new Map<OpenBrowser, Desktop>();
  /** Locks that serialize Start and Stop for each browser. */
  readonly #locks = new WeakMap<OpenBrowser, Mutex>();

  constructor(needs: DesktopsNeeds) {
    this.#needs = needs;
  }

  get count(): number {
    return this.#started.size;
  }

  get viewers(): number {
    return [...this.#started.values()].reduce((sum, { viewers }) => sum + viewers, 0);
  }

  /** Implements `Fleet.startDesktop`. */
  async start(owner: Owner, selector: BrowserSelector, base: URL): Promise<DesktopAccess> {
    const find = (): OpenBrowser => this.#needs.localBrowsers.find(owner, selector);
    return this.#runAlone(find(), async (browser) => {
      const started = this.#byBrowser.get(browser);
      if (started !== undefined) return started.access;
      const { screen } = browser;
      if (screen === undefined) {
        throw new Failure(
          "DesktopUnavailable",
          "This browser is headless and has no screen to show: open one with Headless set to false.",
        );
      }
      const passwords = this.#needs.newPasswords();
      await setPasswords(screen, passwords, find);
      const key = this.#needs.newKey();
      const desktop = new Desktop(browser, screen, toDesktopAccess(base, key, passwords));
      this.#started.set(key, desktop);
      this.#byBrowser.set(browser, desktop);
      void desktop.ended.then(() => {
        this.#started.delete(key);
        this.#byBrowser.delete(browser);
        this.#needs.events.emit(browser.accountId);
      });
      this.#needs.events.emit(browser.accountId);
      this.#needs.log.info("desktop.started", { id: browser.id });
      return desktop.access;
    });
  }

  /** Implements `Fleet.stopDesktop`. */
  async stop(owner: Owner, selector: BrowserSelector): Promise<void> {
    const find = (): OpenBrowser => this.#needs.localBrowsers.find(owner, selector);
    return this.#runAlone(find(), async (browser) => {
      const desktop = this.#byBrowser.get(browser);
      if (desktop === undefined) return;
      desktop.end();
      this.#needs.log.info("desktop.stopped", { id: browser.id });
      // Viewers can no longer reach the screen. Clearing its passwords is a second line of defence.
      if (browser.screen !== undefined) await setPasswords(browser.screen, undefined, find);
    });
  }

  /** Returns the full-access password of a browser's desktop; undefined while the desktop is stopped. */
  passwordOf(browser: OpenBrowser): string | undefined {
    return this.#byBrowser.get(browser)?.access.passwords.full;
  }

  /**
   * Finds any account's desktop by its key. The key grants the right to connect, and the password the right to view.
   */
  findByKey(key: string): Desktop | undefined {
    return this.#started.get(key);
  }

  #runAlone<T>(browser: OpenBrowser, work: (browser: OpenBrowser) => Promise<T>): Promise<T> {
    const lock = this.#locks.get(browser) ?? new Mutex();
    this.#locks.set(browser, lock);
    return lock.run(() => work(browser));
  }
}

/** @param find Throws if the browser has ended. This error takes precedence over an error from the screen. */
async function setPasswords(
  screen: Screen,
  passwords: ViewerPasswords | undefined,
  find: () => OpenBrowser,
): Promise<void> {
  try {
    await screen.setPasswords(passwords);
  } finally {
    find();
  }
}
