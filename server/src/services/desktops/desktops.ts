import type { Account } from "../../domain/account/account.ts";
import { type DesktopAccess, toDesktopAccess, type ViewerPasswords } from "../../domain/browser/desktop.ts";
import { Mutex } from "../../concurrency/mutex.ts";
import { Failure } from "../../domain/failure.ts";
import type { Screen } from "../../ports/display.ts";
import type { Log } from "../../ports/log.ts";
import type { Browsers } from "../browsers/browsers.ts";
import type { AccountEvents } from "../browsers/account-events.ts";
import { Desktop } from "./desktop.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";

type Needs = {
  readonly browsers: Browsers;
  readonly log: Log;
  readonly events: AccountEvents;
  /** At least 128 random bits, URL-safe: the secret in a desktop's URLs. */
  readonly newKey: () => string;
  readonly newPasswords: () => ViewerPasswords;
};

/** Starts, finds and stops remote desktops. */
export class Desktops {
  readonly #needs: Needs;
  /** The started ones by the secret in their URLs. */
  readonly #started = new Map<string, Desktop>();
  /** The same by their browsers. */
  readonly #byBrowser = new Map<OpenBrowser, Desktop>();
  /** Start and Stop of one browser wait for each other. */
  readonly #locks = new WeakMap<OpenBrowser, Mutex>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Desktops that are started. */
  get count(): number {
    return this.#started.size;
  }

  /** Those who watch any desktop now. */
  get viewers(): number {
    return [...this.#started.values()].reduce((sum, { viewers }) => sum + viewers, 0);
  }

  /**
   * Starts the desktop of a browser; one that is started already stays as it is.
   * @param base What its URLs begin with: an http(s) URL.
   * @throws {Failure} `BrowserNotFound`; `DesktopUnavailable` when the browser has no screen.
   */
  async start(account: Account, address: string, base: URL): Promise<DesktopAccess> {
    const find = (): OpenBrowser => this.#needs.browsers.find(account, address);
    return this.#inTurn(find(), async (browser) => {
      const started = this.#byBrowser.get(browser);
      if (started !== undefined) return started.access;
      const { screen } = browser;
      if (screen === undefined) {
        throw new Failure(
          "DesktopUnavailable",
          "This browser is headless and has no screen to show: open it with Headless false.",
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

  /**
   * Stops the desktop of a browser, and lets its viewers go; of one that is stopped, nothing changes.
   * @throws {Failure} `BrowserNotFound`.
   */
  async stop(account: Account, address: string): Promise<void> {
    const find = (): OpenBrowser => this.#needs.browsers.find(account, address);
    return this.#inTurn(find(), async (browser) => {
      const desktop = this.#byBrowser.get(browser);
      if (desktop === undefined) return;
      desktop.end();
      this.#needs.log.info("desktop.stopped", { id: browser.id });
      // The way to the screen is closed already; that it takes no password any more is the second bolt.
      if (browser.screen !== undefined) await setPasswords(browser.screen, undefined, find);
    });
  }

  /** The password for full use of a browser's desktop; undefined while that is stopped. */
  passwordOf(browser: OpenBrowser): string | undefined {
    return this.#byBrowser.get(browser)?.access.passwords.full;
  }

  isStarted(browser: OpenBrowser): boolean {
    return this.#byBrowser.has(browser);
  }

  /** The desktop behind a key, whosever it is: the key is the right to knock, the password opens. */
  findByKey(key: string): Desktop | undefined {
    return this.#started.get(key);
  }

  #inTurn<T>(browser: OpenBrowser, work: (browser: OpenBrowser) => Promise<T>): Promise<T> {
    const lock = this.#locks.get(browser) ?? new Mutex();
    this.#locks.set(browser, lock);
    return lock.run(() => work(browser));
  }
}

/** @param find Throws when the browser has ended: then a screen that is gone is no fault, and one that is not is of no use. */
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
