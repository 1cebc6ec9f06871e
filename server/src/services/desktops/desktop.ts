import type { Socket } from "node:net";
import type { DesktopAccess } from "../../domain/browser/desktop.ts";
import type { CloseNotice } from "../../domain/browser/end.ts";
import type { BrowserClient, ViewerSession } from "../../ports/browser-client.ts";
import type { Screen } from "../../ports/display.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";

const STOPPED: CloseNotice = { code: 1000, reason: "desktop stopped" };

/** A remote desktop that is started: who watches, and how all of them are let go. */
export class Desktop {
  readonly access: DesktopAccess;
  /** Resolves when it has stopped, for whatever reason. */
  readonly ended: Promise<void>;
  readonly #announceEnd: () => void;
  readonly #browser: OpenBrowser;
  readonly #screen: Screen;
  /** Connected, whether their password was right or not. */
  readonly #visitors = new Set<BrowserClient>();
  #viewers = 0;
  /** What visitors are told, once it has stopped. */
  #notice: CloseNotice | undefined;

  constructor(browser: OpenBrowser, screen: Screen, access: DesktopAccess) {
    this.#browser = browser;
    this.#screen = screen;
    this.access = access;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#announceEnd = resolve;
    void browser.ended.then((notice) => this.end(notice));
  }

  /** The host it was started under: viewers may come under the same one. */
  get openedHost(): string {
    return new URL(this.access.url).host;
  }

  /** Those who watch. */
  get viewers(): number {
    return this.#viewers;
  }

  /** A new connection to the screen's RFB server. */
  connect(signal: AbortSignal): Promise<Socket> {
    return this.#screen.connect(signal);
  }

  /** Takes somebody in who has not shown a password yet, and tells it when the desktop stops, or at once if it has. */
  admitViewer(visitor: BrowserClient): ViewerSession {
    if (this.#notice !== undefined) {
      visitor.end(this.#notice.code, this.#notice.reason);
      return { authenticated() {}, leave() {} };
    }
    this.#visitors.add(visitor);
    let leaveBrowser: (() => void) | undefined;
    return {
      authenticated: () => {
        if (leaveBrowser !== undefined || !this.#visitors.has(visitor)) return;
        this.#viewers += 1;
        leaveBrowser = this.#browser.join(visitor);
      },
      leave: () => {
        this.#visitors.delete(visitor);
        if (leaveBrowser === undefined) return;
        this.#viewers -= 1;
        leaveBrowser();
        leaveBrowser = undefined;
      },
    };
  }

  /** Lets all visitors go. Later calls change nothing. */
  end(notice: CloseNotice = STOPPED): void {
    if (this.#notice !== undefined) return;
    this.#notice = notice;
    for (const visitor of this.#visitors) visitor.end(notice.code, notice.reason);
    this.#visitors.clear();
    this.#announceEnd();
  }
}
